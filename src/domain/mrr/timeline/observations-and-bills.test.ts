import { expect, test } from 'vitest'
import { invoice, item, line, on, price, prorations, renewals, subscription } from '#test/mrr/examples.ts'
import { replayAccount } from '#test/mrr/replay-account.ts'

const pro = price('pro', 2000)
const seat = price('seat', 1000)
const january = renewals(pro, 1, ['2025-01-01'])
const ofSeat = { subscriptionItemId: 'si_2' }
const asSeen = (quantity: number) => [
  subscription([item(pro), item(seat, quantity, { id: 'si_2', createdAt: on('2025-01-10') })]),
]
const bought = line(seat, 2, {
  ...ofSeat,
  from: '2025-01-10',
  to: '2025-02-01',
  amountCents: 1419,
  isProration: true,
})

test('R21 bills move a change of a new item, seen before any of them, to its own day', () => {
  const grown = prorations(
    { of: seat, quantity: 2, amountCents: 774 },
    { of: seat, quantity: 6, amountCents: 2323 },
    { ...ofSeat, from: '2025-01-20', to: '2025-02-01' },
  )
  const lines = [
    bought,
    ...grown,
    line(pro, 1, { from: '2025-02-01' }),
    line(seat, 6, { ...ofSeat, from: '2025-02-01' }),
  ]
  const billed = {
    subscriptions: asSeen(6),
    invoices: [...january, invoice('2025-02-01', lines)],
    asOf: '2025-02-02',
  }
  const [first, dated] = replayAccount(
    { subscriptions: asSeen(6), invoices: january, asOf: '2025-01-21' },
    billed,
  )
  const [fresh] = replayAccount(billed)
  expect(first?.texts[1]).toBe('2025-01-10 Upgrade/plan_change 2000>8000 q1>7')
  expect(dated?.texts.slice(1)).toEqual([
    '2025-01-10 Upgrade/plan_change 2000>4000 q1>3',
    '2025-01-20 Upgrade/quantity_change 4000>8000 q3>7',
  ])
  expect(dated?.texts).toEqual(fresh?.texts)
  expect(dated?.events[1]?.id).toBe(first?.events[1]?.id)
})

test('R20 what such an item has more than its bill counts from when it was seen beside that bill', () => {
  const [, beside, renewed] = replayAccount(
    { subscriptions: asSeen(6), invoices: january, asOf: '2025-01-21' },
    { subscriptions: asSeen(6), invoices: [...january, invoice('2025-01-22', [bought])], asOf: '2025-01-23' },
    {
      subscriptions: asSeen(6),
      invoices: [
        ...january,
        invoice('2025-01-22', [bought]),
        invoice('2025-02-01', [
          line(pro, 1, { from: '2025-02-01' }),
          line(seat, 6, { ...ofSeat, from: '2025-02-01' }),
        ]),
      ],
      asOf: '2025-02-02',
    },
  )
  expect(beside?.texts.slice(1)).toEqual([
    '2025-01-10 Upgrade/plan_change 2000>4000 q1>3',
    '2025-01-23 Upgrade/quantity_change 4000>8000 q3>7',
  ])
  expect(renewed?.events).toEqual(beside?.events)
})

test('R21 a credit moves the end of an item, seen with a new one before any bill, to its own day', () => {
  const old = { subscriptionItemId: 'si_3' }
  const first = invoice('2025-01-01', [
    line(pro, 1, { from: '2025-01-01' }),
    line(seat, 1, { ...old, from: '2025-01-01' }),
  ])
  const givenBack = line(seat, 1, {
    ...old,
    from: '2025-01-20',
    to: '2025-02-01',
    amountCents: -387,
    isProration: true,
    isCredit: true,
  })
  const billed = {
    subscriptions: asSeen(2),
    invoices: [first, invoice('2025-01-22', [bought, givenBack])],
    asOf: '2025-01-23',
  }
  const [, dated] = replayAccount({ subscriptions: asSeen(2), invoices: [first], asOf: '2025-01-21' }, billed)
  const [fresh] = replayAccount(billed)
  expect(dated?.texts.slice(1)).toEqual([
    '2025-01-10 Upgrade/quantity_change 3000>5000 q2>4',
    '2025-01-20 Downgrade/quantity_change 5000>4000 q4>3',
  ])
  expect(dated?.texts).toEqual(fresh?.texts)
})
