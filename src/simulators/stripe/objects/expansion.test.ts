import { describe, expect, test } from 'vitest'
import { ask, at, simulate } from '../testing/ask.ts'
import { smallWorld } from '../testing/small-world.ts'
import { event } from '../testing/stripe-objects.ts'
import { deliveryOf } from '../webhooks.ts'

const simulator = simulate()

describe('what the paths of an importer give', () => {
  test.each([
    ['/v1/subscriptions/sub_one', 'customer', 'customer', 'cus_one'],
    ['/v1/subscriptions/sub_one', 'default_payment_method', 'default_payment_method', 'pm_card'],
    ['/v1/subscriptions/sub_one', 'discounts', 'discounts.0', 'di_sub'],
    ['/v1/prices/price_monthly', 'product', 'product', 'prod_seats'],
    ['/v1/invoices/in_one', 'discounts', 'discounts.0', 'di_sub'],
    [
      '/v1/invoices/in_one',
      'parent.subscription_details.subscription',
      'parent.subscription_details.subscription',
      'sub_one',
    ],
    ['/v1/subscriptions/sub_many', 'items.data.price.product', 'items.data.0.price.product', 'prod_seats'],
  ])('%s with %s', async (path, expand, place, id) => {
    const plain = await ask(simulator, path)
    expect(at(plain.body, place)).toBe(id)
    const expanded = await ask(simulator, `${path}?expand[]=${expand}`)
    expect(at(expanded.body, `${place}.id`)).toBe(id)
  })

  test('four levels in a list: the coupon of a discount, the card of a customer', async () => {
    const path = '/v1/subscriptions?customer=cus_one'
    const plain = await ask(simulator, `${path}&expand[]=data.discounts`)
    expect(at(plain.body, 'data.0.discounts.0.source.coupon')).toBe('coupon_forever')
    const { body } = await ask(
      simulator,
      `${path}&expand[0]=data.discounts.source.coupon` +
        '&expand[1]=data.customer.invoice_settings.default_payment_method',
    )
    expect(at(body, 'data.0.discounts.0.source.coupon.percent_off')).toBe(20)
    expect(at(body, 'data.0.customer.invoice_settings.default_payment_method.card.last4')).toBe('4242')
  })

  test('a line of /lines gives its price, one of a list cannot', async () => {
    const lines = await ask(simulator, '/v1/invoices/in_one/lines?expand[]=data.pricing.price_details.price')
    expect(at(lines.body, 'data.0.pricing.price_details.price.id')).toBe('price_monthly')
    const deep = await ask(simulator, '/v1/invoices?expand[]=data.lines.data.pricing.price_details.price')
    expect(deep.status).toBe(400)
  })

  test('four levels: the card that paid an invoice', async () => {
    const { body } = await ask(
      simulator,
      '/v1/invoice_payments?expand[]=data.payment.payment_intent.payment_method',
    )
    expect(at(body, 'data.0.payment.payment_intent.status')).toBe('succeeded')
    expect(at(body, 'data.0.payment.payment_intent.payment_method.card.last4')).toBe('4242')
    const plain = await ask(simulator, '/v1/invoice_payments')
    expect(at(plain.body, 'data.0.payment.payment_intent')).toBe('pi_one')
  })

  test('a deleted customer comes as its stub', async () => {
    const { body } = await ask(simulator, '/v1/subscriptions/sub_ended?expand[]=customer')
    expect(body['customer']).toEqual({ id: 'cus_gone', object: 'customer', deleted: true })
  })
})

describe('fields that must be asked for', () => {
  test.each([
    ['/v1/prices/price_tiered', 'tiers', 'tiers.0.unit_amount', 500],
    ['/v1/coupons/coupon_forever', 'applies_to', 'applies_to.products.0', 'prod_seats'],
    ['/v1/invoices/in_one', 'payments', 'payments.data.0.id', 'inpay_one'],
    ['/v1/customers/cus_one', 'subscriptions', 'subscriptions.data.0.id', 'sub_one'],
  ])('%s: %s', async (path, field, place, value) => {
    expect((await ask(simulator, path)).body).not.toHaveProperty(field)
    expect(at((await ask(simulator, `${path}?expand[]=${field}`)).body, place)).toBe(value)
  })

  test('canceled subscriptions stay out of a customer', async () => {
    const { body } = await ask(simulator, '/v1/customers/cus_two?expand[]=subscriptions')
    expect(at(body, 'subscriptions.data.length')).toBe(3)
  })

  test('the world itself is not changed by answering', async () => {
    const own = simulate()
    const before = JSON.stringify(own.world)
    await ask(own, '/v1/subscriptions?status=all')
    await ask(own, '/v1/invoices?expand[]=data.customer')
    expect(JSON.stringify(own.world)).toBe(before)
  })
})

describe('what is refused', () => {
  test.each([
    ['/v1/subscriptions', 'data.items.data.price.product', 'property_expansion_max_depth', '4 levels'],
    ['/v1/subscriptions', 'customer', undefined, "'data.customer' instead"],
    ['/v1/subscriptions', 'data.status', undefined, 'cannot be expanded (data.status)'],
    ['/v1/subscriptions', 'data.metadata', undefined, 'cannot be expanded'],
    ['/v1/subscriptions', 'total_count', 'property_forbidden', 'total_count'],
    ['/v1/invoices', 'data.subscription', undefined, 'cannot be expanded'],
    ['/v1/invoices/in_one', '__proto__', undefined, 'cannot be expanded'],
  ])('%s with %s', async (path, expand, code, message) => {
    const answer = await ask(simulator, `${path}?expand[]=${expand}`)
    expect(answer.status).toBe(400)
    expect(at(answer.body, 'error.code')).toBe(code)
    expect(at(answer.body, 'error.message')).toContain(message)
  })
})

test('the object of an event holds ids and ten rows, in a list and in a delivery', async () => {
  const world = smallWorld()
  const [subscription, long] = [world.subscriptions, world.invoices].map((rows, index) =>
    rows.find(({ id }) => id === ['sub_one', 'in_many'][index]),
  )
  const events = [subscription, long].map((object, index) => ({
    ...event(`evt_${index}`, 'x.updated', Date.parse(world.as_of) / 1_000 - index),
    data: { object },
  }))
  const { body } = await ask(simulate({ world: { ...world, events } }), '/v1/events')
  const sent: unknown[] = []
  for (const one of events) sent.push(await deliveryOf(one, { url: 'http://a.test', secret: 's' }, 1).json())
  for (const [first, second] of [at(body, 'data'), sent] as unknown[][]) {
    expect(at(first, 'data.object.discounts')).toEqual(['di_sub'])
    expect([at(second, 'data.object.lines.data.length'), at(second, 'data.object.lines.has_more')]).toEqual([
      10,
      true,
    ])
  }
  expect((await ask(simulator, '/v1/events?expand[]=data.data.object')).status).toBe(400)
})
