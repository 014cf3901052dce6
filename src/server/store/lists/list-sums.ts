// What a filtered list comes to. A sum may read every row of the filter, so a request of its own asks for it.

import { type RawBuilder, sql } from 'kysely'
import { wholeMonths } from '#domain/month.ts'
import { movements } from '#domain/movement.ts'
import { areUnsentKept } from '../crm/push-due.ts'
import type { Tenant } from '../postgres/database.ts'
import { estimateRows, preferIndexes, readAlongIndexes } from '../postgres/planner.ts'
import { type KeptPart, keptEventSums, segmentColumns, within } from '../totals/event-sums.ts'
import { eventsToSum } from './event-list.ts'
import { eventsOfCustomers, eventsWithoutText, isOfIds } from './event-search.ts'
import { isAbsent } from './filter-conditions.ts'
import {
  customersOfFilter,
  type FirstPaid,
  findFewCustomers,
  meansCustomerless,
} from './filtered-customers.ts'
import { customerIsFound, findText } from './find-text.ts'
import {
  type EventFilter,
  eventsOfFilter,
  type SubscriptionFilter,
  segmentConditions,
} from './list-filters.ts'
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

type SumQuery = EventFilter & { search: string }

/** Rows to be summed, in any order. */
type Rows = Pick<Stretch, 'from' | 'where'>

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
export async function sumEvents(tenant: Tenant, query: SumQuery): Promise<EventSum[]> {
  const parts = await sumParts(tenant, query)
  const { rows } = await sql<EventSum>`
    select currency, mrr_status as "mrrStatus", ${totals}
      from (${sql.join(parts, sql` union all `)}) as sums
     group by currency, mrr_status having sum(count) > 0 order by currency, mrr_status`.execute(tenant.sql)
  return rows
}

/** Statements whose rows add up to the sums, by the quickest way that there is for the filter. */
async function sumParts(tenant: Tenant, query: SumQuery): Promise<RawBuilder<unknown>[]> {
  return (
    (await keptSums(tenant, query)) ??
    (await sumsOfUnsent(tenant, query)) ??
    (await sumsWithoutFew(tenant, query)) ??
    (await sumsByChange(tenant, query)) ??
    (await sumsByCustomers(tenant, query)) ??
    (await sumsBySearch(tenant, query)) ?? [await readSums(tenant, query)]
  )
}

async function readSums(tenant: Tenant, query: SumQuery): Promise<RawBuilder<unknown>> {
  return sumsOf(await eventsToSum(tenant, query))
}

function sumsOf(events: readonly Rows[]): RawBuilder<unknown> {
  const amounts = amountsOf(sql`e.mrr_change_cents`, sql`e.reporting_change_cents`)
  return each(events, sql`e.currency, e.mrr_status, ${amounts}`, sql`e.currency, e.mrr_status`)
}

const less = (sums: RawBuilder<unknown>) =>
  sql`select currency, mrr_status, -count, -reporting, -apart_count, -apart from (${sums}) as left_out`

const planned = 'Planned_Cancellation'

/**
 * The sums where kept totals know them, so that no event is read but planned cancellations and those beside whole months;
 * else null.
 */
async function keptSums(tenant: Tenant, query: SumQuery): Promise<RawBuilder<unknown>[] | null> {
  const known = keptPart(query)
  if (known === null) return null
  const { mrrStatus: statuses = [] } = query
  const kept = await keptEventSums(tenant, known.part, statuses)
  if (kept === null) return null
  const sums = [kept]
  if (statuses.length === 0 || statuses.includes(planned))
    sums.push(await readSums(tenant, { ...query, mrrStatus: [planned] }))
  const moved = statuses.length === 0 ? [...movements] : statuses.filter((status) => status !== planned)
  if (moved.length > 0)
    for (const days of known.beside)
      sums.push(await readSums(tenant, { ...query, ...days, mrrStatus: moved }))
  return sums
}

/** The sums of the events without a record in the CRM, where they are kept, or of all less these; else null. */
async function sumsOfUnsent(
  tenant: Tenant,
  { isInHubspot, ...others }: SumQuery,
): Promise<RawBuilder<unknown>[] | null> {
  const { search, isFailing, isBehind } = others
  if (isInHubspot === undefined || search !== '' || ![isFailing, isBehind].every(isAbsent)) return null
  if (!(await areUnsentKept(tenant))) return null
  const kept = sql`(
    select organization_id, source_id as id, subscription_id, customer_id, occurred_at, mrr_status, currency,
           mrr_change_cents, reporting_change_cents
      from crm_unsent
     where organization_id = ${tenant.organizationId} and kind = 'event' and not has_record) as e`
  const unsent = sumsOf([{ from: kept, where: eventsOfFilter(tenant, others) }])
  if (!isInHubspot) return [unsent]
  // Read before the sums of customers make the transaction look up each row.
  const { rows } = await sql<{ parts: string }>`
    select coalesce(jsonb_agg(part), '[]')::text as parts from (${unsent}) as part`.execute(tenant.sql)
  const read = sql`select * from jsonb_to_recordset(${rows[0]?.parts}::jsonb) as part
    (currency text, mrr_status text, count bigint, reporting numeric, apart_count bigint, apart numeric)`
  return [...(await sumParts(tenant, others)), less(read)]
}

/** The sums without what is asked of records, less those of the few events that this leaves out; else null. */
async function sumsWithoutFew(
  tenant: Tenant,
  { isInHubspot, isFailing, isBehind, ...others }: SumQuery,
): Promise<RawBuilder<unknown>[] | null> {
  if ([isInHubspot, isFailing, isBehind].every(isAbsent)) return null
  const found = await withRecords(tenant, 'event', { isInHubspot, isFailing, isBehind })
  if (found.ofRecords !== undefined || found.lookUps?.length !== 0) return null
  const few = await readSums(tenant, { ...others, ofRecords: found.exceptRecords })
  return [...(await sumParts(tenant, others)), less(few)]
}

/** The sums of all events, less those of the events whose change is not meant, if these are fewer; else null. */
async function sumsByChange(
  tenant: Tenant,
  { changeFrom, changeTo, ...filter }: SumQuery,
): Promise<RawBuilder<unknown>[] | null> {
  if ([changeFrom, changeTo].every(isAbsent) || keptPart(filter) === null) return null
  const whole = await keptSums(tenant, filter)
  if (whole === null) return null
  const change = sql`e.reporting_change_cents`
  const others = [
    sql`${change} is null`,
    ...(changeFrom === undefined ? [] : [sql`${change} < ${changeFrom}::bigint`]),
    ...(changeTo === undefined ? [] : [sql`${change} > ${changeTo}::bigint`]),
  ].map((isOther) => ({
    from: sql`events e`,
    where: sql<boolean>`${eventsOfFilter(tenant, filter)} and ${isOther}`,
  }))
  const asked = eventsOfFilter(tenant, { ...filter, changeFrom, changeTo })
  const expected = await estimateRows(tenant, sql`select from events e where ${asked}`)
  const parts = others.map(({ from, where }) => sql`select from ${from} where ${where}`)
  const areFewer = (await estimateRows(tenant, sql.join(parts, sql` union all `))) < expected
  return areFewer ? [...whole, less(sumsOf(others))] : null
}

/**
 * The sums of the customers that a filter means, or of all less those of the others, if these are fewer. Along the index of
 * customers, half a million events are read as soon as few by their rows.
 */
async function sumsByCustomers(tenant: Tenant, query: SumQuery): Promise<RawBuilder<unknown>[] | null> {
  const { isMatched, firstPaidFrom, firstPaidTo, ...others } = query
  const meant = { isMatched, firstPaidFrom, firstPaidTo }
  if (Object.values(meant).every(isAbsent) || keptPart(others) === null) return null
  await readAlongIndexes(tenant)
  const { rows } = await sql<{ isMost: boolean }>`
    select count(*) filter (where ${customersOfFilter(meant)}) * 2 > count(*) as "isMost"
      from customers c where c.organization_id = ${tenant.organizationId}`.execute(tenant.sql)
  const whole = rows[0]?.isMost ? await keptSums(tenant, others) : null
  if (whole === null) return [sumsOf(eventsByCustomers(tenant, others, meant, true))]
  return [...whole, less(sumsOf(eventsByCustomers(tenant, others, meant, false)))]
}

/** Of more customers than this, a walk through all events is as quick as to look up theirs. */
const lookedUpMax = 30_000

/**
 * The sums of a search that more customers meet than are collected: of those customers, or of all less those of the others,
 * if one of these are few; else null.
 */
async function sumsBySearch(
  tenant: Tenant,
  { search, ...asked }: SumQuery,
): Promise<RawBuilder<unknown>[] | null> {
  if (search === '') return null
  const found = await findText(tenant, search, 'events')
  if (!found.isPartial) return null
  const filter = await withRecords(tenant, 'event', asked)
  const meant = await findFewCustomers(tenant, [customerIsFound(search)], lookedUpMax)
  const others = await findFewCustomers(tenant, [sql`not ${customerIsFound(search)}`], lookedUpMax)
  const areFewer = meant !== undefined && meant.length < (others?.length ?? Number.POSITIVE_INFINITY)
  if (areFewer && found.productNames.length === 0 && !(await isOfIds(tenant, found)))
    return [sumsOf([eventsOfCustomers(tenant, filter, meant)])]
  if (others === undefined) {
    await preferIndexes(tenant)
    return null
  }
  const leftOut = sumsOf(eventsWithoutText(tenant, filter, found, others))
  return [...(await sumParts(tenant, { ...asked, search: '' })), less(leftOut)]
}

/** The events of the customers that are meant, or of all others, which no customer may have either. */
function eventsByCustomers(
  tenant: Tenant,
  others: EventFilter,
  meant: FirstPaid & Pick<EventFilter, 'isMatched'>,
  areMeant: boolean,
): Rows[] {
  const those = areMeant ? customersOfFilter(meant) : sql`(${customersOfFilter(meant)}) is not true`
  const ofCustomers = {
    from: sql`customers c join events e on e.organization_id = c.organization_id and e.customer_id = c.id`,
    where: sql<boolean>`c.organization_id = ${tenant.organizationId} and ${those} and ${eventsOfFilter(tenant, others)}`,
  }
  if (areMeant !== meansCustomerless(meant)) return [ofCustomers]
  const ofNone = eventsOfFilter(tenant, { ...others, ...meant, hasCustomer: false })
  return [ofCustomers, { from: sql`events e`, where: ofNone }]
}

type Days = { from: string; to: string }

/** The part of the kept totals that a filter means, and the days beside it; null if it asks for more than they know. */
function keptPart(query: SumQuery): { part: KeptPart; beside: Days[] } | null {
  const { search, mrrStatus, from = null, to = null, ...others } = query
  const { product, plan, size, currency, interval, firstPaidFrom, firstPaidTo, ...rest } = others
  if (search !== '' || !Object.values(rest).every(isAbsent)) return null
  const isOfSegment = ![product, plan, size, interval].every(isAbsent)
  const isOfCohort = ![firstPaidFrom, firstPaidTo].every(isAbsent)
  if (isOfSegment && isOfCohort) return null
  const conditions = segmentConditions({ product, plan, size, currency, interval }, segmentColumns)
  if (!isOfSegment && !isOfCohort)
    return {
      part: { dimension: 'day', where: [...within('value', { from, to }), ...conditions] },
      beside: [],
    }
  const { months, beside } = wholeMonths({ from, to })
  if (months === null) return null
  const cohorts = within('value', { from: firstPaidFrom ?? null, to: firstPaidTo ?? null })
  const where = [...within('month', months), ...cohorts, ...conditions]
  return { part: { dimension: isOfCohort ? 'cohort' : 'segment', where }, beside }
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
  stretches: readonly Rows[],
  summed: RawBuilder<unknown>,
  by: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts = stretches.map(
    ({ from, where }) => sql`select ${summed} from ${from} where ${where} group by ${by}`,
  )
  return sql.join(parts, sql` union all `)
}
