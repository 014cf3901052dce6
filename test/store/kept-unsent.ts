import { run as query } from '../database.ts'

/**
 * The rows that are wrongly kept as not in the CRM as they are here, or with other amounts, or wrongly not, by comparing
 * every row with its link in its own words. Before the first push nothing is kept.
 */
export function unsentFaults(ownerUrl: string): Promise<{ side: 'kept' | 'missed'; id: string }[]> {
  return query(
    ownerUrl,
    `with rows as (
       select organization_id, 'event' as kind, id as source_id, updated_at, mrr_status, currency,
              mrr_change_cents, reporting_change_cents, subscription_id, customer_id, occurred_at from events
       union all select organization_id, 'subscription', id, updated_at, null, null, null, null, null, null, null from subscriptions),
     counted as (
       select r.organization_id, r.kind, r.source_id, r.mrr_status, r.currency, r.mrr_change_cents,
              r.reporting_change_cents, coalesce(l.state, 'removed') <> 'removed' and l.record_id is not null as has_record,
              r.subscription_id, r.customer_id, r.occurred_at
         from rows r join push_marks m on m.organization_id = r.organization_id
         left join crm_links l on l.organization_id = r.organization_id and l.portal_id = m.portal_id
                              and l.kind = r.kind and l.source_id = r.source_id
        where coalesce(l.state, '') <> 'confirmed' or l.record_id is null or l.confirmed_at is null
           or l.confirmed_at < r.updated_at or l.outdated > 0)
     select 'kept' as side, source_id as id from (table crm_unsent except table counted) as wrong
     union all select 'missed', source_id from (table counted except table crm_unsent) as missing
      order by 1, 2`,
  )
}
