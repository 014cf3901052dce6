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
  prorations,
  renewals,
  subscription,
} from './examples.ts'

const plan = price('pro', 2000)
const off = (amountCents: number) => ({ discounts: [{ id: 'di_c', amountCents }] })
const year = price('year', 99_900, 'year')

describe('a part of a period carries to the whole without drift, so the renewal is silent (R20)', () => {
  test('R13 33% on the lines of a change inside the period', () => {
    const seat = price('seat', 999)
    const [credit, debit] = prorations(
      { of: seat, quantity: 1, amountCents: 77 },
      { of: seat, quantity: 7, amountCents: 541 },
      { from: '2025-01-29T16:00:00Z', to: '2025-02-01' },
    )
    const change = [credit, { ...debit, discountCents: 179, ...off(179) }].filter(
      (entry) => entry !== undefined,
    )
    const invoices = [
      invoice('2025-01-01', [line(seat, 1, { from: '2025-01-01', ...off(330) })]),
      invoice(
        '2025-01-30',
        change.map((entry) => ({ ...line(seat, 1, { from: '2025-01-01' }), ...entry })),
      ),
      invoice('2025-02-01', [line(seat, 7, { from: '2025-02-01', ...off(2308) })]),
    ]
    expect(ledger({ subscriptions: [subscription([item(seat, 7)])], invoices, asOf: '2025-02-02' })).toEqual([
      '2025-01-01 New/new_subscription 0>669 q0>1',
      '2025-01-29T16:00:00Z Upgrade/quantity_change 669>4685 q1>7',
    ])
  })

  test('R35 a stub under a percentage', () => {
    const stub = line(plan, 1, {
      from: '2025-01-20',
      to: '2025-02-01',
      amountCents: 774,
      isProration: true,
      ...off(255),
    })
    const invoices = [
      invoice('2025-01-20', [stub]),
      invoice('2025-02-01', [line(plan, 1, { from: '2025-02-01', ...off(660) })]),
    ]
    expect(
      ledger({
        subscriptions: [subscription([item(plan)], { createdAt: on('2025-01-20') })],
        invoices,
        asOf: '2025-02-02',
      }),
    ).toEqual(['2025-01-20 New/new_subscription 0>1340 q0>1'])
  })

  test('R5 a stub under a fixed amount, the coupon unknown: the renewal tells', () => {
    const stub = line(plan, 1, {
      from: '2025-01-20',
      to: '2025-02-01',
      amountCents: 774,
      isProration: true,
      ...off(500),
    })
    const invoices = [
      invoice('2025-01-20', [stub]),
      invoice('2025-02-01', [line(plan, 1, { from: '2025-02-01', ...off(500) })]),
    ]
    expect(
      ledger({
        subscriptions: [subscription([item(plan)], { createdAt: on('2025-01-20') })],
        invoices,
        asOf: '2025-02-02',
      }),
    ).toEqual(['2025-01-20 New/new_subscription 0>1500 q0>1'])
  })

  test('R5 the same stub alone, the coupon known', () => {
    const five = discount(coupon('c', { amountOffCents: 500, currency: 'usd' }))
    const stub = line(plan, 1, {
      from: '2025-01-20',
      to: '2025-02-01',
      amountCents: 774,
      isProration: true,
      ...off(500),
    })
    const invoices = [invoice('2025-01-20', [stub], { discounts: [five] })]
    expect(
      ledger({ subscriptions: [subscription([item(plan)])], invoices, asOf: '2025-01-21' })[0],
    ).toContain('0>1500')
  })

  test('R9 inclusive tax of 19% on a stub', () => {
    const stub = line(plan, 1, {
      from: '2025-01-20',
      to: '2025-02-01',
      amountCents: 774,
      isProration: true,
      inclusiveTaxCents: 124,
    })
    const invoices = [
      invoice('2025-01-20', [stub]),
      invoice('2025-02-01', [line(plan, 1, { from: '2025-02-01', inclusiveTaxCents: 319 })]),
    ]
    expect(
      ledger({
        subscriptions: [subscription([item(plan)], { createdAt: on('2025-01-20') })],
        invoices,
        asOf: '2025-02-02',
      }),
    ).toEqual(['2025-01-20 New/new_subscription 0>1681 q0>1'])
  })

  test('R32 a coupon inside the amount of what had elapsed', () => {
    const half = discount(coupon('half', { percentOff: 50 }))
    const elapsed = line(plan, 1, {
      from: '2024-11-01',
      to: '2025-02-01',
      amountCents: 3000,
      isProration: true,
    })
    const backdated = subscription([item(plan)], {
      startedAt: on('2024-11-01'),
      createdAt: on('2025-01-15'),
      discounts: [half],
    })
    expect(
      ledger({
        subscriptions: [backdated],
        invoices: [invoice('2025-01-15', [elapsed])],
        asOf: '2025-01-16',
      }),
    ).toEqual(['2024-11-01 New/new_subscription 0>1000 q0>1'])
  })
})

describe('credits that are worth nothing', () => {
  const free = price('free', 0)
  const options = { from: '2025-01-16', to: '2025-02-01' }

  test('R10 from a free plan the credit of 0 is not what stands', () => {
    const [credit, debit] = prorations(
      { of: free, quantity: 1, amountCents: 0 },
      { of: plan, quantity: 1, amountCents: 1032 },
      options,
    )
    const { isCredit: _, ...unmarked } = { ...line(free, 1, options), ...credit }
    const invoices = [
      ...renewals(free, 1, ['2025-01-01']),
      invoice('2025-01-16', debit ? [debit, unmarked] : []),
    ]
    expect(
      ledger({ subscriptions: [subscription([item(plan)])], invoices, prices: [free], asOf: '2025-01-20' }),
    ).toEqual(['2025-01-16 New/new_subscription 0>2000 q0>1'])
  })

  test('R11 inside a free month by coupon more seats are still worth nothing', () => {
    const once = discount(coupon('c', { percentOff: 100, duration: 'once' }))
    const change = prorations(
      { of: plan, quantity: 1, amountCents: 0 },
      { of: plan, quantity: 5, amountCents: 0 },
      options,
    )
    const unmarked = change.map(({ isCredit: _, ...rest }) => rest)
    const invoices = [
      invoice('2025-01-01', [line(plan, 1, { from: '2025-01-01', ...off(2000) })], { discounts: [once] }),
      invoice('2025-01-16', unmarked.reverse()),
      ...renewals(plan, 5, ['2025-02-01']),
    ]
    expect(ledger({ subscriptions: [subscription([item(plan, 5)])], invoices, asOf: '2025-02-02' })).toEqual([
      '2025-02-01 New/new_subscription 0>10000 q0>5',
    ])
  })
})

describe('switches of the interval (R19)', () => {
  test('R12 month to year inside the period: the year stands from the switch, the month is only given back', () => {
    const credit = line(plan, 1, {
      from: '2025-01-16',
      to: '2025-02-01',
      amountCents: -1032,
      isProration: true,
      isCredit: true,
    })
    const invoices = [
      ...renewals(plan, 1, ['2025-01-01']),
      invoice('2025-01-16', [line(year, 1, { from: '2025-01-16' }), credit]),
    ]
    expect(
      ledger({
        subscriptions: [subscription([item(year)])],
        invoices,
        prices: [plan],
        asOf: '2025-01-20',
      }).at(-1),
    ).toBe('2025-01-16 Upgrade/plan_change 2000>8325 q1>1')
  })
})

test('R18 seen from before its end, a subscription still goes on', () => {
  const ended = subscription([item(plan)], {
    status: 'canceled',
    canceledAt: on('2025-01-10'),
    endedAt: on('2025-02-01'),
  })
  expect(
    ledger({ subscriptions: [ended], invoices: renewals(plan, 1, ['2025-01-01']), asOf: '2025-01-20' }),
  ).toEqual([
    '2025-01-01 New/new_subscription 0>2000 q0>1',
    '2025-01-10 Planned_Cancellation/cancellation 2000>2000 q1>1',
  ])
})
