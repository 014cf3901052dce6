import { describe, expect, test } from 'vitest'
import { routes } from './routes.ts'
import { ask, at, simulate } from './testing/ask.ts'
import { queryParametersInSpec, specIsThere, validateAgainstSpec, wordsInSpec } from './testing/spec.ts'

const simulator = simulate()

/** The requested path, and the path in Stripe's document that describes its answer. */
const cases: readonly (readonly [string, string])[] = [
  ['/v1/account', '/v1/account'],
  ['/v1/customers', '/v1/customers'],
  ['/v1/customers/cus_one', '/v1/customers/{id}'],
  ['/v1/customers/cus_gone', '/v1/customers/{id}'],
  ['/v1/customers/cus_two?expand[]=subscriptions', '/v1/customers/{id}'],
  ['/v1/subscriptions?status=all', '/v1/subscriptions'],
  [
    '/v1/subscriptions?status=all&expand[]=data.discounts.source.coupon&expand[]=data.default_payment_method' +
      '&expand[]=data.customer.invoice_settings.default_payment_method&expand[]=data.items.data.discounts',
    '/v1/subscriptions',
  ],
  ['/v1/subscriptions/sub_many?expand[]=items.data.price.tiers', '/v1/subscriptions/{id}'],
  ['/v1/subscription_items?subscription=sub_many', '/v1/subscription_items'],
  ['/v1/products', '/v1/products'],
  ['/v1/products/prod_old', '/v1/products/{id}'],
  ['/v1/prices', '/v1/prices'],
  ['/v1/prices?active=true&expand[]=data.product&expand[]=data.tiers', '/v1/prices'],
  ['/v1/prices/price_inline', '/v1/prices/{id}'],
  ['/v1/coupons', '/v1/coupons'],
  ['/v1/coupons/coupon_forever?expand[]=applies_to', '/v1/coupons/{id}'],
  ['/v1/invoices', '/v1/invoices'],
  ['/v1/invoices?expand[]=data.discounts.source.coupon&expand[]=data.payments.data', '/v1/invoices'],
  ['/v1/invoices/in_loose', '/v1/invoices/{id}'],
  ['/v1/invoices/in_many/lines?limit=100', '/v1/invoices/{id}/lines'],
  ['/v1/invoices/in_one/lines?expand[]=data.pricing.price_details.price', '/v1/invoices/{id}/lines'],
  ['/v1/invoice_payments', '/v1/invoice_payments'],
  ['/v1/invoice_payments/inpay_one', '/v1/invoice_payments/{id}'],
  ['/v1/payment_intents?customer=cus_one&expand[]=data.payment_method', '/v1/payment_intents'],
  ['/v1/payment_intents/pi_one', '/v1/payment_intents/{id}'],
  ['/v1/payment_methods?customer=cus_one', '/v1/payment_methods'],
  ['/v1/payment_methods/pm_card', '/v1/payment_methods/{id}'],
  ['/v1/events', '/v1/events'],
  ['/v1/events/evt_new', '/v1/events/{id}'],
  ['/v1/test_helpers/test_clocks', '/v1/test_helpers/test_clocks'],
  ['/v1/test_helpers/test_clocks/clock_one', '/v1/test_helpers/test_clocks/{id}'],
  ['/v1/customers?test_clock=clock_one&expand[]=data.test_clock', '/v1/customers'],
  ['/v1/subscriptions?status=all&test_clock=clock_one', '/v1/subscriptions'],
  // Every form of request that the product makes.
  ['/v1/customers?limit=100&expand[]=data.invoice_settings.default_payment_method', '/v1/customers'],
  ['/v1/customers/cus_card?expand[]=default_source', '/v1/customers/{id}'],
  [
    '/v1/subscription_items?subscription=sub_many&limit=100&expand[]=data.discounts',
    '/v1/subscription_items',
  ],
  ['/v1/prices?active=false&expand[]=data.tiers&expand[]=data.currency_options', '/v1/prices'],
  ['/v1/coupons?expand[]=data.applies_to&expand[]=data.currency_options', '/v1/coupons'],
  ['/v1/invoices?expand[]=data.discounts.source.coupon&expand[]=data.lines.data.discounts', '/v1/invoices'],
  ['/v1/invoices/in_many/lines?limit=100&expand[]=data.discounts', '/v1/invoices/{id}/lines'],
  ['/v1/invoice_payments?expand[]=data.payment.payment_intent.payment_method', '/v1/invoice_payments'],
  ['/v1/events?created[gte]=1&types[0]=invoice.paid&types[1]=customer.updated', '/v1/events'],
]

describe.skipIf(!specIsThere)('answers have the shape of Stripe’s document', () => {
  test.each(cases)('%s', async (path, specPath) => {
    const { body, status } = await ask(simulator, path)
    expect(status).toBe(200)
    expect(validateAgainstSpec(specPath, body)).toEqual([])
  })

  test.each(routes.map(({ path }) => path))(
    '%s takes the parameters that the document gives it',
    async (route) => {
      const path = route.replace(':id', '{id}')
      const known = queryParametersInSpec(path)
      const asked = route.replace(':id', 'no_such_id')
      for (const name of known) {
        const value = wordsInSpec(path, name)[0] ?? '1'
        const answer = await ask(simulator, `${asked}?${name}=${value}`)
        expect(at(answer.body, 'error.code'), name).not.toBe('parameter_unknown')
      }
      const others = ['active', 'created', 'customer', 'status', 'test_clock', 'types', 'query', 'page']
      for (const name of others.filter((one) => !known.includes(one))) {
        const answer = await ask(simulator, `${asked}?${name}=1`)
        expect(at(answer.body, 'error.message'), name).toBe(`Received unknown parameter: ${name}`)
      }
    },
  )

  test.each([
    ['/v1/subscriptions', 'status'],
    ['/v1/subscriptions', 'collection_method'],
    ['/v1/invoices', 'status'],
    ['/v1/invoice_payments', 'status'],
    ['/v1/prices', 'type'],
  ])('%s knows every word of %s', async (path, name) => {
    const words = wordsInSpec(path, name)
    expect(words.length).toBeGreaterThan(1)
    for (const word of words) expect((await ask(simulator, `${path}?${name}=${word}`)).status, word).toBe(200)
  })

  test('the checker sees a missing, a wrong and a left-over field', async () => {
    const { body } = await ask(simulator, '/v1/subscriptions/sub_one')
    const { status: _status, ...rest } = body
    const broken = { ...rest, created: 'now', current_period_end: 1 }
    expect(validateAgainstSpec('/v1/subscriptions/{id}', broken)).toEqual([
      '.status: is missing',
      '.created: must be an integer',
      '.current_period_end: is not in the schema',
    ])
  })
})
