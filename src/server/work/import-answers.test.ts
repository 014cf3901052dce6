import { expect, it } from 'vitest'
import { findRoute } from '#simulators/stripe/routes.ts'
import {
  eventTypesInSpec,
  specIsThere,
  validateAgainstSpec,
  validateErrorAgainstSpec,
} from '#simulators/stripe/testing/spec.ts'
import { run } from '#test/database.ts'
import { stageImport } from './import/test-support.ts'
import { goldenWorld } from './import/testing/golden-world.ts'
import { lastHour } from './import/testing/moving-account.ts'

it.skipIf(!specIsThere)('every answer that an import reads has the shape of Stripe’s document', async () => {
  const faults: string[] = []
  const asked = new Set<string>()
  const world = goldenWorld(40)
  const stage = await stageImport({
    world,
    pageSize: 40,
    around: (fetch) => async (request) => {
      const answer = await fetch(request)
      const path = findRoute(new URL(request.url).pathname)?.route.path.replace(':id', '{id}') ?? 'unknown'
      asked.add(path)
      const body: unknown = await answer.clone().json()
      const found = answer.ok ? validateAgainstSpec(path, body) : validateErrorAgainstSpec(body)
      if (!answer.ok) faults.push(`${request.url}: ${answer.status}`)
      faults.push(...found.map((fault) => `${request.url}${fault}`))
      return answer
    },
  })
  try {
    await stage.importAll()
    // Everything named by an event since then is fetched by its id.
    const backTo = new Date(Date.parse(world.as_of) - 20 * 24 * 3600 * 1000)
    await run(stage.db.ownerUrl, 'update payment_mirrors set events_until = $1, refreshed_at = $1', [backTo])
    await stage.work(await stage.start(lastHour(Date.parse(world.as_of) / 1000)))
    expect(faults).toEqual([])
    expect([...asked].sort()).toEqual([
      '/v1/account',
      '/v1/coupons',
      '/v1/coupons/{id}',
      '/v1/customers',
      '/v1/customers/{id}',
      '/v1/events',
      '/v1/invoice_payments',
      '/v1/invoices',
      '/v1/invoices/{id}',
      '/v1/invoices/{id}/lines',
      '/v1/payment_methods',
      '/v1/prices',
      '/v1/prices/{id}',
      '/v1/products',
      '/v1/products/{id}',
      '/v1/subscription_items',
      '/v1/subscriptions',
      '/v1/subscriptions/{id}',
      '/v1/test_helpers/test_clocks',
    ])
  } finally {
    await stage.close()
  }
})

/** Events that leave everything as it was that is kept here, or name nothing that could be fetched. */
const silent = new Set([
  'customer.subscription.trial_will_end',
  'customer.subscription.pending_update_expired',
  'invoice.finalization_failed',
  'invoice.overpaid',
  'invoice.payment_action_required',
  'invoice.payment_attempt_required',
  'invoice.sent',
  'invoice.upcoming',
  'invoice.will_be_due',
  // What was deleted stands on invoices and subscriptions all the same.
  'coupon.deleted',
  'product.deleted',
])

it.skipIf(!specIsThere)(
  'every event that changes what is kept is asked for, at most twenty types at once',
  async () => {
    const asked: string[][] = []
    const stage = await stageImport({
      world: goldenWorld(4),
      around: (fetch) => (request) => {
        const url = new URL(request.url)
        const types = [...url.searchParams]
          .filter(([name]) => name.startsWith('types'))
          .map(([, type]) => type)
        if (url.pathname === '/v1/events' && types.length > 0) asked.push(types)
        return fetch(request)
      },
    })
    try {
      await stage.importAll()
      await stage.work(await stage.start(lastHour(Date.parse(stage.simulator.world.as_of) / 1000)))
      const kinds = [
        'Customer',
        'Discount',
        'Subscription',
        'Product',
        'Price',
        'Coupon',
        'Invoice',
        'InvoicePayment',
      ]
      const needed = kinds.flatMap(eventTypesInSpec).filter((type) => !silent.has(type))
      expect(needed.length).toBeGreaterThan(25)
      expect(needed.filter((type) => !asked.flat().includes(type))).toEqual([])
      expect(Math.max(...asked.map((types) => types.length))).toBeLessThanOrEqual(20)
    } finally {
      await stage.close()
    }
  },
)
