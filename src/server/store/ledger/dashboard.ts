import { sql } from 'kysely'
import type { ReportedMrr } from '#domain/mrr-by-currency.ts'
import type { Tenant } from '../postgres/database.ts'

/** Current MRR by currency, in it and converted, with the number of 'active' subscriptions that contribute to it. */
export function listCurrentMrr(tenant: Tenant): Promise<ReportedMrr[]> {
  return tenant.sql
    .selectFrom('list_totals')
    .select([
      'part as currency',
      sql<number>`sum(mrr_cents)::bigint`.as('mrrCents'),
      sql<number>`coalesce(sum(earning_count) filter (where status = 'active'), 0)::bigint`.as(
        'activeSubscriptions',
      ),
      sql<number>`sum(reporting_cents)::bigint`.as('reportingCents'),
      sql<number>`sum(unconverted_cents)::bigint`.as('unconvertedCents'),
      sql<number>`coalesce(sum(unconverted_count) filter (where status = 'active'), 0)::bigint`.as(
        'unconvertedSubscriptions',
      ),
    ])
    .where('organization_id', '=', tenant.organizationId)
    .where('list', '=', 'subscriptions')
    .groupBy('part')
    .having(sql<boolean>`sum(earning_count) > 0`)
    .orderBy('part')
    .execute()
}

/** The number of subscriptions that contribute to the total MRR, whatever their status. */
export async function countPaying(tenant: Tenant): Promise<number> {
  const { count } = await tenant.sql
    .selectFrom('list_totals')
    .select(sql<number>`coalesce(sum(earning_count - unconverted_count), 0)::bigint`.as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .where('list', '=', 'subscriptions')
    .executeTakeFirstOrThrow()
  return count
}

/** The number of subscriptions outside every total, because their charges cannot be expressed as MRR. */
export async function countUnsupported(tenant: Tenant): Promise<number> {
  const { count } = await tenant.sql
    .selectFrom('subscriptions')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .where('unsupported_reason', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

export type MonthMrr = ReportedMrr & { month: string }

/** MRR at the start of each captured month, ascending by month, one row per currency. */
export function listMonthlyMrr(tenant: Tenant): Promise<MonthMrr[]> {
  return tenant.sql
    .selectFrom('snapshots')
    .select(['month', 'currency', 'mrr_cents as mrrCents', 'active_subscriptions as activeSubscriptions'])
    .select(['reporting_cents as reportingCents', 'unconverted_cents as unconvertedCents'])
    .select('unconverted_subscriptions as unconvertedSubscriptions')
    .where('organization_id', '=', tenant.organizationId)
    .orderBy('month')
    .orderBy('currency')
    .execute()
}
