import { expect, test } from 'vitest'
import { toCoupon, toDiscount } from './coupon.ts'
import { toCustomer } from './customer.ts'
import { toInvoice } from './invoice.ts'
import { toInvoicePayment } from './invoice-payment.ts'
import { toPrice } from './price.ts'
import { toProduct } from './product.ts'
import { UnreadableObject } from './read-fields.ts'
import { toSubscription } from './subscription.ts'

const noCoupons = new Map()

test('decimals come as text or as the SDK’s objects', () => {
  const decimal = { toString: () => '12.5' }
  expect(toPrice({ id: 'p', unit_amount_decimal: decimal }).unitAmountDecimal).toBe('12.5')
  expect(toPrice({ id: 'p', unit_amount: 7 }).unitAmountDecimal).toBe('7')
  expect(toPrice({ id: 'p', unit_amount_decimal: 'a lot' }).unitAmountDecimal).toBeNull()
})

test('a test clock tells its time itself, or what is tied to it does', () => {
  const tied = { id: 's', created: 5, items: [{ id: 'si', price: { id: 'p' }, current_period_start: 9 }] }
  expect(toSubscription(tied)).not.toHaveProperty('clockAt')
  expect(toSubscription({ ...tied, test_clock: 'clock' })).toMatchObject({ isOnTestClock: true, clockAt: 9 })
  const clock = { id: 'clock', frozen_time: 12 }
  expect(toSubscription({ ...tied, test_clock: clock })).toMatchObject({ isOnTestClock: true, clockAt: 12 })
})

test('prices: one-time, tiers, packages, and plans of the older shape', () => {
  expect(toPrice({ id: 'p', type: 'one_time', recurring: null }).interval).toBeNull()
  expect(
    toPrice({
      id: 'p',
      tiers: [
        { up_to: 5, unit_amount: 700 },
        { up_to: null, flat_amount_decimal: '10.5' },
      ],
    }).tiers,
  ).toEqual([
    { upTo: 5, unitAmountDecimal: '700', flatAmountDecimal: null },
    { upTo: null, unitAmountDecimal: null, flatAmountDecimal: '10.5' },
  ])
  expect(toPrice({ id: 'p', transform_quantity: { divide_by: 5, round: 'down' } }).transformQuantity).toEqual(
    { divideBy: 5, round: 'down' },
  )
  expect(
    toPrice({ id: 'plan', interval: 'year', interval_count: 2, amount: 900, usage_type: 'metered' }),
  ).toMatchObject({
    interval: 'year',
    intervalCount: 2,
    unitAmountDecimal: '900',
    usageType: 'metered',
  })
})

test('a discount’s coupon is under source now, was on the discount, and is joined by id', () => {
  const coupons = new Map([
    ['c', toCoupon({ id: 'c', percent_off: 12.5, duration: 'once', applies_to: { products: ['prod_1'] } })],
  ])
  expect(
    toDiscount({ id: 'di', start: 5, end: null, source: { type: 'coupon', coupon: 'c' } }, coupons),
  ).toMatchObject({
    coupon: { percentOff: 12.5, duration: 'once', appliesToProductIds: ['prod_1'] },
    startedAt: 5,
    endsAt: null,
  })
  expect(
    toDiscount({ id: 'di', coupon: { id: 'd', amount_off: 300, currency: 'USD' } }, noCoupons)?.coupon,
  ).toMatchObject({ amountOffCents: 300, currency: 'usd' })
  expect(toDiscount({ id: 'di', source: { coupon: 'gone' } }, noCoupons)).toMatchObject({
    coupon: null,
    couponId: 'gone',
  })
  expect(toDiscount('di_bare', noCoupons)).toBeNull()
  const own = { id: 'c', percent_off: 20, duration: 'once' }
  const couponOf = (coupon: object) => toDiscount({ id: 'di', source: { coupon } }, coupons)?.coupon
  expect(couponOf(own)).toMatchObject({ percentOff: 20, appliesToProductIds: null })
  expect(couponOf({ ...own, percent_off: 12.5 })).toMatchObject({ appliesToProductIds: ['prod_1'] })
  expect(couponOf({ ...own, percent_off: 12.5, duration: 'forever' })).toMatchObject({ duration: 'forever' })
  expect(couponOf({ id: 'c', deleted: true })).toMatchObject({ percentOff: 12.5 })
})

test.each([
  ['item', { subscription_item: 'si_1', subscription: 'sub_1', customer: 'cus_1' }],
  ['subscription', { subscription: 'sub_1', customer: 'cus_1' }],
  ['invoice', { invoice: 'in_1', customer: 'cus_1' }],
  ['customer', { customer: 'cus_1', subscription: null }],
  [undefined, {}],
])('a discount tells what it was given to, and a coupon its name: %s', (holder, fields) => {
  const coupon = { id: 'c', percent_off: 5, name: 'Spring' }
  const read = toDiscount({ id: 'di', source: { coupon }, ...fields }, noCoupons)
  expect([read?.holder, read?.coupon?.name]).toEqual([holder, 'Spring'])
})

test('a subscription tells why it ended, and never the comment of a person', () => {
  const told = (details: unknown) =>
    toSubscription({ id: 'sub_1', created: 1, items: [], cancellation_details: details })
  const details = { reason: 'cancellation_requested', feedback: 'unused', comment: 'Ask for Kim' }
  expect(told(details)).toMatchObject({ endReason: 'cancellation_requested', endFeedback: 'unused' })
  expect(JSON.stringify(told(details))).not.toContain('Kim')
  expect(told({ reason: null, feedback: null, comment: null })).not.toHaveProperty('endReason')
})

test('a subscription: periods on its items now, on itself before', () => {
  const price = { id: 'price_1', currency: 'usd', recurring: { interval: 'month', interval_count: 1 } }
  const base = { id: 'sub_1', customer: { id: 'cus_1' }, status: 'active', created: 100, currency: 'USD' }
  const now = toSubscription({
    ...base,
    items: { data: [{ id: 'si_1', price, quantity: 2, current_period_start: 7, current_period_end: 8 }] },
  })
  const before = toSubscription({
    ...base,
    current_period_start: 7,
    current_period_end: 8,
    items: { data: [{ id: 'si_1', plan: price, quantity: 2 }] },
  })
  for (const read of [now, before]) {
    expect(read).toMatchObject({
      customerId: 'cus_1',
      currency: 'usd',
      startedAt: 100,
      items: [{ priceId: 'price_1', periodStart: 7, periodEnd: 8 }],
    })
    expect(read.problem).toBeUndefined()
  }
})

test('tiers are joined from the price list, where alone they come', () => {
  const listed = toPrice({
    id: 'price_1',
    billing_scheme: 'tiered',
    tiers: [{ up_to: null, unit_amount: 5 }],
  })
  const subscription = {
    id: 'sub_1',
    status: 'active',
    created: 1,
    items: { data: [{ id: 'si_1', price: { id: 'price_1', billing_scheme: 'tiered' } }] },
  }
  const read = toSubscription(subscription, { coupons: noCoupons, prices: new Map([['price_1', listed]]) })
  expect(read.items[0]?.price.tiers).toHaveLength(1)
})

test('R17 a pause tells when it began', () => {
  const paused = {
    id: 'sub_1',
    status: 'paused',
    created: 1,
    status_details: { paused: { transitioned_at: 99, type: 'subscription' } },
  }
  expect(toSubscription(paused).pausedAt).toBe(99)
})

test('R14 a classic subscription never mixes intervals, a flexible one since it is flexible', () => {
  const since = (billing_mode: unknown) => toSubscription({ id: 'sub_1', billing_mode }).mixesIntervalsSince
  expect(since({ type: 'classic', flexible: null, updated_at: 5 })).toBeNull()
  expect(since({ type: 'flexible', flexible: { proration_discounts: 'included' }, updated_at: 5 })).toBe(5)
  // A time that is not stated, a mode that Stripe adds later, or an older version of its API.
  for (const mode of [{ type: 'flexible', updated_at: null }, { type: 'other', updated_at: 5 }, undefined])
    expect(since(mode)).toBeUndefined()
})

test('an invoice finds its subscription in parent now, on itself before, and may have none', () => {
  const parent = { type: 'subscription_details', subscription_details: { subscription: 'sub_1' } }
  expect(toInvoice({ id: 'in_1', parent }).subscriptionId).toBe('sub_1')
  expect(toInvoice({ id: 'in_1', subscription: { id: 'sub_1' } }).subscriptionId).toBe('sub_1')
  expect(toInvoice({ id: 'in_1', parent: null }).subscriptionId).toBeNull()
  expect(
    toInvoice({ id: 'in_1', parent: { type: 'quote_details', quote_details: { quote: 'qt_1' } } })
      .subscriptionId,
  ).toBeNull()
})

test('R5 the discount of an old invoice is what lies between subtotal and total', () => {
  expect(
    toInvoice({ id: 'in_1', discount: { id: 'di' }, subtotal: 2000, total: 1900, tax: 100 })
      .totalDiscountCents,
  ).toBe(200)
  expect(
    toInvoice({ id: 'in_1', total_discount_amounts: [{ amount: 30 }, { amount: 12 }] }).totalDiscountCents,
  ).toBe(42)
})

test('stubs of deleted objects are read, and what has no id is refused by name', () => {
  expect(toCustomer({ id: 'cus_1', object: 'customer', deleted: true })).toMatchObject({
    isDeleted: true,
    name: null,
  })
  expect(toProduct({ id: 'prod_1', object: 'product', deleted: true })).toMatchObject({
    name: 'prod_1',
    isActive: false,
  })
  expect(() => toInvoice({ object: 'invoice' })).toThrow(UnreadableObject)
  expect(() => toCustomer(null)).toThrow('id is missing or no text')
})

test('payment methods: a card of the customer, of an invoice payment, or only an id', () => {
  const card = { id: 'pm_1', type: 'card', card: { brand: 'visa', last4: '4242' } }
  const label = { type: 'card', brand: 'visa', last4: '4242' }
  expect(
    toCustomer({ id: 'cus_1', invoice_settings: { default_payment_method: card } }).paymentMethod,
  ).toEqual(label)
  expect(
    toCustomer({ id: 'cus_1', invoice_settings: { default_payment_method: 'pm_1' } }).paymentMethod,
  ).toBeNull()
  expect(
    toInvoicePayment({
      id: 'inpay_1',
      invoice: 'in_1',
      created: 5,
      payment: { type: 'payment_intent', payment_intent: { payment_method: card } },
    }),
  ).toEqual({
    id: 'inpay_1',
    invoiceId: 'in_1',
    createdAt: 5,
    paymentMethod: label,
  })
})

test('a discount that came as a bare id is kept for another object to tell', () => {
  const invoice = {
    id: 'in_1',
    discounts: ['di_1', { id: 'di_2', source: { coupon: { id: 'c', percent_off: 5 } } }],
  }
  expect(toInvoice(invoice).discounts).toMatchObject([
    { id: 'di_1', coupon: null },
    { id: 'di_2', coupon: { percentOff: 5 } },
  ])
})

test('R34 amounts in other currencies come along where they were asked for', () => {
  const read = toPrice({
    id: 'p',
    currency: 'usd',
    unit_amount: 2000,
    currency_options: {
      EUR: { unit_amount_decimal: '1800.5' },
      jpy: { tiers: [{ up_to: null, flat_amount: 300 }] },
      bad: null,
    },
  })
  expect(read.currencyOptions).toEqual({
    eur: { unitAmountDecimal: '1800.5', tiers: null },
    jpy: {
      unitAmountDecimal: null,
      tiers: [{ upTo: null, unitAmountDecimal: null, flatAmountDecimal: '300' }],
    },
    bad: { unitAmountDecimal: null, tiers: null },
  })
  expect(toPrice({ id: 'p', currency: 'usd' })).not.toHaveProperty('currencyOptions')
  expect(
    toCoupon({ id: 'c', amount_off: 500, currency: 'usd', currency_options: { eur: { amount_off: 450 } } }),
  ).toMatchObject({ currencyOptions: { eur: 450 } })
})

test('R7 a customer brings its one discount, coupon joined', () => {
  const coupons = new Map([['c', toCoupon({ id: 'c', percent_off: 10, duration: 'forever' })]])
  const discount = { id: 'di_1', start: 5, end: null, source: { coupon: 'c', type: 'coupon' } }
  expect(toCustomer({ id: 'cus_1', discount }, { coupons }).discounts).toMatchObject([
    { id: 'di_1', startedAt: 5, coupon: { percentOff: 10 } },
  ])
  expect(toCustomer({ id: 'cus_1', discount: null })).not.toHaveProperty('discounts')
})

test('an object without its list says so, and stops nothing; an empty list is one if nothing is billed', () => {
  const made = { created: 1_700_000_000, status: 'active' }
  for (const items of [undefined, null, 'none', { data: null }]) {
    expect(toSubscription({ id: 'sub_1', ...made, items }).problem).toContain('The field items is missing')
  }
  expect(toSubscription({ id: 'sub_1', ...made, items: [] }).problem).toBeUndefined()
  const subtotal = 6_700
  for (const sent of [
    {},
    { lines: null },
    { lines: 'none' },
    { lines: { data: null } },
    { lines: [], subtotal },
  ]) {
    const [line, ...others] = toInvoice({ id: 'in_1', subscription: 'sub_1', ...sent }).lines
    expect(others).toEqual([])
    expect(line).toMatchObject({ subscriptionId: 'sub_1', standsForAll: true })
    expect(line?.problem).toContain('its lines are missing')
  }
  expect(toInvoice({ id: 'in_1', lines: { data: [] }, subtotal: 0 }).lines).toEqual([])
})
