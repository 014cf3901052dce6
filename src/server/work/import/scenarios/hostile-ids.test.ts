import { createHash } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { invoice, item, subscription } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import {
  coupon,
  customer,
  event,
  invoicePayment,
  listOf,
  price,
  product,
} from '#simulators/stripe/testing/stripe-objects.ts'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'

let stage: ImportStage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const world = smallWorld()
const begunAt = Date.parse(world.as_of) / 1000
/** Text that PostgreSQL cannot compress, longer than a row of an index. */
const endless = Array.from({ length: 60 }, (_, index) =>
  createHash('sha256').update(String(index)).digest('hex'),
).join('')

/** The small account with one more object of each kind whose id ends like this. */
function withIds(end: string): SimulatedWorld {
  const of = (prefix: string) => `${prefix}_${end}`
  const seat = price(of('price'), { product: of('prod') })
  const items = listOf('/v1/subscription_items', [item(of('si'), of('sub'), { price: seat })])
  return {
    ...world,
    customers: [...world.customers, customer(of('cus'))],
    products: [...world.products, product(of('prod'))],
    prices: [...world.prices, seat],
    coupons: [...world.coupons, coupon(of('coupon'))],
    subscriptions: [...world.subscriptions, subscription(of('sub'), { customer: of('cus'), items })],
    invoices: [...world.invoices, invoice(of('in'), { customer: of('cus') })],
    invoice_payments: [...world.invoice_payments, invoicePayment(of('inpay'), { invoice: of('in') })],
  }
}

it.each([
  ['a NUL', 'a\0b', 1],
  ['half a character', 'a\ud800', 1],
  ['the name of a prototype', '__proto__', 1],
  ['SQL', "a'; drop table customers; --", 1],
  ['no end', endless, 0],
])('an id with %s stops no import', async (_, end, more) => {
  const begun = withIds(end)
  stage = await stageImport({ world: begun, pageSize: 2 })
  expect(await stage.importAll()).toMatchObject({ status: 'completed', error: null })
  const at = begunAt + 60
  const named = event('evt_named', 'customer.updated', at)
  stage.simulator.setWorld({
    ...begun,
    as_of: new Date((at + 30) * 1000).toISOString(),
    events: [...(world.events ?? []), { ...named, data: { object: customer(`cus_${end}`) } }],
  })
  const [from, until] = [new Date(begunAt * 1000), new Date((at + 30) * 1000)]
  for (const request of [{ mode: 'window', from, until } as const, { mode: 'historical' } as const])
    expect(await stage.work(await stage.start(request))).toMatchObject({ status: 'completed', error: null })
  for (const table of ['customers', 'subscriptions', 'invoices'] as const) {
    const kept = await query<{ id: string }>(stage.db.ownerUrl, `select id from ${table}`)
    expect(kept.length, table).toBe(world[table].length + more)
  }
})
