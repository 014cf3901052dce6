// What a filtered list comes to. A sum may read every row of the filter, so a request of its own asks for it.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { type KeptPart, keptEventSums } from '../totals/event-sums.ts'
import { wholeEvents } from './event-list.ts'
import { type EventFilter, isAbsent, type SubscriptionFilter } from './list-filters.ts'
import { withRecords } from './of-record.ts'
import type { Stretch } from './page.ts'
import { wholeSubscriptions } from './subscription-list.ts'

/**
 * What rows of one currency come to: in minor units of the reporting currency, and in their own where no rate is known.
 */
type Sum = {
  currency: string
  count: number
  reportingCents: number
  unconvertedCount: number
  unconvertedCents: number
}

/** Also in minor units of its own currency, whatever the rates. */
export type SubscriptionSum = Sum & { ownCents: number }

export type EventSum = Sum & { mrrStatus: string }

/** The MRR of the subscriptions that meet search and filters, by currency. */
export async function sumSubscriptions(
  tenant: Tenant,
  query: SubscriptionFilter & { search: string },
): Promise<SubscriptionSum[]> {
  const stretches = await wholeSubscriptions(tenant, { ...query, sort: 'updatedAt', order: 'desc' })
  const amounts = amountsOf(sql`s.current_mrr_cents`, sql`s.reporting_mrr_cents`)
  const { rows } = await sql<SubscriptionSum>`
    select currency, ${totals}, coalesce(sum(own), 0)::bigint as "ownCents"
      from (${each(stretches, sql`s.currency, ${amounts}, sum(s.current_mrr_cents) as own`, sql`s.currency`)}) as sums
     group by currency order by currency`.execute(tenant.sql)
  return rows
}

/** The changes of MRR of the events that meet search and filters, by currency and kind. */
export async function sumEvents(
  tenant: Tenant,
  query: EventFilter & { search: string },
): Promise<EventSum[]> {
  const parts = (await keptSums(tenant, query)) ??
    (await sumsWithoutFew(tenant, query)) ?? [await readSums(tenant, query)]
  const { rows } = await sql<EventSum>`
    select currency, mrr_status as "mrrStatus", ${totals}
      from (${sql.join(parts, sql` union all `)}) as sums
     group by currency, mrr_status having sum(count) > 0 order by currency, mrr_status`.execute(tenant.sql)
  return rows
}

async function readSums(
  tenant: Tenant,
  query: EventFilter & { search: string },
): Promise<RawBuilder<unknown>> {
  const stretches = await wholeEvents(tenant, query)
  const amounts = amountsOf(sql`e.mrr_change_cents`, sql`e.reporting_change_cents`)
  return each(stretches, sql`e.currency, e.mrr_status, ${amounts}`, sql`e.currency, e.mrr_status`)
}

const planned = 'Planned_Cancellation'

/** The sums where kept totals know them, so that no event is read but planned cancellations; else null. */
async function keptSums(
  tenant: Tenant,
  query: EventFilter & { search: string },
): Promise<RawBuilder<unknown>[] | null> {
  const part = keptPart(query)
  if (part === null) return null
  const { mrrStatus: statuses = [] } = query
  const kept = await keptEventSums(tenant, part, statuses)
  if (kept === null) return null
  const hasPlanned = statuses.length === 0 || statuses.includes(planned)
  return hasPlanned ? [kept, await readSums(tenant, { ...query, mrrStatus: [planned] })] : [kept]
}

/** The kept sums less those of the few events that what is asked of records leaves out; else null. */
async function sumsWithoutFew(
  tenant: Tenant,
  { isInHubspot, isFailing, ...others }: EventFilter & { search: string },
): Promise<RawBuilder<unknown>[] | null> {
  if (isInHubspot === undefined && isFailing === undefined) return null
  const found = await withRecords(tenant, 'event', { isInHubspot, isFailing })
  if (found.ofRecords !== undefined || found.lookUps?.length !== 0) return null
  const whole = await keptSums(tenant, others)
  if (whole === null) return null
  const few = await readSums(tenant, { ...others, ofRecords: found.exceptRecords })
  return [
    ...whole,
    sql`select currency, mrr_status, -count, -reporting, -apart_count, -apart from (${few}) as few`,
  ]
}

/** The part of the kept totals that a filter means; null if the filter means no such part, or several. */
function keptPart({
  search,
  mrrStatus,
  from,
  to,
  ...others
}: EventFilter & { search: string }): KeptPart | null {
  const given = Object.entries(others).filter(([, value]) => !isAbsent(value))
  if (search !== '' || given.length > 1) return null
  const hasDays = from !== undefined || to !== undefined
  const [filter] = given
  if (filter === undefined) return { days: { from, to } }
  const [dimension, values] = filter
  if (hasDays || !isKept(dimension) || !Array.isArray(values)) return null
  const texts = values.map((value) => (value === null ? '' : String(value)))
  return texts.includes('') ? null : { dimension, values: texts }
}

function isKept(name: string): name is 'product' | 'plan' | 'size' | 'interval' {
  return ['product', 'plan', 'size', 'interval'].includes(name)
}

function amountsOf(own: RawBuilder<unknown>, reporting: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`count(*) as count, sum(${reporting}) as reporting,
    count(*) filter (where ${reporting} is null) as apart_count,
    sum(${own}) filter (where ${reporting} is null) as apart`
}

const totals = sql`sum(count)::bigint as count, coalesce(sum(reporting), 0)::bigint as "reportingCents",
  sum(apart_count)::bigint as "unconvertedCount", coalesce(sum(apart), 0)::bigint as "unconvertedCents"`

/** The stretches of a list share no row. */
function each(
  stretches: readonly Stretch[],
  summed: RawBuilder<unknown>,
  by: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts = stretches.map(
    ({ from, where }) => sql`select ${summed} from ${from} where ${where} group by ${by}`,
  )
  return sql.join(parts, sql` union all `)
}
