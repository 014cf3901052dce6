import { sql } from 'kysely'
import type { CurrencyMrr } from '#domain/mrr-by-currency.ts'
import { currentPortal } from '../crm/current-portal.ts'
import { countPendingMatches } from '../matches/matches.ts'
import type { Tenant } from '../postgres/database.ts'

/** The rows of a list, and their MRR in dollar cents. */
export type ListSum = { count: number; mrrCents: number }

/** The customers that wait in the match review, with their MRR. Reads indexes alone, at any size. */
export async function sumToMatch(tenant: Tenant): Promise<ListSum> {
  const count = await countPendingMatches(tenant)
  if (count === 0) return { count, mrrCents: 0 }
  const { rows } = await sql<{ mrrCents: number }>`
    select coalesce(sum(c.usd_mrr_cents), 0)::bigint as "mrrCents"
      from customers c
      join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
     where c.organization_id = ${tenant.organizationId} and c.usd_mrr_cents > 0
       and m.organization_id = ${tenant.organizationId} and m.portal_id = ${currentPortal(tenant)}
       and m.state = 'pending'`.execute(tenant.sql)
  return { count, mrrCents: rows[0]?.mrrCents ?? 0 }
}

/** The subscriptions of a status, from the kept totals: how many there are, and their MRR by currency. */
export async function sumOfStatus(
  tenant: Tenant,
  status: string,
): Promise<{ count: number; byCurrency: CurrencyMrr[] }> {
  const rows = await tenant.sql
    .selectFrom('list_totals')
    .select([
      'part as currency',
      sql<number>`sum(row_count)::bigint`.as('count'),
      sql<number>`sum(mrr_cents)::bigint`.as('mrrCents'),
      sql<number>`sum(earning_count)::bigint`.as('activeSubscriptions'),
    ])
    .where('organization_id', '=', tenant.organizationId)
    .where('list', '=', 'subscriptions')
    .where('status', '=', status)
    .groupBy('part')
    .execute()
  return { count: rows.reduce((sum, row) => sum + row.count, 0), byCurrency: rows }
}
