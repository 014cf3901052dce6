import { sql } from 'kysely'

/**
 * The name of the person whose decision the row `m` of matches is; null if nobody decided about it, or if it is unknown
 * who did.
 */
export const decidedBy = sql<string | null>`
  (select u.name from match_decisions d left join "user" u on u.id = d.decided_by
    where d.organization_id = m.organization_id and d.portal_id = m.portal_id and d.customer_id = m.customer_id
      and (m.evidence, d.action) in (('person', 'attached'), ('person', 'created'), ('unlinked', 'unlinked'))
    order by d.position desc limit 1)`
