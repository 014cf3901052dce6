import { expect, test } from 'vitest'
import { coupon, discount, invoice, item, line, on, rebuild, renewals } from '#test/mrr/examples.ts'
import { bill, ended, free, lived, off, pro, type RuleExample, seat } from '#test/mrr/rule-book/example.ts'
import type { Receipt } from './receipt.ts'

/** The receipt of the last event of a life. */
function lastReceipt(account: RuleExample['account']): Receipt | undefined {
  const { events, receipts } = rebuild(account)
  return receipts.ofEvent(events.at(-1)?.id ?? '')
}

const asOf = '2025-02-20'
const january = bill(pro, 1, '2025-01-01')
const away = (duration: string, more: object = {}) =>
  bill(pro, 1, '2025-02-01', off(2000), {
    discounts: [discount(coupon('c', { percentOff: 100, duration, ...more }))],
  })
const unknownCoupon = bill(pro, 1, '2025-02-01', off(2000))
const back = bill(pro, 1, '2025-03-01')
const trialLine = bill(pro, 1, '2025-02-01', { amountCents: 0 })

test.each([
  ['Churn, because the discount does not end by itself', [january, away('forever')], pro],
  ['Downgrade, because the discount ends by itself', [january, away('once')], pro],
  ['Downgrade, because the free time ends by itself', [january, trialLine], pro],
  [
    'Churn, because MRR did not come back; nothing says how long the discount is for',
    [january, unknownCoupon],
    pro,
  ],
  [
    'Churn, because the price of zero does not end by itself',
    [january, ...renewals(free, 1, ['2025-02-01'])],
    free,
  ],
] as const)('R11 a fall to zero says: %s', (reason, invoices, of) => {
  const account = lived(item(of), [...invoices], { prices: [pro], asOf })
  expect(lastReceipt(account)?.kind).toEqual({ reason, rule: 'R11' })
})

test('R11 a fall to zero says what came after it, where that decided', () => {
  const kindsOf = (...[invoices, held]: [Parameters<typeof lived>[1], object?]) => {
    const { events, receipts } = rebuild(lived(item(pro), invoices, { asOf: '2025-03-20', ...held }))
    return events.map(({ id }) => receipts.ofEvent(id)?.kind?.reason ?? '')
  }
  expect(kindsOf([january, unknownCoupon, back])).toEqual([
    '',
    'Downgrade, because MRR came back; nothing says how long the discount was for',
    'Upgrade, because the fall to zero before it was temporary',
  ])
  expect(kindsOf([january, away('once')], { held: ended('2025-02-20') })).toEqual([
    '',
    'Churn, because the subscription ended before MRR came back',
  ])
  const noSeats = [...renewals(seat, 2, ['2025-01-01']), ...renewals(seat, 0, ['2025-02-01'])]
  expect(lastReceipt(lived(item(seat, 0), noSeats, { asOf }))?.kind?.reason).toBe(
    'Churn, because no units are left',
  )
})

const planned = { ...ended('2025-02-01'), canceledAt: on('2025-01-10') }

test.each([
  ['Churn, because the cancellation was asked for', 'R30', planned],
  [
    'Churn, because the cancellation was asked for; feedback: too expensive',
    'R30',
    { ...planned, endReason: 'cancellation_requested', endFeedback: 'too_expensive' },
  ],
  ['Churn, because a payment failed', 'R18', { ...ended('2025-02-01'), endReason: 'payment_failed' }],
  [null, null, ended('2025-02-01')],
  [null, null, { ...ended('2025-02-01'), endReason: 'a_word_of_later', endFeedback: 'Any <text>' }],
])('R18 an end says why, as far as it is known: %s', (reason, rule, held) => {
  const receipt = lastReceipt(lived(item(pro), [january], { held, asOf }))
  expect(receipt?.kind ?? null).toEqual(reason === null ? null : { reason, rule })
  const [from, until] = [on('2025-01-01'), on('2025-02-01')]
  expect(receipt?.lastBill).toEqual({ invoiceId: january.id, from, until, status: 'paid' })
})

test('R30 a planned cancellation says when it ends the subscription, where that is known', () => {
  const held = { canceledAt: on('2025-01-10'), cancelAtPeriodEnd: true }
  const endOf = (more: object, items = [item(pro)]) =>
    lastReceipt(lived(items, [january], { held: { ...held, ...more } }))?.endsAt
  expect(endOf({})).toBe(on('2025-02-01'))
  expect(endOf({ cancelAt: on('2025-06-15') })).toBe(on('2025-06-15'))
  expect(endOf({}, [item(pro), item(seat, 1, { id: 'si_2', periodEnd: on('2025-03-01') })])).toBeUndefined()
})

test('R20 a figure of a bill that was over by then says that no later one is different', () => {
  const held = { canceledAt: on('2025-03-10'), cancelAtPeriodEnd: true }
  const rulesAt = (more: object) =>
    lastReceipt(lived(item(pro), renewals(pro, 1, ['2025-01-01', '2025-02-01', '2025-03-01']), more))
      ?.parts[0]?.rules
  expect(rulesAt({ held, asOf: '2025-03-20' })).toEqual(['R1', 'R20'])
  expect(rulesAt({ asOf: '2025-03-20' })).toEqual(['R1'])
})

test('R4, R5, R7 a discount says its coupon, and which one rule made its amount', () => {
  const ten = { amountOffCents: 1000, currency: 'usd', duration: 'repeating', durationInMonths: 6 }
  const part = (account: RuleExample['account']) => {
    const { discounts, rules } = lastReceipt(account)?.parts[0] ?? {}
    return { discounts, rules: rules?.filter((rule) => /^R[457]$/.test(rule)) }
  }
  const held = { discounts: [discount(coupon('ten', ten))] }
  const of = {
    id: 'di_ten',
    couponId: 'ten',
    amountOffCents: 1000,
    duration: 'repeating',
    durationInMonths: 6,
  }
  const onSubscription = { ...of, holder: 'subscription' }
  const billed = bill(pro, 1, '2025-01-01', off(1000, 'di_ten'))
  expect(part(lived(item(pro), [billed], { held }))).toEqual({ discounts: [onSubscription], rules: ['R4'] })
  // Gone since: only the invoice tells of it.
  const told = { ...billed, discounts: held.discounts }
  expect(part(lived(item(pro), [told]))).toEqual({ discounts: [of], rules: ['R4'] })
  expect(part(lived(item(pro), [], { held }))).toEqual({ discounts: [onSubscription], rules: ['R7'] })
  const shared = invoice('2025-01-01', [
    line(pro, 1, { from: '2025-01-01', ...off(667, 'di_ten') }),
    line(seat, 1, { from: '2025-01-01', subscriptionItemId: 'si_2', ...off(333, 'di_ten') }),
  ])
  const both = [item(pro), item(seat, 1, { id: 'si_2' })]
  expect(part(lived(both, [shared], { held }))).toEqual({ discounts: [onSubscription], rules: ['R5'] })
  const ofCustomer = { ...lived(item(pro), []), customerDiscounts: held.discounts }
  expect(part(ofCustomer)).toEqual({ discounts: [{ ...of, holder: 'customer' }], rules: ['R7'] })
  const onItem = lived(item(pro, 1, held), [])
  expect(part(onItem)).toEqual({ discounts: [{ ...of, holder: 'item' }], rules: ['R7'] })
})
