import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/store/database.ts'
import { createPaces } from '#server/store/paces.ts'
import type { RateLimits } from '#simulators/stripe/rate-limit.ts'
import { simulate } from '#simulators/stripe/testing/ask.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { createSharedClock } from '#test/shared-clock.ts'
import type { PaymentsKind } from '../payments.ts'
import { sendBy } from '../testing/send-by.ts'
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
let organizations = 0

/** Two worker processes that read the lists of one account beside each other, so many pages each. */
async function readTogether(limits: RateLimits, pages: number) {
  const clock = createSharedClock(2 * lists.length)
  const simulator = simulate({ limits, clock: () => clock.ms })
  const organizationId = ++organizations
  const sentAt: number[] = []
  const readers = [db.database, otherPool].map((pool) =>
    createStripePayments({
      send: sendBy((request) => {
        sentAt.push(clock.ms)
        return simulator.fetch(request)
      }),
      apiUrl: 'http://stripe.test',
      now: clock.now,
      sleep: clock.sleep,
      paces: createPaces(pool, clock.now),
    }).open('sk_test_tributary_demo', { organizationId }),
  )
  await Promise.all(
    readers.flatMap((reader) =>
      lists.map(async (kind) => {
        try {
          for (let page = 0; page < pages; page += 1) {
            const { rest } = await reader.listPage(kind, { after: null })
            await rest?.whole
          }
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
    const { counters, perSecond } = await readTogether({ globalPerSecond: 20, endpointPerSecond: 20 }, 15)
    expect(Object.keys(counters.byStatus)).toEqual(['200'])
    expect(perSecond).toBeGreaterThan(15)
  })

  it('learn together how little is left of it, and lose no page', async () => {
    const { counters } = await readTogether({ globalPerSecond: 6, endpointPerSecond: 3 }, 10)
    expect(counters.byStatus['200']).toBeGreaterThanOrEqual(2 * lists.length * 10)
    expect(counters.byStatus['429'] ?? 0).toBeGreaterThan(0)
    expect(counters.byStatus['429'] ?? 0).toBeLessThan(0.2 * counters.total)
  })
})
