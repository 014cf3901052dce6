import { expect, it } from 'vitest'
import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import { billingV2TotalsOf, invoicesInstead } from './billing-v2.ts'

const day = 86_400
const endedAt = 1_760_000_000
const line = { amountCents: 2_000, discountCents: 500 } as InvoiceLine
const billedBy = 'license_fee_subscription_details'

function invoice(created: number, given: Partial<PaymentInvoice> = {}): PaymentInvoice {
  const lines = [line, { ...line, billedBy }]
  return {
    ...{ id: `in_${created}`, customerId: 'cus_1', subscriptionId: null, status: 'paid', currency: 'usd' },
    ...{ createdAt: endedAt + created * day, finalizedAt: null, totalDiscountCents: 0, lines },
    ...given,
  }
}

const ended = { status: 'canceled', endedAt } as PaymentSubscription

it.each<[string, PaymentSubscription, PaymentInvoice[], number[]]>([
  ['on the day of its end and later', ended, [invoice(40), invoice(0)], [0, 40]],
  ['from a month before its end on', ended, [invoice(-30), invoice(-40)], [-30]],
  ['a month after its end', ended, [invoice(31)], [31]],
  ['only long after its end, as whoever comes back', ended, [invoice(32)], []],
  ['by drafts alone', ended, [invoice(1, { status: 'draft' })], []],
  ['as ever', ended, [invoice(1, { lines: [line] })], []],
  ['beside a subscription that goes on', { ...ended, status: 'active', endedAt: null }, [invoice(1)], []],
  ['beside one that was never paid', { ...ended, status: 'incomplete_expired' }, [invoice(1)], []],
])('tells by what a customer is billed instead: %s', (_, subscription, invoices, expected) => {
  const found = invoicesInstead(subscription, invoices)
  expect(found.map(({ createdAt }) => (createdAt - endedAt) / day)).toEqual(expected)
})

it('adds up what issued invoices ask that way, by currency', () => {
  const invoices = [
    invoice(1),
    invoice(2, { status: 'open' }),
    invoice(3, { currency: 'eur' }),
    invoice(4, { status: 'void' }),
    invoice(5, { status: 'draft' }),
    invoice(6, { lines: [line] }),
  ]
  expect(billingV2TotalsOf(invoices)).toEqual({
    invoices: 3,
    amounts: [
      { currency: 'eur', amountCents: 1_500 },
      { currency: 'usd', amountCents: 3_000 },
    ],
  })
})
