import { expect, test } from 'vitest'
import {
  coupon,
  discount,
  type ExampleAccount,
  invoice,
  item,
  line,
  on,
  price,
  prorations,
  renewals,
  subscription,
} from '#test/mrr/examples.ts'
import { replayAccount } from '#test/mrr/replay-account.ts'
import { fromStoredObservation, toStoredObservation } from './stored-observation.ts'

const pro = price('pro', 2000)
const january = renewals(pro, 1, ['2025-01-01'])

test('R20 a switch without proration stays dated as it was first seen', () => {
  const subscriptions = [subscription([item(pro, 3)])]
  const [first, later, renewed] = replayAccount(
    { subscriptions, invoices: january, asOf: '2025-01-20' },
    { subscriptions, invoices: january, asOf: '2025-01-25' },
    { subscriptions, invoices: [...january, ...renewals(pro, 3, ['2025-02-01'])], asOf: '2025-02-02' },
  )
  expect(first?.texts[1]).toBe('2025-01-20 Upgrade/quantity_change 2000>6000 q1>3')
  expect(later?.events).toEqual(first?.events)
  expect(renewed?.events).toEqual(first?.events)
})

test('R21 an import in the very second of a creation dates it as a later one does', () => {
  const subscriptions = [subscription([item(pro)])]
  const seenAtOnce = { subscriptions, invoices: [], asOf: '2025-01-01' }
  const billed = { subscriptions, invoices: january, asOf: '2025-01-02' }
  const [unbilled, followed] = replayAccount(seenAtOnce, billed)
  const [fresh] = replayAccount(billed)
  expect(unbilled?.events).toHaveLength(1)
  expect(followed?.events).toEqual(fresh?.events)
})

test('R21 an invoice that dates the change later moves it to the right instant under the same id', () => {
  const subscriptions = [subscription([item(pro, 3)])]
  const change = prorations(
    { of: pro, quantity: 1, amountCents: 1032 },
    { of: pro, quantity: 3, amountCents: 3096 },
    { from: '2025-01-16', to: '2025-02-01' },
  )
  const february = invoice('2025-02-01', [...change, line(pro, 3, { from: '2025-02-01' })])
  const [first, dated] = replayAccount(
    { subscriptions, invoices: january, asOf: '2025-01-20' },
    { subscriptions, invoices: [...january, february], asOf: '2025-02-02' },
  )
  expect(first?.texts[1]).toBe('2025-01-20 Upgrade/quantity_change 2000>6000 q1>3')
  expect(dated?.texts).toEqual([
    '2025-01-01 New/new_subscription 0>2000 q0>1',
    '2025-01-16 Upgrade/quantity_change 2000>6000 q1>3',
  ])
  expect(dated?.events[1]?.id).toBe(first?.events[1]?.id)
})

test('R20 each of several unbilled switches is remembered', () => {
  const at = (quantity: number, asOf: string): ExampleAccount => ({
    subscriptions: [subscription([item(pro, quantity)])],
    invoices: january,
    asOf,
  })
  const runs = replayAccount(
    at(3, '2025-01-10'),
    at(5, '2025-01-12'),
    at(1, '2025-01-14'),
    at(1, '2025-01-20'),
  )
  expect(runs.at(-1)?.texts).toEqual([
    '2025-01-01 New/new_subscription 0>2000 q0>1',
    '2025-01-10 Upgrade/quantity_change 2000>6000 q1>3',
    '2025-01-12 Upgrade/quantity_change 6000>10000 q3>5',
    '2025-01-14 Downgrade/quantity_change 10000>2000 q5>1',
  ])
})

test('R37 two sights of one second are one', () => {
  const at = (quantity: number): ExampleAccount => ({
    subscriptions: [subscription([item(pro, quantity)])],
    invoices: january,
    asOf: '2025-01-10',
  })
  expect(replayAccount(at(3), at(5)).at(-1)?.texts[1]).toBe(
    '2025-01-10 Upgrade/quantity_change 2000>10000 q1>5',
  )
})

const quarterOff = coupon('quarter', { percentOff: 25 })

test('R6 a coupon just added counts from when it was first seen, and its first invoice changes nothing', () => {
  const added = discount(quarterOff, { startedAt: on('2025-01-18') })
  const subscriptions = [subscription([item(pro)], { discounts: [added] })]
  const february = invoice('2025-02-01', [
    line(pro, 1, { from: '2025-02-01', discounts: [{ id: added.id, amountCents: 500 }] }),
  ])
  const [first, , billed] = replayAccount(
    { subscriptions, invoices: january, asOf: '2025-01-20' },
    { subscriptions, invoices: january, asOf: '2025-01-30' },
    { subscriptions, invoices: [...january, february], asOf: '2025-02-02' },
  )
  expect(first?.texts[1]).toBe('2025-01-20 Downgrade/price_change 2000>1500 q1>1')
  expect(billed?.events).toEqual(first?.events)
})

test('R6 a coupon that was added and taken away again before any invoice leaves two events', () => {
  const added = discount(quarterOff, { startedAt: on('2025-01-18') })
  const runs = replayAccount(
    {
      subscriptions: [subscription([item(pro)], { discounts: [added] })],
      invoices: january,
      asOf: '2025-01-20',
    },
    { subscriptions: [subscription([item(pro)])], invoices: january, asOf: '2025-01-22' },
  )
  expect(runs.at(-1)?.texts.slice(1)).toEqual([
    '2025-01-20 Downgrade/price_change 2000>1500 q1>1',
    '2025-01-22 Upgrade/price_change 1500>2000 q1>1',
  ])
})

test('R6 a second coupon comes off what the billed one left', () => {
  const billed = discount(coupon('ten', { percentOff: 10 }), { startedAt: on('2024-12-01') })
  const added = discount(quarterOff, { startedAt: on('2025-01-18') })
  const bill = invoice('2025-01-01', [
    line(pro, 1, { from: '2025-01-01', discounts: [{ id: billed.id, amountCents: 200 }] }),
  ])
  const subscriptions = [subscription([item(pro)], { discounts: [billed, added] })]
  const [made] = replayAccount({ subscriptions, invoices: [bill], asOf: '2025-01-20' })
  expect(made?.texts[1]).toBe('2025-01-20 Downgrade/price_change 1800>1350 q1>1')
})

test('R6 a coupon in place of the billed one counts alone, and its first invoice changes nothing', () => {
  const billed = discount(coupon('ten', { percentOff: 10 }), { startedAt: on('2024-12-01') })
  const later = discount(quarterOff, { startedAt: on('2025-01-18') })
  const bill = (day: string, one: typeof later, amountCents: number) =>
    invoice(day, [line(pro, 1, { from: day, discounts: [{ id: one.id, amountCents }] })], {
      discounts: [one],
    })
  const first = bill('2025-01-01', billed, 200)
  const subscriptions = [subscription([item(pro)], { discounts: [later] })]
  const runs = replayAccount(
    { subscriptions, invoices: [first], asOf: '2025-01-20' },
    { subscriptions, invoices: [first, bill('2025-02-01', later, 500)], asOf: '2025-02-02' },
  )
  const texts = [
    '2025-01-01 New/new_subscription 0>1800 q0>1',
    '2025-01-20 Downgrade/price_change 1800>1500 q1>1',
  ]
  expect(runs.map((run) => run.texts)).toEqual([texts, texts])
})

test('R6 a coupon older than the bill that does not carry it is no change', () => {
  const older = discount(quarterOff, { startedAt: on('2024-12-18') })
  const subscriptions = [subscription([item(pro)], { discounts: [older] })]
  expect(replayAccount({ subscriptions, invoices: january, asOf: '2025-01-20' })[0]).toMatchObject({
    fresh: 0,
  })
})

test('R7 a coupon of the customer lowers what no invoice shows, unless the subscription has its own', () => {
  const ofCustomer = discount(coupon('half', { percentOff: 50 }), { startedAt: on('2025-01-10') })
  const own = discount(quarterOff, { startedAt: on('2025-01-01') })
  const account = { customerDiscounts: [ofCustomer], asOf: '2025-01-20' }
  expect(replayAccount({ ...account, subscriptions: [subscription([item(pro)])] })[0]?.texts).toEqual([
    '2025-01-01 New/new_subscription 0>2000 q0>1',
    '2025-01-20 Downgrade/price_change 2000>1000 q1>1',
  ])
  expect(
    replayAccount({ ...account, subscriptions: [subscription([item(pro)])], invoices: january })[0]?.texts[1],
  ).toBe('2025-01-20 Downgrade/price_change 2000>1000 q1>1')
  const withOwn = subscription([item(pro)], { discounts: [own] })
  expect(replayAccount({ ...account, subscriptions: [withOwn] })[0]?.texts).toEqual([
    '2025-01-01 New/new_subscription 0>1500 q0>1',
  ])
})

test('R14 an item taken away without a credit is gone from when that was first seen', () => {
  const extra = price('extra', 500)
  const bill = invoice('2025-01-01', [
    line(pro, 1, { from: '2025-01-01' }),
    line(extra, 1, { from: '2025-01-01', subscriptionItemId: 'si_2' }),
  ])
  const subscriptions = [subscription([item(pro)])]
  const account = { subscriptions, invoices: [bill], prices: [extra] }
  const [first, later] = replayAccount(
    { ...account, asOf: '2025-01-20' },
    { ...account, invoices: [bill, ...renewals(pro, 1, ['2025-02-01'])], asOf: '2025-02-20' },
  )
  expect(first?.texts[1]).toBe('2025-01-20 Downgrade/plan_change 2500>2000 q2>1')
  expect(later?.events).toEqual(first?.events)
})

test('R19 an item in the place of another, at a new cycle, is one change whether its invoice is read with it or later', () => {
  const [year, dear] = [price('year', 12_000, 'year'), price('dear', 36_000, 'year')]
  const bills = renewals(year, 1, ['2025-01-01'])
  const next = invoice('2025-07-01', [line(dear, 1, { from: '2025-07-01', subscriptionItemId: 'si_2' })])
  const july = { createdAt: on('2025-07-01'), periodStart: on('2025-07-01'), periodEnd: on('2026-07-01') }
  const replaced = { subscriptions: [subscription([item(dear, 1, { id: 'si_2', ...july })])], prices: [year] }
  const before = { ...replaced, invoices: bills, asOf: '2025-07-01T00:00:30Z' }
  const after = (asOf: string) => ({ ...replaced, invoices: [...bills, next], asOf })
  const ledger = [
    '2025-01-01 New/new_subscription 0>1000 q0>1',
    '2025-07-01 Upgrade/plan_change 1000>3000 q1>1',
  ]
  const looks = [
    ...replayAccount(before, after('2025-07-01T00:02:00Z'), after('2026-03-01')),
    ...replayAccount(after('2025-07-01T00:02:00Z'), after('2026-03-01')),
  ]
  for (const { texts } of looks) expect(texts).toEqual(ledger)
})

test('R20 a price that rises while invoices stay drafts keeps the period in which it was first seen', () => {
  const dear = price('pro2', 3000, 'month', { productId: 'prod_pro' })
  const at = (period: string, asOf: string): ExampleAccount => ({
    subscriptions: [subscription([item(dear, 1, { periodStart: on(period), periodEnd: on(asOf) })])],
    invoices: january,
    prices: [pro],
    asOf,
  })
  const [first, later] = replayAccount(at('2025-02-01', '2025-02-10'), at('2025-03-01', '2025-03-10'))
  expect(first?.texts[1]).toBe('2025-02-01 Upgrade/price_change 2000>3000 q1>1')
  expect(later?.events).toEqual(first?.events)
})

test('R16 a subscription that only later gets its invoice keeps the id of its New', () => {
  const subscriptions = [subscription([item(pro)])]
  const [first, billed] = replayAccount(
    { subscriptions, asOf: '2025-01-01' },
    { subscriptions, invoices: january, asOf: '2025-01-02' },
  )
  expect(billed?.events[0]).toMatchObject({ id: first?.events[0]?.id, invoiceId: 'in_2025-01-01' })
})

test('R34 a switch in another currency of the price is priced in it', () => {
  const euro = price('pro', 2000, 'month', {
    currencyOptions: { eur: { unitAmountDecimal: '1800', tiers: null } },
  })
  const bill = invoice(
    '2025-01-01',
    [line(pro, 1, { from: '2025-01-01', amountCents: 1800, unitAmountDecimal: '1800' })],
    { currency: 'eur' },
  )
  const more = { currency: 'eur' }
  const subscriptions = [subscription([item(euro, 2)], more)]
  const [made] = replayAccount({ subscriptions, invoices: [bill], asOf: '2025-01-20' })
  expect(made?.texts).toEqual([
    '2025-01-01 New/new_subscription 0>1800 q0>1',
    '2025-01-20 Upgrade/quantity_change 1800>3600 q1>2',
  ])
})

test('R34 without that amount the last bill tells what a unit costs', () => {
  const bill = invoice(
    '2025-01-01',
    [line(pro, 1, { from: '2025-01-01', amountCents: 1800, unitAmountDecimal: '1800' })],
    { currency: 'eur' },
  )
  const subscriptions = [subscription([item(pro, 2)], { currency: 'eur' })]
  const [made] = replayAccount({ subscriptions, invoices: [bill], asOf: '2025-01-20' })
  expect(made?.texts[1]).toBe('2025-01-20 Upgrade/quantity_change 1800>3600 q1>2')
})

test('what is kept but cannot be read is left out', () => {
  const kept = ['no JSON', 'null', '{}'].map((stateKey) =>
    fromStoredObservation({ id: 'a', subscriptionId: 'sub_1', seenAt: on('2025-01-05'), stateKey }),
  )
  expect(kept).toEqual([undefined, undefined, undefined])
})

test('what was kept first stays readable, word for word', () => {
  const texts = [
    '{"asked":true}',
    '{"counted":true}',
    '{"endedAs":"paused","items":[],"discounts":[],"changed":["si_1"],"closed":["si_2"],"inside":["si_1"]}',
  ]
  const read = texts.map((stateKey) =>
    fromStoredObservation({ id: 'a', subscriptionId: 'sub_1', seenAt: 1, stateKey }),
  )
  const [asked, counted, state] = read
  expect([asked?.kind, counted?.kind]).toEqual(['asked', 'counted'])
  expect(state).toMatchObject({
    kind: 'observed',
    at: 1,
    endedAs: 'paused',
    changedIds: ['si_1'],
    endedIds: ['si_2'],
    insidePeriodIds: ['si_1'],
  })
  expect(read.map((one) => one && toStoredObservation(one).stateKey)).toEqual(texts)
})
