import { networkOf } from '../providers/identity/network.ts'
import { Refusal } from '../refusal.ts'

/** So many calls a second without end, and so many more at once after a rest. */
export type CallRate = { perSecond: number; atOnce: number }

/** An open screen asks every two seconds: a hundred and more tabs of one person go on, a loop in a script does not. */
const perUser: CallRate = { perSecond: 80, atOnce: 800 }
/** More than one person can ask for, so that none of them shuts the others out. */
const perOrganization: CallRate = { perSecond: 240, atOnce: 2_400 }

/** Nobody who is signed in: a screen before the sign-in asks for little, and an office shares one address. */
const perNetwork: CallRate = { perSecond: 40, atOnce: 400 }

/**
 * Signed deliveries to one organization's webhook address. A merchant with 100,000 renewals in an hour has some 140
 * events a second at its peak; what comes faster is sent again by the provider, and polling finds it too.
 */
const perWebhook: CallRate = { perSecond: 200, atOnce: 6_000 }

const forgetEveryMs = 60_000

export type Caller = { userId: number; organizationId: number | null }

/** Lets a call through, or throws the refusal of whoever asks too fast. */
export type CallLimit = (caller: Caller) => void
/** The same for a caller who is not signed in, by the network address; without one there is nothing to count by. */
export type StrangerLimit = (address: string | undefined) => void
/** The same for deliveries of a provider that are proven to be an organization's. */
export type DeliveryLimit = (organizationId: number) => void

/**
 * The limit on all calls of people who are signed in. It protects this process from a flood, so each process counts for
 * itself and in memory: in PostgreSQL every read would become a write of one row that everybody waits for, and the limit
 * would cost more than most of what it limits. What must hold over all processes, attempts to sign in, is counted there
 * (providers/identity/attempts.ts).
 *
 * `clock` gives milliseconds that never go back.
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

/** The limit on calls of people who are not signed in, for each network that they come from. */
export function createStrangerLimit(clock: () => number, pace: CallRate = perNetwork): StrangerLimit {
  const networks = createBuckets(pace, clock)
  return (address) => {
    if (address !== undefined) refuseIfLate(networks(networkOf(address)), 'your network')
  }
}

/** The limit on proven deliveries, for each organization. */
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

/** Takes one call from the bucket of a key; answers 0, or the milliseconds to wait where it is empty. */
function createBuckets(
  { perSecond, atOnce }: CallRate,
  clock: () => number,
): (id: number | string) => number {
  /** When each bucket will be full again. One that is full is not kept. */
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
