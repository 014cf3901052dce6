import { expect, test } from 'vitest'
import {
  type ExampleAccount,
  invoice,
  item,
  line,
  on,
  price,
  renewals,
  subscription,
} from '#test/mrr/examples.ts'
import { replayAccount } from '#test/mrr/replay-account.ts'

const pro = price('pro', 2000)
const january = renewals(pro, 1, ['2025-01-01'])

test('R17 unpaid stays dated as it was first seen, and what comes after is a Reactivation', () => {
  const held = (status: string, asOf: string, invoices = january): ExampleAccount => ({
    subscriptions: [subscription([item(pro)], { status })],
    invoices,
    asOf,
  })
  const runs = replayAccount(
    held('unpaid', '2025-01-20'),
    held('unpaid', '2025-01-22'),
    held('active', '2025-01-25'),
    held('active', '2025-02-10', [...january, ...renewals(pro, 1, ['2025-02-01'])]),
    held('unpaid', '2025-03-05', [...january, ...renewals(pro, 1, ['2025-02-01'])]),
  )
  expect(runs[1]?.texts).toEqual([
    '2025-01-01 New/new_subscription 0>2000 q0>1',
    '2025-01-20 Churn/cancellation 2000>0 q1>0',
  ])
  expect(runs.at(-1)?.texts.slice(2)).toEqual([
    '2025-01-25 Reactivation/reactivation 0>2000 q0>1',
    '2025-03-05 Churn/cancellation 2000>0 q1>0',
  ])
  expect(new Set(runs.at(-1)?.events.map(({ id }) => id)).size).toBe(4)
})

test('R17 seen to count after its invoice was not paid, unpaid is dated as it was first seen', () => {
  const invoices = [
    ...january,
    ...renewals(pro, 1, ['2025-02-01']).map((bill) => ({ ...bill, status: 'open' })),
  ]
  const at = (status: string, asOf: string): ExampleAccount => ({
    subscriptions: [subscription([item(pro)], { status })],
    invoices,
    asOf,
  })
  const unseen = replayAccount(at('unpaid', '2025-02-22'))
  expect(unseen.at(-1)?.texts.at(-1)).toBe('2025-02-01 Churn/cancellation 2000>0 q1>0')
  const seen = replayAccount(
    at('past_due', '2025-02-03'),
    at('past_due', '2025-02-10'),
    at('unpaid', '2025-02-22'),
  )
  expect(seen.map(({ fresh }) => fresh)).toEqual([1, 0, 1])
  expect(seen.at(-1)?.texts.at(-1)).toBe('2025-02-22 Churn/cancellation 2000>0 q1>0')
})

test('R17 a pause is remembered after it was lifted', () => {
  const paused = subscription([item(pro)], { status: 'paused', pausedAt: on('2025-01-15') })
  const runs = replayAccount(
    { subscriptions: [paused], invoices: january, asOf: '2025-01-20' },
    {
      subscriptions: [subscription([item(pro)])],
      invoices: [...january, ...renewals(pro, 1, ['2025-03-01'])],
      asOf: '2025-03-02',
    },
  )
  expect(runs.at(-1)?.texts.slice(1)).toEqual([
    '2025-01-15 Churn/cancellation 2000>0 q1>0',
    '2025-03-01 Reactivation/reactivation 0>2000 q0>1',
  ])
})

test.each([
  { name: 'a new cycle', after: line(pro, 1, { from: '2025-01-20' }) },
  {
    name: 'the rest of the period',
    after: line(pro, 1, { from: '2025-01-20', to: '2025-02-01', amountCents: 774, isProration: true }),
  },
])('R17 a pause that gave money back keeps its Churn once $name is billed', ({ after }) => {
  const back = { amountCents: -1032, isProration: true, isCredit: true }
  const credit = invoice('2025-01-15', [line(pro, 1, { from: '2025-01-15', to: '2025-02-01', ...back })])
  const asPaused = { status: 'paused', pausedAt: on('2025-01-15T00:00:01Z') }
  const bills = [...january, credit]
  const again = [...bills, invoice('2025-01-20', [after])]
  const runs = replayAccount(
    { subscriptions: [subscription([item(pro)], asPaused)], invoices: bills, asOf: '2025-01-16' },
    { subscriptions: [subscription([item(pro)], asPaused)], invoices: again, asOf: '2025-01-21' },
    { subscriptions: [subscription([item(pro)])], invoices: again, asOf: '2025-01-22' },
  )
  expect(runs[1]?.events).toEqual(runs[0]?.events)
  expect(runs[2]?.events.slice(0, 2)).toEqual(runs[0]?.events)
  expect(runs[2]?.texts.slice(1)).toEqual([
    '2025-01-15T00:00:01Z Churn/cancellation 2000>0 q1>0',
    '2025-01-20 Reactivation/reactivation 0>2000 q0>1',
  ])
})

test('R30 the row of a planned cancellation stays when it is taken back, and a second request makes another', () => {
  const asked = (day: string) => ({ cancelAtPeriodEnd: true, canceledAt: on(day) })
  const at = (more: object, asOf: string): ExampleAccount => ({
    subscriptions: [subscription([item(pro)], more)],
    invoices: january,
    asOf,
  })
  const runs = replayAccount(
    at(asked('2025-01-10'), '2025-01-11'),
    at({}, '2025-01-15'),
    at(asked('2025-01-20'), '2025-01-21'),
    at({ ...asked('2025-01-20'), status: 'canceled', endedAt: on('2025-02-01') }, '2025-02-02'),
  )
  expect(runs[1]?.events).toEqual(runs[0]?.events)
  expect(runs.at(-1)?.texts).toEqual([
    '2025-01-01 New/new_subscription 0>2000 q0>1',
    '2025-01-10 Planned_Cancellation/cancellation 2000>2000 q1>1',
    '2025-01-20 Planned_Cancellation/cancellation 2000>2000 q1>1',
    '2025-02-01 Churn/cancellation 2000>0 q1>0',
  ])
})

test('R16 New while the first paid invoice is still a draft keeps its id when that is issued', () => {
  const trial = { trialStart: on('2025-01-01'), trialEnd: on('2025-01-15') }
  const onTrial = invoice('2025-01-01', [
    line(pro, 1, { from: '2025-01-01', to: '2025-01-15', amountCents: 0 }),
  ])
  const [first] = renewals(pro, 1, ['2025-01-15'])
  const at = (status: string, asOf: string): ExampleAccount => ({
    subscriptions: [subscription([item(pro)], trial)],
    invoices: first ? [onTrial, { ...first, status }] : [],
    asOf,
  })
  const [drafted, issued] = replayAccount(
    at('draft', '2025-01-15T00:30:00Z'),
    at('open', '2025-01-15T02:00:00Z'),
  )
  expect(drafted?.texts).toEqual(['2025-01-15 New/new_subscription 0>2000 q0>1'])
  expect(issued?.texts).toEqual(drafted?.texts)
  expect(issued?.events[0]?.id).toBe(drafted?.events[0]?.id)
})

test('R14 an item that went in silence stays gone when its subscription was seen to pause after', () => {
  const extra = price('extra', 500)
  const both = invoice('2024-12-01', [
    line(pro, 1, { from: '2024-12-01' }),
    line(extra, 1, { from: '2024-12-01', subscriptionItemId: 'si_2' }),
  ])
  const at = (asOf: string): ExampleAccount => ({
    subscriptions: [subscription([item(pro)], { status: 'paused', pausedAt: on('2025-01-15') })],
    invoices: [both, ...january],
    prices: [extra],
    asOf,
  })
  const runs = replayAccount(at('2025-01-16'), at('2025-01-20'))
  expect(runs[0]?.texts.slice(1)).toEqual([
    '2025-01-01 Downgrade/plan_change 2500>2000 q2>1',
    '2025-01-15 Churn/cancellation 2000>0 q1>0',
  ])
  expect(runs[1]?.texts).toEqual(runs[0]?.texts)
})

test('R16 a resumed trial is New when it was resumed, seen before its invoice or after', () => {
  const free = invoice('2025-01-01', [line(pro, 1, { from: '2025-01-01', to: '2025-01-15', amountCents: 0 })])
  const trial = { trialStart: on('2025-01-01'), trialEnd: on('2025-01-15') }
  const resumed = subscription(
    [item(pro, 1, { periodStart: on('2025-01-28'), periodEnd: on('2025-02-28') })],
    { ...trial, anchorAt: on('2025-01-28') },
  )
  const paused = subscription([item(pro)], { ...trial, status: 'paused', anchorAt: on('2025-01-15') })
  const invoices = [free, ...renewals(pro, 1, ['2025-01-28'])]
  const runs = replayAccount(
    { subscriptions: [paused], invoices: [free], asOf: '2025-01-20' },
    { subscriptions: [resumed], invoices: [free], asOf: '2025-01-28T00:01:00Z' },
    { subscriptions: [resumed], invoices, asOf: '2025-01-29' },
  )
  const atOnce = replayAccount({ subscriptions: [resumed], invoices, asOf: '2025-01-29' })
  const born = ['2025-01-28 New/new_subscription 0>2000 q0>1']
  expect([...runs, ...atOnce].map(({ texts }) => texts)).toEqual([[], born, born, born])
})

test('R16 a resumed trial that goes on in the period of its pause is New when it was first seen again', () => {
  const trial = { trialStart: on('2025-01-01'), trialEnd: on('2025-01-15'), anchorAt: on('2025-01-15') }
  const free = invoice('2025-01-01', [line(pro, 1, { from: '2025-01-01', to: '2025-01-15', amountCents: 0 })])
  const held = item(pro, 1, { periodStart: on('2025-01-15'), periodEnd: on('2025-02-15') })
  const at = (status: string, asOf: string, invoices = [free]): ExampleAccount => ({
    subscriptions: [subscription([held], { ...trial, status })],
    invoices,
    asOf,
  })
  const runs = replayAccount(
    at('paused', '2025-01-20'),
    at('paused', '2025-01-22'),
    at('active', '2025-01-29'),
    at('active', '2025-02-20', [free, ...renewals(pro, 1, ['2025-02-15'])]),
  )
  expect(runs.map(({ fresh }) => fresh)).toEqual([1, 0, 1, 0])
  const born = ['2025-01-29 New/new_subscription 0>2000 q0>1']
  expect(runs.map(({ texts }) => texts)).toEqual([[], [], born, born])
})
