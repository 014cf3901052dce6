import { expect, it } from 'vitest'
import type { ReceiptAnswer, ReceiptPartAnswer } from '#contract/receipt.ts'
import { stepsOf } from './steps.ts'

const yearly: ReceiptPartAnswer = {
  itemId: 'si_1',
  productId: 'prod_1',
  productName: 'Pro',
  priceId: 'price_1',
  quantity: 1,
  invoiceId: 'in_1',
  invoiceLink: null,
  lines: [],
  gross: '10000',
  discount: '1000',
  discountIds: ['di_1'],
  discounts: [],
  inclusiveTax: '500',
  net: '8500',
  interval: 'year',
  intervalCount: 1,
  months: '12',
  monthly: '2125/3',
  rules: ['R1', 'R4', 'R9'],
}
const seats: ReceiptPartAnswer = {
  ...yearly,
  itemId: 'si_2',
  productName: null,
  quantity: 1500,
  gross: '300',
  discount: '0',
  inclusiveTax: '0',
  net: '300',
  interval: 'week',
  intervalCount: 2,
  months: '6/13',
  monthly: '650',
  rules: ['R2', 'R24'],
}
const receipt = (more: Partial<ReceiptAnswer>): ReceiptAnswer => ({
  ruleBookVersion: 1,
  policyRevision: 0,
  dated: null,
  kind: null,
  endsAt: null,
  lastBill: null,
  currency: 'usd',
  parts: [],
  sum: '0',
  rounding: '0',
  mrr: 0,
  ignored: [],
  rules: ['R1', 'R2', 'R4', 'R9', 'R14', 'R24', 'R28'],
  ...more,
})
const rows = (of: ReceiptAnswer) =>
  stepsOf(of).map(({ text, amount, rules }) => [text, amount, rules.join(' ')].join(' | '))

it('says that a whole period counts where the rule beside it says that a proration is ignored', () => {
  const prorated = { ...yearly, rules: ['R1', 'R12'] }
  expect(rows(receipt({ parts: [prorated], rules: ['R1', 'R12'] }))[0]).toBe(
    '1 × Pro, per whole year | $100.00 | R12',
  )
})

it('goes from each price to the MRR, with the rule beside the step that it is for', () => {
  expect(rows(receipt({ parts: [yearly, seats], sum: '4075/3', rounding: '-1/3', mrr: 1358 }))).toEqual([
    '1 × Pro, per year | $100.00 | ',
    'Discount | -$10.00 | R4',
    'Tax included in the price | -$5.00 | R9',
    'Left per year | $85.00 | ',
    'Per month: ÷ 12 | $7.0833… | R1',
    '1,500 × prod_1, per 2 weeks | $3.00 | R24',
    'Per month: × 13/6 | $6.50 | R2',
    'All items | $13.5833… | R14',
    'Rounding | -$0.0033… | R28',
    'MRR | $13.58 | ',
  ])
})

it('leaves out what takes nothing off, and says why there is nothing at all', () => {
  const monthly = {
    ...yearly,
    discount: '0',
    inclusiveTax: '0',
    net: '10000',
    interval: 'month',
    months: '1',
  }
  expect(rows(receipt({ parts: [{ ...monthly, monthly: '10000' }], sum: '10000', mrr: 10_000 }))).toEqual([
    '1 × Pro, per month | $100.00 | R4 R9',
    'Per month | $100.00 | R1',
    'MRR | $100.00 | ',
  ])
  expect(rows(receipt({ rules: ['R18', 'R28'] }))).toEqual(['MRR | $0.00 | R18'])
})

it('says of how many discounts an amount is', () => {
  const several = { ...yearly, discountIds: ['di_1', 'di_2'] }
  expect(rows(receipt({ parts: [several] }))[1]).toBe('2 discounts together | -$10.00 | R4')
})

it('names the coupon of a discount, its terms and what it was given to, as far as they are known', () => {
  const nothing = {
    couponName: null,
    percentOff: null,
    amountOff: null,
    duration: null,
    durationInMonths: null,
  }
  const unknown = { ...nothing, id: 'di_1', couponId: null, holder: null }
  const spring = { ...unknown, couponId: 'spr_1', couponName: 'Spring', percentOff: 33.33 }
  const told = (...discounts: ReceiptPartAnswer['discounts']) => {
    const discountIds = discounts.map(({ id }) => id)
    return rows(receipt({ parts: [{ ...yearly, discounts, discountIds }] }))[1]?.split(' | ')[0]
  }
  expect(told({ ...spring, duration: 'forever', holder: 'subscription' })).toBe(
    'Discount Spring: 33.33% off forever, on the subscription',
  )
  const months = { ...unknown, couponId: 'ten', amountOff: 1000, duration: 'repeating', durationInMonths: 1 }
  expect(told(months)).toBe('Discount ten: $10.00 off for 1 month')
  expect(told({ ...months, durationInMonths: 6, holder: 'item' })).toBe(
    'Discount ten: $10.00 off for 6 months, on the item',
  )
  expect(told({ ...unknown, couponId: 'gone', holder: 'customer' })).toBe('Discount gone: on the customer')
  expect(told(unknown)).toBe('Discount')
  expect(told({ ...spring, duration: 'once' }, { ...unknown, id: 'di_2' })).toBe(
    '2 discounts together: Spring: 33.33% off once',
  )
})

it('says why nothing counts: what happened, otherwise what was left out', () => {
  expect(rows(receipt({ rules: ['R11', 'R14', 'R23', 'R28'] }))).toEqual(['MRR | $0.00 | R11'])
  expect(rows(receipt({ rules: ['R23', 'R26', 'R28', 'R38'] }))).toEqual(['MRR | $0.00 | R23 R26'])
})

it('names every step once', () => {
  const keys = stepsOf(receipt({ parts: [yearly, seats], rounding: '1/3' })).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})
