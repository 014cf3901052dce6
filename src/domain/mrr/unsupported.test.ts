import { describe, expect, test } from 'vitest'
import {
  coupon,
  discount,
  type ExampleAccount,
  invoice,
  item,
  line,
  on,
  price,
  rebuild,
  renewals,
  subscription,
} from '#test/mrr/examples.ts'
import type { PaymentPrice, PaymentSubscription } from '../payments.ts'
import { currentMrrOf } from './events/subscription-mrr.ts'

const pro = price('pro', 2000)
const good = subscription([item(pro)])

/** A good subscription beside one that cannot be counted: what is said of both. */
function beside(bad: PaymentSubscription, more: Partial<ExampleAccount> = {}) {
  const { invoices = [], ...rest } = more
  const made = rebuild({
    subscriptions: [{ ...bad, id: 'sub_bad' }, good],
    invoices: [...renewals(pro, 1, ['2025-01-01']), ...invoices],
    asOf: '2025-01-20',
    ...rest,
  })
  const [unsupported, counted] = made.subscriptions
  expect(counted).toMatchObject({ currentMrrCents: 2000, isUnsupported: null })
  expect(made.events.map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_1'])
  expect(currentMrrOf(made.subscriptions)).toEqual({ usd: 2000 })
  expect(unsupported?.currentMrrCents).toBe(0)
  return unsupported?.isUnsupported
}

const of = (more: Partial<PaymentPrice>) => subscription([item(price('odd', 500, 'month', more))])
const badLine = (more: object): Partial<ExampleAccount> => ({
  invoices: [
    invoice('2025-01-02', [line(pro, 1, { from: '2025-01-02', subscriptionId: 'sub_bad', ...more })], {
      id: 'in_bad',
      subscriptionId: 'sub_bad',
    }),
  ],
})

describe('what cannot be counted says why, and stops nothing else', () => {
  test.each([
    ['an unknown status', { ...good, status: 'frozen' }, "The status 'frozen' is not known to this version"],
    ['no currency', { ...good, currency: '' }, "The subscription's currency '' is no currency code"],
    ['a date that is none', { ...good, startedAt: -5 }, "The subscription's start_date is unreadable"],
    ['seats below 0', subscription([item(pro, -3)]), 'Item si_1: the quantity -3 is below 0'],
    [
      'an item date that is none',
      subscription([item(pro, 1, { periodStart: Number.NaN })]),
      'Item si_1: a date is unreadable',
    ],
    [
      'an item coupon of more than all',
      subscription([item(pro, 1, { discounts: [discount(coupon('odd', { percentOff: 150 }))] })]),
      'Item si_1: the coupon odd takes 150% off, which is no percentage from 0 to 100',
    ],
    ['an unknown interval', of({ interval: 'decade' }), "The billing interval '1 decade' is not known"],
    [
      'an unknown way of use',
      of({ usageType: 'blended' }),
      "Item si_1: the price odd is charged by 'blended', which is not known to this version",
    ],
    [
      'an unknown scheme and no invoice',
      of({ billingScheme: 'auction' }),
      'The price odd does not tell its amount in usd; give it one in usd, or wait for its first invoice',
    ],
    [
      'seats without end',
      subscription([item(price('p', '9'.repeat(30)), 9)]),
      'Its amounts are too large to be counted: look at the quantities and prices of its items',
    ],
    [
      'what the reader found',
      { ...good, problem: 'An item has no readable price' },
      'An item has no readable price',
    ],
  ])('%s', (_, bad, reason) => {
    expect(beside(bad)).toBe(reason)
  })

  test('a line without a readable period or amount is named', () => {
    expect(beside(good, badLine({ id: 'il_9', periodStart: Number.NaN }))).toBe(
      'Invoice in_bad, line il_9: the service period is unreadable',
    )
    expect(beside(good, badLine({ id: 'il_9', problem: 'the amount is missing or no whole number' }))).toBe(
      'Invoice in_bad, line il_9: the amount is missing or no whole number',
    )
  })

  test('a line without its quantity stands for the units that its amount pays for, or is named', () => {
    const seats = (more: object) => {
      const bill = invoice('2025-01-01', [line(pro, 1, { from: '2025-01-01', quantity: null, ...more })])
      const made = rebuild({
        subscriptions: [subscription([item(pro, null)])],
        invoices: [bill],
        asOf: '2025-01-02',
      })
      return made.subscriptions[0]
    }
    expect(seats({ amountCents: 22_000 })).toMatchObject({ currentMrrCents: 22_000, quantity: 11 })
    expect(seats({ amountCents: 22_000, isProration: true, to: '2025-01-15' })?.isUnsupported).toContain(
      'the quantity of a part of a period is missing',
    )
  })

  test.each([
    ['scheme', { billingScheme: 'auction' }],
    ['tiers mode', { billingScheme: 'tiered', tiersMode: 'random', tiers: [] }],
    ['rounding of packages', { transformQuantity: { divideBy: 5, round: 'sideways' } }],
  ] as const)('of an unknown %s the invoice tells', (_, more) => {
    const odd = price('odd', 500, 'month', more as Partial<PaymentPrice>)
    const bill = invoice('2025-01-01', [line(odd, 3, { from: '2025-01-01', amountCents: 1234 })])
    const made = rebuild({
      subscriptions: [subscription([item(odd, 3)])],
      invoices: [bill],
      asOf: '2025-01-02',
    })
    expect(made.subscriptions[0]).toMatchObject({ currentMrrCents: 1234, isUnsupported: null })
  })

  test('a coupon of less than one percent counts', () => {
    const discounts = [discount(coupon('small', { percentOff: 0.5 }))]
    const made = rebuild({ subscriptions: [subscription([item(pro)], { discounts })], asOf: '2025-01-20' })
    expect(made.subscriptions[0]).toMatchObject({ currentMrrCents: 1990, isUnsupported: null })
  })

  test('an unknown coupon duration, collection method or invoice status stops nothing', () => {
    const odd = { ...good, collectionMethod: 'carrier_pigeon', pauseCollection: 'forever' }
    const bills = [
      ...renewals(pro, 1, ['2025-01-01']),
      invoice('2025-01-10', [line(pro, 9, { from: '2025-01-10' })], { status: 'pondering' }),
    ]
    const made = rebuild({ subscriptions: [odd], invoices: bills, asOf: '2025-01-20' })
    expect(made.subscriptions[0]).toMatchObject({ currentMrrCents: 2000, isUnsupported: null })
    expect(made.events).toHaveLength(1)
    expect(made.events[0]?.occurredAt).toBe(on('2025-01-01'))
  })
})
