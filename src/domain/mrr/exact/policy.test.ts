import { describe, expect, test } from 'vitest'
import {
  coupon,
  discount,
  invoice,
  item,
  ledger,
  line,
  on,
  price,
  renewals,
  subscription,
} from '#test/mrr/examples.ts'
import type { MrrPolicy } from './policy.ts'

const pro = price('pro', 2000)
const january = renewals(pro, 1, ['2025-01-01'])

describe('R4 settings: which discounts lower MRR', () => {
  const kinds = {
    once: discount(coupon('once', { percentOff: 20, duration: 'once' })),
    repeating: discount(coupon('repeating', { percentOff: 20, duration: 'repeating', durationInMonths: 3 })),
    forever: discount(coupon('forever', { percentOff: 20 })),
  }
  const year = price('year', 120_000, 'year')
  const withCoupon = (kind: keyof typeof kinds, discounts: MrrPolicy['discounts']): string | undefined => {
    const { id } = kinds[kind]
    const bill = line(year, 1, { from: '2025-01-01', discounts: [{ id, amountCents: 24_000 }] })
    return ledger({
      subscriptions: [subscription([item(year)])],
      invoices: [invoice('2025-01-01', [bill], { discounts: [kinds[kind]] })],
      policy: { discounts },
      asOf: '2025-01-02',
    })[0]?.split(' ')[2]
  }

  test.each([
    ['R4 all', 'all', '0>8000', '0>8000', '0>8000'],
    ['R4 recurring leaves out once', 'recurring', '0>10000', '0>8000', '0>8000'],
    ['R4 lasting leaves out repeating too', 'lasting', '0>10000', '0>10000', '0>8000'],
  ] as const)('%s: 20%% off 1,200 a year', (_, setting, once, repeating, forever) => {
    expect([
      withCoupon('once', setting),
      withCoupon('repeating', setting),
      withCoupon('forever', setting),
    ]).toEqual([once, repeating, forever])
  })
})

describe('R18 setting: the day of the Churn', () => {
  const subscriptions = [
    subscription([item(pro)], {
      status: 'canceled',
      canceledAt: on('2025-01-10'),
      endedAt: on('2025-02-01'),
    }),
  ]
  test.each([
    ['R18 at the end', 'end', '2025-02-01 Churn/cancellation 2000>0 q1>0', 3],
    ['R18 at the request', 'request', '2025-01-10 Churn/cancellation 2000>0 q1>0', 2],
  ] as const)('%s', (_, churnAt, last, count) => {
    const texts = ledger({ subscriptions, invoices: january, policy: { churnAt }, asOf: '2025-02-02' })
    expect(texts).toHaveLength(count)
    expect(texts.at(-1)).toBe(last)
  })
})

describe('R17 settings', () => {
  const at = (status: string, policy: Partial<MrrPolicy>, asOf = '2025-03-20'): string | undefined =>
    ledger({
      subscriptions: [subscription([item(pro)], { status })],
      invoices: [
        ...january,
        ...renewals(pro, 1, ['2025-02-01']).map((bill) => ({ ...bill, status: 'open' })),
      ],
      policy,
      asOf,
    }).at(-1)

  test.each([
    ['R17 unpaid churns', 'unpaid', { unpaid: 'churn' }, '2025-02-01 Churn/cancellation 2000>0 q1>0'],
    ['R17 unpaid counts', 'unpaid', { unpaid: 'counts' }, '2025-01-01 New/new_subscription 0>2000 q0>1'],
    ['R17 past due counts', 'past_due', {}, '2025-01-01 New/new_subscription 0>2000 q0>1'],
    [
      'R17 past due ends after 30 days',
      'past_due',
      { pastDueChurnAfterDays: 30 },
      '2025-03-03 Churn/cancellation 2000>0 q1>0',
    ],
    [
      'R17 past due goes on before the 60 days are over',
      'past_due',
      { pastDueChurnAfterDays: 60 },
      '2025-01-01 New/new_subscription 0>2000 q0>1',
    ],
  ] as const)('%s', (_, status, policy, last) => {
    expect(at(status, policy)).toBe(last)
  })
})

describe('R35 setting: cancelled and made again', () => {
  const own = { subscriptionId: 'sub_2', subscriptionItemId: 'si_2' }
  const ends = { status: 'canceled', canceledAt: on('2025-01-10'), endedAt: on('2025-01-10T12:00:00Z') }
  const again = subscription([item(pro, 1, { id: 'si_2' })], { id: 'sub_2', createdAt: on('2025-01-10') })
  const statusWith = (policy: Partial<MrrPolicy>): string | undefined =>
    ledger({
      subscriptions: [subscription([item(pro)], ends), again],
      invoices: [...january, invoice('2025-01-10', [line(pro, 1, { from: '2025-01-10', ...own })], own)],
      policy,
      asOf: '2025-01-20',
    })
      .find((text) => text.startsWith('2025-01-10 ') && !text.includes('cancellation'))
      ?.split(' ')[1]

  test.each([
    ['R35 within a day it is never New', {}, 'Reactivation/reactivation'],
    ['R35 switched off', { recreateWithinSeconds: 0 }, 'New/new_subscription'],
    ['R35 after the time given', { recreateWithinSeconds: 3600 }, 'New/new_subscription'],
  ] as const)('%s', (_, policy, expected) => {
    expect(statusWith(policy)).toBe(expected)
  })
})

describe('R2 settings: how many weeks and days a month has', () => {
  test.each([
    ['R2 52/12 weeks', 'week', {}, 4333],
    ['R2 4 weeks', 'week', { weeksPerMonth: [4, 1] }, 4000],
    ['R2 365/12 days', 'day', {}, 30_417],
    ['R2 30 days', 'day', { daysPerMonth: [30, 1] }, 30_000],
  ] as const)('%s', (_, every, policy, cents) => {
    const of = price('p', 1000, every)
    const account = { subscriptions: [subscription([item(of)])], invoices: renewals(of, 1, ['2025-01-01']) }
    expect(ledger({ ...account, policy, asOf: '2025-01-02' })[0]).toContain(`0>${cents}`)
  })
})
