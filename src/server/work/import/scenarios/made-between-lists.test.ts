import { afterEach, describe, expect, it } from 'vitest'
import { item, subscription } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import {
  coupon,
  customer,
  discount,
  listOf,
  price,
  product,
} from '#simulators/stripe/testing/stripe-objects.ts'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

let stage: ImportStage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const world = smallWorld()
const at = Date.parse(world.as_of) / 1000

/**
 * Imports the small account. The objects in `more` are created after these lists were read and before the
 * subscriptions are read.
 */
async function importBetween(
  lists: readonly string[],
  more: Partial<SimulatedWorld>,
  answers: Readonly<Record<string, () => Response>> = {},
): Promise<ImportStage> {
  const later: SimulatedWorld = { ...world, as_of: new Date((at + 1) * 1000).toISOString(), ...more }
  const open = new Set(lists)
  const listed = Promise.withResolvers<void>()
  let isArmed = false
  stage = await stageImport({
    world,
    around: (fetch) => async (request) => {
      if (!isArmed) return fetch(request)
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/v1/subscriptions') await listed.promise
      if (pathname in answers) return answers[pathname]?.() ?? fetch(request)
      const answer = await fetch(request)
      const list = [pathname, searchParams.get('active')].filter((part) => part !== null).join(' ')
      if (!open.has(list)) return answer
      // The simulator computes the answer while it is read.
      const text = await answer.text()
      open.delete(list)
      if (open.size === 0) stage?.simulator.setWorld(later)
      if (open.size === 0) listed.resolve()
      return new Response(text, { status: answer.status, headers: answer.headers })
    },
  })
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  isArmed = true
  expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed' })
  isArmed = false
  return stage
}

type Named = { customer?: string; product?: string; coupon?: string }

/** A new subscription on a new price, and the objects that it names. */
function withNew(named: Named): Partial<SimulatedWorld> {
  const { customer: customerId, product: productId, coupon: couponId } = named
  const seat = price('price_new', { product: productId ?? 'prod_seats', created: at })
  const given = { subscription: 'sub_new', source: { type: 'coupon', coupon: couponId }, start: at }
  const made = subscription('sub_new', {
    ...{ customer: customerId ?? 'cus_one', created: at },
    discounts: couponId === undefined ? [] : [discount('di_new', given)],
    items: listOf('/v1/subscription_items?subscription=sub_new', [
      item('si_new', 'sub_new', { created: at, price: seat }),
    ]),
  })
  const applies_to = { products: ['prod_seats'] }
  return {
    customers: [...world.customers, customer('cus_new', { created: at, name: 'Harbour Nine' })],
    products: [...world.products, product('prod_new', { created: at })],
    prices: [...world.prices, seat],
    coupons: [...world.coupons, coupon('coupon_new', { created: at, percent_off: 50, applies_to })],
    subscriptions: [...world.subscriptions, made],
  }
}

describe('an import in which a subscription comes to be after the list of what it names has ended', () => {
  it.each([
    ['customer', ['/v1/customers'], { customer: 'cus_new' }],
    ['product', ['/v1/products', '/v1/prices true', '/v1/prices false'], { product: 'prod_new' }],
    ['coupon', ['/v1/products', '/v1/coupons'], { coupon: 'coupon_new' }],
  ])('is that of one begun later: a %s', async (kind, lists, named) => {
    const here = await importBetween(lists, withNew(named))
    const fresh = await here.another('Fresh')
    await fresh.importAll()
    const [dump, whole] = [await here.dump(), await fresh.dump()]
    for (const table of [`${kind}s`, 'subscriptions']) expect(dump[table], table).toEqual(whole[table])
    expect(JSON.stringify(dump[`${kind}s`])).toContain(Object.values(named).join())
  })

  it('counts what Stripe refuses to give as an error, and ends', async () => {
    const message = 'Unrecognized request URL'
    const here = await importBetween(['/v1/coupons'], withNew({ coupon: 'coupon_new' }), {
      '/v1/coupons/coupon_new': () =>
        Response.json({ error: { type: 'invalid_request_error', message } }, { status: 404 }),
    })
    const errors = await query(here.db.ownerUrl, 'select source_id from run_errors')
    expect(errors).toEqual([{ source_id: 'coupon_new' }])
  })
})

it('a subscription that is canceled while the list of the others is being read is met among those that have ended', async () => {
  const ended = { status: 'canceled', canceled_at: at, ended_at: at }
  const later: SimulatedWorld = {
    ...world,
    as_of: new Date((at + 1) * 1000).toISOString(),
    subscriptions: world.subscriptions.map((one) => (one.id === 'sub_one' ? { ...one, ...ended } : one)),
  }
  const lists: (string | null)[] = []
  let isArmed = false
  stage = await stageImport({
    world,
    around: (fetch) => async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (!isArmed || pathname !== '/v1/subscriptions') return fetch(request)
      const status = searchParams.get('status')
      if (status === null) {
        // Long enough for everything that does not wait for this list.
        await new Promise((next) => setTimeout(next, 300))
        stage?.simulator.setWorld(later)
      }
      lists.push(status)
      return fetch(request)
    },
  })
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  isArmed = true
  expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed' })
  expect(lists.indexOf('ended')).toBeGreaterThan(lists.lastIndexOf(null))
  const kept = await query(stage.db.ownerUrl, "select status from subscriptions where id = 'sub_one'")
  expect(kept).toEqual([{ status: 'canceled' }])
})
