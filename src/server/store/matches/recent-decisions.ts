import { sql } from 'kysely'
import type { DecisionAction } from '#domain/company.ts'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'

/** A decision of the current portal, with the customers about whom it still is the last one. */
export type RecentDecision = {
  id: string
  action: DecisionAction
  at: Date
  /** Null if the account is deleted. */
  by: string | null
  customerCount: number
  /** The first of the customers, by their names. */
  customerNames: string[]
  /** The company, if all customers were attached to the same one. */
  companyName: string | null
}

/** The latest decisions since then that can still be undone, newest first. */
export async function listRecentDecisions(
  tenant: Tenant,
  { since, limit }: { since: Date; limit: number },
): Promise<RecentDecision[]> {
  const { rows } = await sql<RecentDecision>`
    select d.decision_id as id, min(d.action) as action, max(d.decided_at) as at, min(u.name) as by,
           count(*)::integer as "customerCount",
           (array_agg(coalesce(c.name, c.email, c.id) order by d.position))[1:3] as "customerNames",
           case when count(distinct d.company_record_id) = 1 then min(m.company_name) end as "companyName"
      from match_decisions d
      join matches m using (organization_id, customer_id, portal_id)
      join customers c on c.organization_id = d.organization_id and c.id = d.customer_id
      left join "user" u on u.id = d.decided_by
     where d.organization_id = ${tenant.organizationId} and d.portal_id = ${currentPortal(tenant)}
       and d.decided_at > ${since}
       and m.state = d.state and m.company_record_id is not distinct from d.company_record_id
       and not exists (select from match_decisions l
                        where l.organization_id = d.organization_id and l.portal_id = d.portal_id
                          and l.customer_id = d.customer_id and l.position > d.position)
     group by d.decision_id
     order by max(d.position) desc limit ${limit}`.execute(tenant.sql)
  return rows
}
