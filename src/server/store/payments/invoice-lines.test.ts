import { expect, it } from 'vitest'
import type { InvoiceLine } from '#domain/payments.ts'
import { keptLines, lineOf } from './invoice-lines.ts'

const line: InvoiceLine = {
  id: 'il_1',
  subscriptionId: 'sub_1',
  subscriptionItemId: null,
  priceId: 'price_1',
  productId: 'prod_1',
  amountCents: -5,
  quantity: 2,
  unitAmountDecimal: '1.5',
  periodStart: 1_760_000_000,
  periodEnd: 1_762_600_000,
  isProration: true,
  discountCents: 0,
  discounts: [],
  inclusiveTaxCents: 0,
  isDiscountable: false,
  isSubscriptionItem: true,
  description: 'One "週刊" {braced}',
}

it.each<[string, Partial<InvoiceLine>]>([
  ['plain', {}],
  ['discounted', { discountCents: 3, discounts: [{ id: 'di_1', amountCents: 3 }] }],
  ['taxed', { inclusiveTaxCents: 9 }],
  ['a credit', { isCredit: true }],
  ['unreadable', { problem: 'the quantity is unreadable', quantity: null, description: null }],
  ['in place of all', { standsForAll: true, problem: 'its lines are missing', discountCents: 1 }],
])('keeps a line as it is: %s', (_name, own) => {
  const whole = { ...line, ...own }
  const [kept] = JSON.parse(keptLines([whole]))
  expect(lineOf(kept)).toEqual(whole)
})

it('keeps what few lines have only where a line has it', () => {
  const [kept, taxed] = JSON.parse(keptLines([line, { ...line, inclusiveTaxCents: 9 }]))
  expect(kept).toHaveLength(14)
  expect(taxed).toHaveLength(15)
})
