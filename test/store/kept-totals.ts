import { inOrganization, openDatabase } from '#server/store/postgres/database.ts'
import { recountTotals } from '#server/store/totals/list-totals.ts'
import { run as query } from '../database.ts'

/** Counts the lists of an organization, after a test wrote rows past the product's writers. */
export async function recountLists(ownerUrl: string, organizationId: number): Promise<void> {
  const database = openDatabase({ url: ownerUrl, poolSize: 1, statementTimeoutMs: 30_000, onError: () => {} })
  await inOrganization(database, organizationId, recountTotals)
  await database.destroy()
}

/** Adds a difference that no row explains, as a writer's fault would. */
export async function spoilTotals(ownerUrl: string, organizationId: number): Promise<void> {
  await query(
    ownerUrl,
    `insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents)
     values ($1, 'events', 'New', '', 7, 0, 0)`,
    [organizationId],
  )
}

type TotalFault = {
  side: 'kept' | 'counted'
  organization_id: number
  list: string
  status: string
  part: string
  rows: string
  earning: string
  cents: string
  reporting: string
  unconverted: string
  apart: string
}

/**
 * The totals of lists that differ from a plain count of the rows, over all organizations: what is kept, and what was
 * counted. Counts in its own words, so that a fault of the product's counting shows.
 */
export function listTotalFaults(ownerUrl: string): Promise<TotalFault[]> {
  return query<TotalFault>(
    ownerUrl,
    `with kept as (
       select organization_id, list, status, part, sum(row_count) as rows, sum(earning_count) as earning,
              sum(mrr_cents) as cents, sum(reporting_cents) as reporting, sum(unconverted_cents) as unconverted,
              sum(unconverted_count) as apart
         from list_totals group by organization_id, list, status, part
       having sum(row_count) <> 0 or sum(earning_count) <> 0 or sum(mrr_cents) <> 0 or sum(reporting_cents) <> 0
           or sum(unconverted_cents) <> 0 or sum(unconverted_count) <> 0),
     counted as (
       select organization_id, 'events' as list, mrr_status as status, '' as part, count(*)::numeric as rows,
              0::numeric as earning, 0::numeric as cents, 0::numeric as reporting, 0::numeric as unconverted,
              0::numeric as apart
         from events group by organization_id, mrr_status
       union all
       select organization_id, 'subscriptions', status, currency, count(*),
              count(*) filter (where current_mrr_cents > 0),
              coalesce(sum(current_mrr_cents) filter (where current_mrr_cents > 0), 0),
              coalesce(sum(reporting_mrr_cents) filter (where current_mrr_cents > 0), 0),
              coalesce(sum(current_mrr_cents) filter (where current_mrr_cents > 0 and reporting_mrr_cents is null), 0),
              count(*) filter (where current_mrr_cents > 0 and reporting_mrr_cents is null)
         from subscriptions where quantity is not null group by organization_id, status, currency
       union all
       select organization_id, 'matches', state, portal_id, count(*), 0, 0, 0, 0, 0
         from matches group by organization_id, state, portal_id
       union all
       select organization_id, 'customers', case when is_attached then 'matched' else 'unmatched' end, key, count(*), 0,
              sum(value::bigint), 0, sum(coalesce((unconverted_by_currency ->> key)::bigint, 0)), 0
         from customers, jsonb_each_text(mrr_by_currency) where is_subscriber group by organization_id, is_attached, key
       union all
       select organization_id, 'customers', case when is_attached then 'matched' else 'unmatched' end, '', count(*), 0, 0,
              sum(reporting_mrr_cents), 0, 0
         from customers where is_subscriber group by organization_id, is_attached)
     select 'kept' as side, * from (table kept except table counted) as missed
     union all select 'counted', * from (table counted except table kept) as missing
      order by organization_id, list, status, part, side`,
  )
}
