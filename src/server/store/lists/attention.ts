import { sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import { currentPortal } from '../crm/current-portal.ts'
import { countPendingMatches } from '../matches/matches.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { collectedMax } from './find-text.ts'
import {
  type EventFilter,
  eventsOfFilter,
  type SubscriptionFilter,
  subscriptionsOfFilter,
} from './list-filters.ts'
import { withRecords } from './of-record.ts'

/** The rows of a list, and their MRR in the reporting currency. */
type ListSum = { count: number; mrrCents: number }

/** The customers that wait in the match review, with their MRR. Reads indexes alone, at any size. */
export async function sumToMatch(tenant: Tenant): Promise<ListSum> {
  const count = await countPendingMatches(tenant)
  if (count === 0) return { count, mrrCents: 0 }
  const { rows } = await sql<{ mrrCents: number }>`
    select coalesce(sum(c.reporting_mrr_cents), 0)::bigint as "mrrCents"
      from customers c
      join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
     where c.organization_id = ${tenant.organizationId} and c.reporting_mrr_cents > 0
       and m.organization_id = ${tenant.organizationId} and m.portal_id = ${currentPortal(tenant)}
       and m.state = 'pending'`.execute(tenant.sql)
  return { count, mrrCents: rows[0]?.mrrCents ?? 0 }
}

/**
 * The MRR of the customers that wait in the match review, by currency. Reads each of these customers, so it is for few of
 * them.
 */
export async function sumToMatchByCurrency(
  tenant: Tenant,
): Promise<Pick<CurrencySum, 'currency' | 'ownCents'>[]> {
  const { rows } = await sql<Pick<CurrencySum, 'currency' | 'ownCents'>>`
    select own.key as currency, sum(own.value::bigint)::bigint as "ownCents"
      from matches m
      join customers c on c.organization_id = m.organization_id and c.id = m.customer_id
     cross join lateral jsonb_each_text(c.mrr_by_currency) as own
     where m.state = 'pending' and m.organization_id = ${tenant.organizationId}
       and m.portal_id = ${currentPortal(tenant)} and c.organization_id = ${tenant.organizationId}
     group by own.key`.execute(tenant.sql)
  return rows
}

/** How many subscriptions of one currency there are, and their MRR in it and converted. */
export type CurrencySum = { currency: string; count: number; ownCents: number; reportingCents: number }

/** The subscriptions that a list with this filter has, in each currency, up to `collectedMax` of all currencies. */
export async function sumOfFilter(tenant: Tenant, asked: SubscriptionFilter): Promise<CurrencySum[]> {
  const filter = await withRecords(tenant, 'subscription', asked)
  await readAlongIndexes(tenant)
  const { rows } = await sql<CurrencySum>`
    select currency, count(*)::bigint as count, sum(current_mrr_cents)::bigint as "ownCents",
           coalesce(sum(reporting_mrr_cents), 0)::bigint as "reportingCents"
      from (select s.currency, s.current_mrr_cents, s.reporting_mrr_cents from subscriptions s
             where ${subscriptionsOfFilter(tenant, filter)} limit ${collectedMax}) as counted
     group by currency`.execute(tenant.sql)
  return rows
}

/** The events that a list with this filter has, up to `collectedMax`. */
export async function countEventsOfFilter(tenant: Tenant, asked: EventFilter): Promise<number> {
  const filter = await withRecords(tenant, 'event', asked)
  await readAlongIndexes(tenant)
  const { rows } = await sql<{ count: number }>`
    select count(*)::bigint as count
      from (select from events e where ${eventsOfFilter(tenant, filter)} limit ${collectedMax}) as counted`.execute(
    tenant.sql,
  )
  return rows[0]?.count ?? 0
}

/** How many rows of such a list had a record that somebody deleted in the CRM, among its first `collectedMax`. */
export async function countDeletedThere(
  tenant: Tenant,
  kind: CrmKind,
  asked: SubscriptionFilter & EventFilter,
): Promise<number> {
  const filter = await withRecords(tenant, kind, asked)
  await readAlongIndexes(tenant)
  const listed =
    kind === 'event'
      ? sql`select e.id from events e where ${eventsOfFilter(tenant, filter)}`
      : sql`select s.id from subscriptions s where ${subscriptionsOfFilter(tenant, filter)}`
  // A record that we took out ourselves has no reason.
  const { rows } = await sql<{ count: number }>`
    select count(*)::bigint as count
      from (${listed} limit ${collectedMax}) as counted
     where exists (select from crm_links l
                    where l.organization_id = ${tenant.organizationId} and l.portal_id = ${currentPortal(tenant)}
                      and l.kind = ${kind} and l.source_id = counted.id and l.state = 'removed'
                      and l.error is not null)`.execute(tenant.sql)
  return rows[0]?.count ?? 0
}

/** The subscriptions of a status in each currency, from the kept totals. */
export function sumOfStatus(tenant: Tenant, status: string): Promise<CurrencySum[]> {
  return tenant.sql
    .selectFrom('list_totals')
    .select([
      'part as currency',
      sql<number>`sum(row_count)::bigint`.as('count'),
      sql<number>`sum(mrr_cents)::bigint`.as('ownCents'),
      sql<number>`sum(reporting_cents)::bigint`.as('reportingCents'),
    ])
    .where('organization_id', '=', tenant.organizationId)
    .where('list', '=', 'subscriptions')
    .where('status', '=', status)
    .groupBy('part')
    .execute()
}
