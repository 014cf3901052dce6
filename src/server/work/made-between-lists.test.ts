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
import type { World } from '#simulators/stripe/world.ts'
import { connectPayments } from './connect-payments.ts'
import { demoKey, type ImportStage, stageImport } from './import/test-support.ts'

let stage: ImportStage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const world = smallWorld()
const at = Date.parse(world.as_of) / 1000

/** Imports the small account, in which `more` comes to be after these lists were read and before the subscriptions are. */
async function importBetween(lists: readonly string[], more: Partial<World>): Promise<ImportStage> {
  const later: World = { ...world, as_of: new Date((at + 1) * 1000).toISOString(), ...more }
  const open = new Set(lists)
  const listed = Promise.withResolvers<void>()
  let isArmed = false
  stage = await stageImport({
    world,
    around: (fetch) => async (request) => {
      if (!isArmed) return fetch(request)
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/v1/subscriptions') await listed.promise
      const answer = await fetch(request)
      const list = [pathname, searchParams.get('active')].filter((part) => part !== null).join(' ')
      if (!open.has(list)) return answer
      // The answer is made as it is read.
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

describe('an import in which a subscription comes to be after the list of what it names has ended', () => {
  it.each([
    ['customer', ['/v1/customers'], { customer: 'cus_new' }],
    ['product', ['/v1/products', '/v1/prices true', '/v1/prices false'], { product: 'prod_new' }],
    ['coupon', ['/v1/products', '/v1/coupons'], { coupon: 'coupon_new' }],
  ])('is that of one begun later: a %s', async (kind, lists, named) => {
    const ids = { customer: 'cus_one', product: 'prod_seats', coupon: 'coupon_known', ...named }
    const seat = price('price_new', { product: ids.product, created: at })
    const given = { subscription: 'sub_new', source: { type: 'coupon', coupon: ids.coupon }, start: at }
    const made = subscription('sub_new', {
      ...{ customer: ids.customer, created: at },
      discounts: 'coupon' in named ? [discount('di_new', given)] : [],
      items: listOf('/v1/subscription_items?subscription=sub_new', [
        item('si_new', 'sub_new', { created: at, price: seat }),
      ]),
    })
    const applies_to = { products: ['prod_seats'] }
    const here = await importBetween(lists, {
      customers: [...world.customers, customer('cus_new', { created: at, name: 'Harbour Nine' })],
      products: [...world.products, product('prod_new', { created: at })],
      prices: [...world.prices, seat],
      coupons: [...world.coupons, coupon('coupon_new', { created: at, percent_off: 50, applies_to })],
      subscriptions: [...world.subscriptions, made],
    })
    const fresh = await here.another('Fresh')
    await fresh.importAll()
    const [dump, whole] = [await here.dump(), await fresh.dump()]
    for (const table of [`${kind}s`, 'subscriptions']) expect(dump[table], table).toEqual(whole[table])
    expect(JSON.stringify(dump[`${kind}s`])).toContain(Object.values(named).join())
  })
})
