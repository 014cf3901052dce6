import { networkOf } from '../providers/identity/network.ts'
import { Refusal } from '../refusal.ts'

/** The rate in calls per second, and how many extra calls may come at once after a pause. */
export type CallRate = { perSecond: number; atOnce: number }

/**
 * An open screen asks every two seconds. A person may have more than a hundred tabs open; a loop in a script is
 * stopped.
 */
const perUser: CallRate = { perSecond: 80, atOnce: 800 }
/** More than one person can use, so that one member cannot block the others. */
const perOrganization: CallRate = { perSecond: 240, atOnce: 2_400 }

/**
 * For callers without a session. Screens before the sign-in ask for little, and a whole office may share one
 * address.
 */
const perNetwork: CallRate = { perSecond: 40, atOnce: 400 }

/**
 * For signed deliveries to one organization. A merchant with 100,000 renewals in an hour has about 140 events a
 * second at the peak. The provider repeats refused deliveries, and polling finds those changes too.
 */
const perWebhook: CallRate = { perSecond: 200, atOnce: 6_000 }

const forgetEveryMs = 60_000

export type Caller = { userId: number; organizationId: number | null }

/** Accepts a call, or throws a refusal when the caller is too fast. */
export type CallLimit = (caller: Caller) => void
/** Does the same for callers without a session, by network address. Without an address it cannot count. */
export type StrangerLimit = (address: string | undefined) => void
/** Does the same for deliveries that an organization's signature proves. */
export type DeliveryLimit = (organizationId: number) => void

/**
 * Limits the calls of signed-in people. Each process counts for itself in memory, because a shared count would
 * make every read a write to PostgreSQL. Sign-in attempts need a shared count (providers/identity/attempts.ts).
 * `clock` gives milliseconds and never goes back.
 */
export function createCallLimit(
  clock: () => number,
  paces: { user: CallRate; organization: CallRate } = { user: perUser, organization: perOrganization },
): CallLimit {
  const users = createBuckets(paces.user, clock)
  const organizations = createBuckets(paces.organization, clock)
  return ({ userId, organizationId }) => {
    refuseIfLate(users(userId), 'you')
    if (organizationId !== null) refuseIfLate(organizations(organizationId), 'your organization')
  }
}

/** Limits the calls without a session, per network. */
export function createStrangerLimit(clock: () => number, pace: CallRate = perNetwork): StrangerLimit {
  const networks = createBuckets(pace, clock)
  return (address) => {
    if (address !== undefined) refuseIfLate(networks(networkOf(address)), 'your network')
  }
}

/** Limits proven deliveries, per organization. */
export function createDeliveryLimit(clock: () => number, pace: CallRate = perWebhook): DeliveryLimit {
  const organizations = createBuckets(pace, clock)
  return (organizationId) => refuseIfLate(organizations(organizationId), 'this webhook')
}

function refuseIfLate(waitMs: number, whom: string): void {
  if (waitMs <= 0) return
  const seconds = Math.ceil(waitMs / 1_000)
  const wait = seconds === 1 ? 'a second' : `${seconds} seconds`
  throw new Refusal(
    'rate_limited',
    `Too many requests from ${whom} at once. Wait ${wait}, then try again.`,
    seconds,
  )
}

/** Takes one call from the bucket of a key. Returns 0, or the milliseconds to wait when the bucket is empty. */
function createBuckets(
  { perSecond, atOnce }: CallRate,
  clock: () => number,
): (id: number | string) => number {
  /** When each bucket will be full again. Full buckets are not stored. */
  const fullAt = new Map<number | string, number>()
  const oneMs = 1_000 / perSecond
  let forgetAt = 0
  return (id) => {
    const now = clock()
    if (now >= forgetAt) {
      for (const [each, at] of fullAt) if (at <= now) fullAt.delete(each)
      forgetAt = now + forgetEveryMs
    }
    const next = Math.max(fullAt.get(id) ?? 0, now) + oneMs
    const waitMs = next - now - atOnce * oneMs
    if (waitMs > 0) return waitMs
    fullAt.set(id, next)
    return 0
  }
}
