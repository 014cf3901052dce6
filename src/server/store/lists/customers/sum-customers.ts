import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../postgres/database.ts'
import { addedByCustomer } from '../../totals/list-totals.ts'
import { isKeptPart, keptStatuses, wholeCustomers } from './customer-list.ts'
import type { CustomerFilter } from './customer-order.ts'

/** What customers come to, in minor units. */
export type CustomerSum = {
  count: number
  /** Current MRR in the reporting currency, as it was converted. */
  reportingCents: number
  /** Current MRR in each currency, whatever the rates, and how much of it has no rate. */
  currencies: { currency: string; ownCents: number; unconvertedCents: number }[]
}

/** A total by part: what is in a currency, or under an empty part all customers and what is in the reporting currency. */
type PartTotal = { part: string; count: number; own: number; reporting: number; unconverted: number }

/** The number and current MRR of the customers that meet search and filters, of all pages. */
export async function sumCustomers(
  tenant: Tenant,
  query: CustomerFilter & { search: string },
): Promise<CustomerSum> {
  const isKept = query.search === '' && isKeptPart(query)
  const { rows } = await (isKept ? keptTotals(tenant, query) : await countedTotals(tenant, query)).execute(
    tenant.sql,
  )
  const all = rows.find(({ part }) => part === '')
  return {
    count: all?.count ?? 0,
    reportingCents: all?.reporting ?? 0,
    currencies: rows
      .filter(({ part }) => part !== '')
      .map(({ part, own, unconverted }) => ({
        currency: part,
        ownCents: own,
        unconvertedCents: unconverted,
      })),
  }
}

function keptTotals(tenant: Tenant, filter: CustomerFilter): RawBuilder<PartTotal> {
  const statuses = keptStatuses(filter)
  const ofStatus = statuses.length === 0 ? sql`` : sql`and status = any(${statuses}::text[])`
  return sql`
    select part, sum(row_count)::bigint as count, sum(mrr_cents)::bigint as own,
           sum(reporting_cents)::bigint as reporting, sum(unconverted_cents)::bigint as unconverted
      from list_totals
     where organization_id = ${tenant.organizationId} and list = 'customers' ${ofStatus}
     group by part order by part`
}

async function countedTotals(
  tenant: Tenant,
  query: CustomerFilter & { search: string },
): Promise<RawBuilder<PartTotal>> {
  const isLong = query.firstPaidFrom === undefined && query.firstPaidTo === undefined
  const walked = { isLong, areHashed: true, sort: 'currentMrr', order: 'desc' } as const
  const stretches = await wholeCustomers(tenant, { ...query, ...walked })
  const each = stretches.map(
    ({ from, where }) =>
      sql`select added.* from ${from} cross join lateral (${addedByCustomer}) as added where ${where}`,
  )
  return sql`
    select part, count(*)::bigint as count, sum(cents)::bigint as own, sum(reporting)::bigint as reporting,
           sum(unconverted)::bigint as unconverted
      from (${sql.join(each, sql` union all `)}) as added
     group by part order by part`
}
