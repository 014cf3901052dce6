import type { EventFilter, SubscriptionFilter } from '#server/store/lists/list-filters.ts'
import type { PlainRow } from './plain-rows.ts'

/** Whether a row meets a filter, apart from its status. */
export function meets(
  row: PlainRow,
  filter: Omit<SubscriptionFilter & EventFilter, 'subscriptionId' | 'status' | 'mrrStatus'>,
) {
  const of = <Value>(value: Value, wanted: readonly Value[] | undefined) =>
    wanted === undefined || wanted.length === 0 || wanted.includes(value)
  const isOfSegment = [filter.product, filter.plan, filter.size, filter.interval].some(
    (values) => values?.length,
  )
  return (
    (row.isOfSubscription || !isOfSegment) &&
    of(row.product, filter.product) &&
    of(row.plan, filter.plan) &&
    of(row.size, filter.size) &&
    of(row.currency, filter.currency) &&
    of(row.interval, filter.interval) &&
    (filter.isMatched === undefined || row.isMatched === filter.isMatched) &&
    (filter.customerId === undefined || row.customerId === filter.customerId) &&
    (filter.isInHubspot === undefined || row.isInHubspot === filter.isInHubspot) &&
    (filter.isFailing === undefined || row.isFailing === filter.isFailing) &&
    (filter.isBehind === undefined || row.isBehind === filter.isBehind) &&
    (filter.isCanceling === undefined || row.isCanceling === filter.isCanceling) &&
    (filter.stale === undefined || row.isStale === filter.stale.is) &&
    (filter.firstPaidFrom === undefined || (row.firstPaid ?? '') >= filter.firstPaidFrom) &&
    (filter.firstPaidTo === undefined || (row.firstPaid ?? '9') <= filter.firstPaidTo) &&
    isOnDays(row, filter) &&
    isWithin(row.reporting, filter.mrrFrom, filter.mrrTo) &&
    isWithin(row.reporting, filter.changeFrom, filter.changeTo) &&
    (filter.renews === undefined ||
      (row.renewsOn !== null && row.renewsOn >= filter.renews.from && row.renewsOn <= filter.renews.to))
  )
}

/** Whether a row is of some days, both included. */
export const isOnDays = (
  { at }: PlainRow,
  { from, to }: { from?: string | undefined; to?: string | undefined },
) => (from === undefined || at >= from) && (to === undefined || at <= to)

/** Whether an amount lies between the ends; one without a rate lies between none. */
const isWithin = (amount: number | null, from: number | undefined, to: number | undefined) =>
  (from === undefined || (amount !== null && amount >= from)) &&
  (to === undefined || (amount !== null && amount <= to))

/** What rows come to, by a key of theirs. */
export function sumsOf(rows: PlainRow[], keyOf: (row: PlainRow) => string) {
  const sum = (values: number[]) => values.reduce((so, value) => so + value, 0)
  return [...Map.groupBy(rows, keyOf)]
    .map(([key, each]) => {
      const apart = each.filter(({ reporting }) => reporting === null)
      return {
        key,
        count: each.length,
        reportingCents: sum(each.map(({ reporting }) => reporting ?? 0)),
        unconvertedCount: apart.length,
        unconvertedCents: sum(apart.map(({ cents }) => cents)),
      }
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}
