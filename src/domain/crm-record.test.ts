import { describe, expect, it } from 'vitest'
import { type CrmSubscriptionSource, receiptLine, valuesOfEvent, valuesOfSubscription } from './crm-record.ts'
import type { Receipt } from './mrr/receipts/receipt.ts'

const receipt: Receipt = {
  dated: null,
  ruleBookVersion: 1,
  policyRevision: 0,
  currency: 'usd',
  parts: [
    {
      itemId: 'si_1',
      productId: 'prod_1',
      priceId: 'price_1',
      quantity: 2,
      invoiceId: 'in_1',
      lineIds: ['il_1'],
      gross: '200000',
      discount: '10000',
      discountIds: ['di_1'],
      inclusiveTax: '0',
      net: '190000',
      interval: 'year',
      intervalCount: 1,
      months: '12',
      monthly: '47500/3',
      rules: ['R1'],
    },
  ],
  sum: '47500/3',
  rounding: '-1/3',
  mrrCents: 15833,
  ignored: [],
  rules: ['R1'],
}

const subscription: CrmSubscriptionSource = {
  id: 'sub_1',
  status: 'past_due',
  mrrCents: 15833,
  currency: 'usd',
  quantity: 2,
  productName: 'Harbour Pro',
  billingIntervalDays: 365,
  createdAt: 1_700_000_000,
  periodStart: 1_700_000_000,
  periodEnd: null,
  nextRenewalOn: '2027-01-31',
  trialEnd: null,
  cancelAt: null,
  endedAt: null,
  unsupportedReason: null,
  receipt,
  customer: { id: 'cus_1', name: 'Alpha Ltd', email: 'pat@alpha.example' },
  url: 'https://payments.example/subscriptions/sub_1',
}

describe('the record of a subscription', () => {
  it('spells values as plain text', () => {
    expect(valuesOfSubscription(subscription)).toMatchObject({
      name: 'Harbour Pro · Alpha Ltd',
      status: 'past_due',
      mrr: '158.33',
      currency: 'USD',
      billingInterval: 'Annual',
      periodStart: '2023-11-14T22:13:20Z',
      periodEnd: '',
      nextRenewalOn: '2027-01-31',
    })
  })

  it('shows a status it does not know as other, and keeps its words', () => {
    expect(valuesOfSubscription({ ...subscription, status: 'on_ice' })).toMatchObject({
      status: 'other',
      statusText: 'On Ice',
    })
  })
})

describe('the record of an event', () => {
  it('names the change with its sign and currency', () => {
    const values = valuesOfEvent({
      ...subscription,
      id: 'ev_1',
      subscriptionId: 'sub_1',
      invoiceId: null,
      occurredAt: 1_700_000_000,
      mrrStatus: 'Planned_Cancellation',
      changeType: 'cancellation',
      previousMrrCents: 100,
      currentMrrCents: 600,
      mrrChangeCents: 500,
      currency: 'jpy',
      previousQuantity: 1,
      currentQuantity: 2,
      paymentMethod: null,
      subscriptionUrl: 'https://payments.example/subscriptions/sub_1',
      invoiceUrl: null,
    })
    expect(values).toMatchObject({
      name: 'Planned Cancellation +500 JPY · 2023-11-14',
      mrrChange: '500',
      invoiceId: '',
      invoiceUrl: '',
    })
  })
})

describe('receiptLine', () => {
  it('tells the sum in one line', () => {
    expect(receiptLine(receipt)).toBe('2 for 2000.00 less 100.00 discount per year = 158.33 USD a month')
  })

  it('takes inclusive tax off in plain sight, and says several months as such', () => {
    const [part] = receipt.parts
    const parts = part
      ? [{ ...part, discount: '0', inclusiveTax: '3800', interval: 'month', intervalCount: 3 }]
      : []
    expect(receiptLine({ ...receipt, parts, mrrCents: 65_400 })).toBe(
      '2 for 2000.00 less 38.00 tax per 3 months = 654.00 USD a month',
    )
  })

  it('adds up as it is written, also with fractions of the smallest unit', () => {
    const of = (currency: string, more: Partial<Receipt['parts'][number]>) =>
      receiptLine({ ...receipt, currency, parts: receipt.parts.map((part) => ({ ...part, ...more })) })
    const shared = { gross: '1000', discount: '200/3' }
    expect(of('usd', shared)).toMatch(/^2 for 10.00 less 0.6666… discount per year = /)
    expect(of('usd', { gross: '25/2', discount: '1/4' })).toMatch(/^2 for 0.125 less 0.0025 discount per /)
    expect(of('jpy', shared)).toMatch(/^2 for 1000 less 66.66… discount per year = /)
  })

  it('is empty for a subscription that is not counted, and without a receipt', () => {
    expect(valuesOfSubscription({ ...subscription, unsupportedReason: 'a reason' }).receipt).toBe('')
    expect(receiptLine(null)).toBe('')
  })
})
