import { expect, test } from 'vitest'
import { toInvoiceLine } from './invoice-line.ts'

const period = { start: 1_735_689_600, end: 1_738_368_000 }

test('R13 a line of the present shape', () => {
  const line = toInvoiceLine(
    {
      id: 'il_1',
      amount: 2000,
      discount_amounts: [
        { amount: 150, discount: 'di_1' },
        { amount: 50, discount: { id: 'di_2' } },
      ],
      discountable: true,
      parent: {
        type: 'subscription_item_details',
        subscription_item_details: { proration: false, subscription: 'sub_1', subscription_item: 'si_1' },
      },
      period,
      pricing: { price_details: { price: 'price_1', product: 'prod_1' }, unit_amount_decimal: '2000' },
      quantity: 1,
      taxes: [
        { amount: 300, tax_behavior: 'inclusive' },
        { amount: 99, tax_behavior: 'exclusive' },
      ],
    },
    null,
  )
  expect(line).toEqual({
    id: 'il_1',
    subscriptionId: 'sub_1',
    subscriptionItemId: 'si_1',
    priceId: 'price_1',
    productId: 'prod_1',
    amountCents: 2000,
    quantity: 1,
    unitAmountDecimal: '2000',
    periodStart: period.start,
    periodEnd: period.end,
    isProration: false,
    discountCents: 200,
    discounts: [
      { id: 'di_1', amountCents: 150 },
      { id: 'di_2', amountCents: 50 },
    ],
    inclusiveTaxCents: 300,
    isDiscountable: true,
    isSubscriptionItem: true,
    description: null,
  })
})

test('R13 a line of the shape before 2025-03-31', () => {
  const line = toInvoiceLine(
    {
      id: 'sli_1',
      type: 'subscription',
      amount: 2000,
      proration: false,
      subscription_item: 'si_1',
      period,
      price: {
        id: 'price_1',
        product: 'prod_1',
        unit_amount: 2000,
        currency: 'usd',
        recurring: { interval: 'month', interval_count: 1 },
      },
      quantity: 1,
      tax_amounts: [{ amount: 300, inclusive: true }],
    },
    'sub_1',
  )
  expect(line).toMatchObject({
    subscriptionId: 'sub_1',
    subscriptionItemId: 'si_1',
    priceId: 'price_1',
    productId: 'prod_1',
    unitAmountDecimal: '2000',
    inclusiveTaxCents: 300,
    isSubscriptionItem: true,
    price: { id: 'price_1', interval: 'month' },
  })
})

test.each([
  [
    'the item branch',
    {
      type: 'subscription_item_details',
      subscription_item_details: { proration: true, subscription: 'sub_1' },
    },
  ],
  [
    'the invoice item branch',
    { type: 'invoice_item_details', invoice_item_details: { proration: true, subscription: 'sub_1' } },
  ],
])('R13 a proration is seen in %s', (_, parent) => {
  const line = toInvoiceLine({ id: 'il_1', amount: -500, parent, period }, null)
  expect(line).toMatchObject({
    isProration: true,
    isCredit: true,
    isSubscriptionItem: true,
    subscriptionId: 'sub_1',
  })
})

test('R12 a credit of 0 is told by what it credits', () => {
  const parent = (credited: unknown) => ({
    type: 'subscription_item_details',
    subscription_item_details: {
      proration: true,
      subscription: 'sub_1',
      proration_details: { credited_items: credited },
    },
  })
  const read = (credited: unknown) =>
    toInvoiceLine({ id: 'il_1', amount: 0, parent: parent(credited), period }, null)
  expect(read({ invoice: 'in_1', invoice_line_items: ['il_0'] }).isCredit).toBe(true)
  expect(read(null).isCredit).toBeUndefined()
})

test('R8 a one-off item of a subscription’s invoice stays one-off', () => {
  const parent = {
    type: 'invoice_item_details',
    invoice_item_details: { proration: false, subscription: 'sub_1' },
  }
  expect(toInvoiceLine({ id: 'il_1', amount: 900, parent, period }, 'sub_1').isSubscriptionItem).toBe(false)
})

test('a line that cannot be read says what', () => {
  expect(toInvoiceLine({ id: 'il_1', amount: '12', period }, null).problem).toContain('amount')
  expect(toInvoiceLine({ id: 'il_1', amount: 12 }, null).problem).toContain('period')
})

const known = { type: 'subscription_item_details', subscription_item_details: { subscription: 'sub_1' } }
const unitPrice = { type: 'price_details', price_details: { price: 'price_1' } }

test.each<[string, object, string | undefined, string | undefined]>([
  ['a subscription item at a price', { parent: known, pricing: unitPrice }, undefined, undefined],
  ['a subscription item without pricing', { parent: known, pricing: null }, undefined, undefined],
  ['the older shape', { type: 'subscription', subscription: 'sub_1' }, undefined, undefined],
  ['an item on an invoice of a cadence', { parent: known }, 'billing_cadence_details', undefined],
  [
    'a licence fee',
    { parent: { type: 'license_fee_subscription_details' } },
    undefined,
    'license_fee_subscription_details',
  ],
  [
    'a rate card',
    { parent: { type: 'rate_card_subscription_details' }, pricing: { type: 'rate_card_rate_details' } },
    undefined,
    'rate_card_subscription_details',
  ],
  [
    'a licence fee by its pricing',
    { pricing: { type: 'license_fee_details' } },
    undefined,
    'license_fee_details',
  ],
  [
    'a rate by its pricing',
    { parent: known, pricing: { type: 'rate_card_rate_details' } },
    undefined,
    'rate_card_rate_details',
  ],
  ['a type of tomorrow', { parent: { type: 'mint_details' } }, undefined, 'mint_details'],
  [
    'a type of tomorrow that has the known part',
    { parent: { ...known, type: 'mint_details' } },
    undefined,
    undefined,
  ],
  [
    'nothing, on an invoice of a cadence',
    { parent: null },
    'billing_cadence_details',
    'billing_cadence_details',
  ],
])('says what bills a line of %s', (_, line, invoiceBilledBy, billedBy) => {
  const whole = { id: 'il_1', amount: 2000, period, ...line }
  expect(toInvoiceLine(whole, 'sub_1', invoiceBilledBy).billedBy).toBe(billedBy)
})
