import type { SubscriptionListQuery } from '#contract/subscriptions.ts'

type Asked = Pick<SubscriptionListQuery, 'renewsWithinDays' | 'status'>

const dayMs = 86_400_000

/**
 * A query of subscriptions as the store reads it. 'all' is the specified word for no status filter; renewals count from
 * today in UTC.
 */
export function subscriptionQueryOf<Query extends Asked>(query: Query, now: Date) {
  const { renewsWithinDays, status, ...rest } = query
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  return {
    ...rest,
    status: status?.includes('all') ? undefined : status,
    renews:
      renewsWithinDays === undefined
        ? undefined
        : { from: day(now.getTime()), to: day(now.getTime() + renewsWithinDays * dayMs) },
  }
}
