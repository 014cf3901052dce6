import type { SubscriptionListQuery } from '#contract/subscriptions.ts'
import { dayOfDate } from '#domain/instant.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { promisedSince } from '../freshness.ts'

type Asked = Pick<SubscriptionListQuery, 'renewsWithinDays' | 'isStale'>

const dayMs = 86_400_000

/**
 * A query of subscriptions as the store reads it: renewals count from today in UTC.
 */
export async function subscriptionQueryOf<Query extends Asked>(tenant: Tenant, query: Query, now: Date) {
  const { renewsWithinDays, isStale, ...rest } = query
  const day = (time: number) => dayOfDate(new Date(time))
  return {
    ...rest,
    stale: isStale === undefined ? undefined : { is: isStale, before: await promisedSince(tenant, now) },
    renews:
      renewsWithinDays === undefined
        ? undefined
        : { from: day(now.getTime()), to: day(now.getTime() + renewsWithinDays * dayMs) },
  }
}
