import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRateLimits } from '#server/store/connections/rate-limits.ts'
import { openDatabase } from '#server/store/postgres/database.ts'
import {
  liveModeLimits,
  type SimulatedRateLimits,
  testModeLimits,
} from '#simulators/stripe/requests/rate-limit.ts'
import { simulate } from '#simulators/stripe/testing/ask.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { sendBy } from '#test/providers/send-by.ts'
import { createQuietClock } from '#test/quiet-clock.ts'
import { createSharedClock } from '#test/shared-clock.ts'
import type { PaymentsKind, PaymentsReader } from '../payments.ts'
import { createStripePayments } from './create-stripe-payments.ts'

let db: TestDatabase
let otherPool: TestDatabase['database']
beforeAll(async () => {
  db = await newDatabase()
  otherPool = openDatabase({ url: db.url, poolSize: 5, statementTimeoutMs: 30_000, onError: () => {} })
})
afterAll(async () => {
  await otherPool.destroy()
  await db.close()
})

const lists: PaymentsKind[] = ['invoices', 'customers', 'invoices', 'subscriptions', 'invoices', 'products']
const oneOfEach: PaymentsKind[] = [
  ...(['products', 'prices_active', 'coupons', 'customers', 'subscriptions'] as const),
  ...(['invoices', 'invoice_payments'] as const),
]
const simulatedAccount = 'acct_1Small'
const testKey = 'sk_test_tributary_demo'
const liveKey = 'sk_live_tributary_demo'
let organizations = 0

/** The share of Stripe's limit that we use. */
function shareOf(
  { globalPerSecond, endpointPerSecond }: SimulatedRateLimits,
  share: number,
): SimulatedRateLimits {
  return { globalPerSecond: globalPerSecond * share, endpointPerSecond: endpointPerSecond * share }
}

/** Reads the first page of a list with all that its records lack, so that no request outlives its test. */
async function readWhole(account: PaymentsReader, kind: PaymentsKind): Promise<void> {
  const { rest } = await account.listPage(kind, { after: null })
  await rest?.whole
}

/** Two worker processes that read this many pages of one account's lists at the same time. */
async function readTogether(limits: SimulatedRateLimits, pages: number, kinds = lists, key = testKey) {
  const clock = createSharedClock(2 * kinds.length)
  const simulator = simulate({ limits, clock: () => clock.ms })
  const organizationId = ++organizations
  const sentAt: number[] = []
  const readers = [db.database, otherPool].map((pool) =>
    createStripePayments({
      send: sendBy((request) => {
        sentAt.push(clock.ms)
        // The simulated account has no live key.
        const headers = new Headers(request.headers)
        headers.set('authorization', `Bearer ${testKey}`)
        return simulator.fetch(new Request(request.url, { headers }))
      }),
      apiUrl: 'http://stripe.test',
      now: clock.now,
      sleep: clock.sleep,
      paces: createRateLimits(pool, clock.now),
    }).open(key, { organizationId }),
  )
  await Promise.all(
    readers.flatMap((reader) =>
      kinds.map(async (kind) => {
        try {
          for (let page = 0; page < pages; page += 1) await readWhole(reader, kind)
        } finally {
          clock.leave()
        }
      }),
    ),
  )
  const seconds = (Math.max(...sentAt) - Math.min(...sentAt)) / 1_000
  return { counters: simulator.requests.counters, perSecond: sentAt.length / seconds }
}

describe('two processes that read one account', () => {
  it('stay together below 80 % of what Stripe takes', async () => {
    const { counters, perSecond } = await readTogether(shareOf(testModeLimits, 0.8), 15)
    expect(Object.keys(counters.byStatus)).toEqual(['200'])
    expect(perSecond).toBeGreaterThan(15)
  })

  it('stay below 80 % of what it takes of a live key, over all and of each list, and come near it', async () => {
    const limits = shareOf(liveModeLimits, 0.8)
    const all = await readTogether(limits, 15, oneOfEach, liveKey)
    expect(Object.keys(all.counters.byStatus)).toEqual(['200'])
    expect(all.perSecond).toBeGreaterThan(50)
    const one = await readTogether(limits, 15, ['invoices', 'invoices', 'invoices'], liveKey)
    expect(Object.keys(one.counters.byStatus)).toEqual(['200'])
    expect(one.perSecond).toBeGreaterThan(15)
  })

  it('learn together how little is left of it, and lose no page', async () => {
    const { counters } = await readTogether({ globalPerSecond: 6, endpointPerSecond: 3 }, 10)
    expect(counters.byStatus['200']).toBeGreaterThanOrEqual(2 * lists.length * 10)
    expect(counters.byStatus['429'] ?? 0).toBeGreaterThan(0)
    expect(counters.byStatus['429'] ?? 0).toBeLessThan(0.2 * counters.total)
  })
})

describe('a key that is checked while its account is being imported', () => {
  const most = 0.8 * testModeLimits.globalPerSecond

  /** Checks keys in separate processes during an import; returns the largest number of requests in any second. */
  async function checkBesideImport(checks: { organizationId: number }[]) {
    const clock = createQuietClock()
    const simulator = simulate({ limits: null })
    const sentAt: number[] = []
    const portOn = (pool: TestDatabase['database']) => {
      const paces = createRateLimits(pool, clock.now)
      return createStripePayments({
        send: sendBy((request) => {
          sentAt.push(clock.ms)
          return clock.hold(simulator.fetch(request))
        }),
        apiUrl: 'http://stripe.test',
        now: clock.now,
        sleep: clock.sleep,
        paces: { ...paces, take: (lane, budget) => clock.hold(paces.take(lane, budget)) },
      })
    }
    const organizationId = ++organizations
    const importing = portOn(db.database).open(testKey, { organizationId, accountId: simulatedAccount })
    const imported = lists.map(async (kind) => {
      for (let page = 0; page < 12; page += 1) await readWhole(importing, kind)
    })
    const checked = checks.map(async (scope) => {
      // Starts only when the import has reached its full rate.
      await clock.sleep(500)
      await portOn(otherPool)
        .open(testKey, { ...scope, isPersonWaiting: true })
        .check()
    })
    await clock.passUntil(Promise.all([...imported, ...checked]))
    return Math.max(...sentAt.map((at) => sentAt.filter((one) => one >= at && one < at + 1_000).length))
  }

  it('draws on the budget of the import, whoever checks it', async () => {
    expect(await checkBesideImport([{ organizationId: ++organizations }])).toBeLessThanOrEqual(most)
  })
})

it('a process takes two places at a time, however many lists begin together', async () => {
  const simulator = simulate({})
  let [beside, most] = [0, 0]
  const paces = {
    take: async () => {
      beside += 1
      most = Math.max(most, beside)
      await new Promise((next) => setImmediate(next))
      beside -= 1
      return { waitMs: 0, isTaken: true }
    },
    pause: async () => {},
    slowDown: async () => {},
  }
  const reader = createStripePayments({
    send: sendBy((request) => simulator.fetch(request)),
    apiUrl: 'http://stripe.test',
    now: () => new Date(),
    sleep: async () => {},
    paces,
  }).open(testKey, { organizationId: ++organizations })
  await Promise.all(oneOfEach.map((kind) => readWhole(reader, kind)))
  expect(most).toBe(2)
})
