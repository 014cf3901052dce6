import { expect, test } from 'vitest'
import { invoice, item, line, on, price, rebuild, subscription } from '#test/mrr/examples.ts'
import { plus, rationalOfDecimal, textOf, zero } from '../exact/rational.ts'
import { ruleBookVersion } from './rule-book-version.ts'

const year = price('year', 10_000, 'year')
const seat = price('seat', 500)
const fee = line(price('setup', 9900), 1, {
  from: '2025-01-01',
  isSubscriptionItem: false,
  subscriptionItemId: null,
})
const account = {
  subscriptions: [subscription([item(year), item(seat, 3, { id: 'si_2' })])],
  invoices: [
    invoice('2025-01-01', [
      line(year, 1, {
        from: '2025-01-01',
        discounts: [{ id: 'di_c', amountCents: 1000 }],
        inclusiveTaxCents: 900,
      }),
      line(seat, 3, { from: '2025-01-01', subscriptionItemId: 'si_2' }),
      fee,
    ]),
  ],
  asOf: '2025-01-02',
}

test('a receipt shows what was used, what was not and why, and adds up exactly', () => {
  const made = rebuild(account)
  const receipt = made.receipts.ofEvent(made.events[0]?.id ?? '')
  expect(receipt).toMatchObject({
    ruleBookVersion,
    policyRevision: 0,
    currency: 'usd',
    mrrCents: 2175,
    sum: '2175',
    rounding: '0',
    rules: ['R1', 'R3', 'R4', 'R8', 'R9', 'R14', 'R21', 'R28'],
    dated: { reason: 'The start of the service period that first shows it', rule: 'R21' },
    ignored: [
      { invoiceId: 'in_2025-01-01', lineId: fee.id, amountCents: 9900, reason: 'One-off item', rule: 'R8' },
    ],
  })
  expect(receipt?.parts).toMatchObject([
    {
      itemId: 'si_1',
      gross: '10000',
      discount: '1000',
      inclusiveTax: '900',
      net: '8100',
      months: '12',
      monthly: '675',
    },
    {
      itemId: 'si_2',
      gross: '1500',
      discount: '0',
      inclusiveTax: '0',
      net: '1500',
      months: '1',
      monthly: '1500',
    },
  ])
  const sum = receipt?.parts.map(({ monthly }) => rationalOfDecimal(monthly) ?? zero).reduce(plus, zero)
  expect(textOf(sum ?? zero)).toBe(receipt?.sum)
})

test('R28 the rounding is a part of the receipt', () => {
  const single = { subscriptions: [subscription([item(year)])], asOf: '2025-01-02' }
  expect(rebuild(single).receipts.ofSubscription('sub_1')).toMatchObject({
    sum: '2500/3',
    rounding: '-1/3',
    mrrCents: 833,
  })
})

test('nothing is said of events and subscriptions that are not there', () => {
  const { receipts } = rebuild(account)
  expect(receipts.ofEvent('sub_1:never')).toBeUndefined()
  expect(receipts.ofSubscription('sub_9')).toBeUndefined()
})

test.each([
  ['unpaid', 'R17', { status: 'unpaid' }],
  ['ended', 'R18', { status: 'canceled', endedAt: Date.parse('2025-01-20T00:00:00Z') / 1000 }],
])('the end of a subscription that is %s is dated by %s', (_, rule, fields) => {
  const seats = subscription([item(seat, 3)], fields)
  const bills = [invoice('2025-01-01', [line(seat, 3, { from: '2025-01-01' })], { status: 'open' })]
  const made = rebuild({ subscriptions: [seats], invoices: bills, asOf: '2025-01-25' })
  const churn = made.events.at(-1)
  expect(churn?.mrrStatus).toBe('Churn')
  expect(made.receipts.ofEvent(churn?.id ?? '')?.rules).toEqual([rule, 'R28'])
})

const january = [invoice('2025-01-01', [line(seat, 3, { from: '2025-01-01' })])]
const february = [
  ...january,
  invoice('2025-02-01', [line(seat, 3, { from: '2025-02-01' })], { status: 'open' }),
]

test.each([
  [
    'the last invoice that was not paid',
    { status: 'unpaid' },
    february,
    '2025-02-20',
    /^The day of the last invoice that was not/,
  ],
  [
    'an invoice that was given up',
    { status: 'unpaid' },
    february.map((each) =>
      each.id === 'in_2025-02-01'
        ? { ...each, status: 'uncollectible', uncollectibleAt: on('2025-02-10') }
        : each,
    ),
    '2025-02-20',
    /^When an invoice was given up/,
  ],
  [
    'an invoice that was left a draft',
    { status: 'unpaid' },
    february.map((each) => (each.id === 'in_2025-02-01' ? { ...each, status: 'draft' } : each)),
    '2025-02-20',
    /^The day of the first invoice that was left a draft/,
  ],
  ['first sight', { status: 'unpaid' }, january, '2025-02-20', /^When the status was first seen/],
  [
    'the pause itself',
    { status: 'paused', pausedAt: on('2025-01-09') },
    january,
    '2025-02-20',
    /^When the subscr/,
  ],
  [
    'the last billed period',
    { status: 'paused' },
    january,
    '2025-02-20',
    /^The end of the last period that was billed/,
  ],
] as const)('R17, R18 an end says that it is dated by %s', (_, fields, invoices, asOf, reason) => {
  const made = rebuild({
    subscriptions: [subscription([item(seat, 3)], fields)],
    invoices: [...invoices],
    asOf,
  })
  const receipt = made.receipts.ofEvent(made.events.at(-1)?.id ?? '')
  expect(receipt?.dated?.reason).toMatch(reason)
  // The invoice that dates the end can be looked up.
  const shown = receipt?.ignored.map(({ invoiceId, rule, reason: why }) => `${invoiceId} ${rule} ${why}`)
  const isByInvoice = / invoice /.test(receipt?.dated?.reason ?? '')
  expect(shown).toEqual(
    isByInvoice ? [expect.stringMatching(/^in_2025-02-01 R(17 Of|26) the invoice /i)] : [],
  )
})

test('what has no part in a figure stands on its receipt with the reason', () => {
  const usage = price('usage', 10, 'month', { usageType: 'metered' })
  const lines = [
    line(year, 1, { from: '2025-01-01' }),
    line(usage, 5000, { from: '2025-01-01', subscriptionItemId: 'si_2', amountCents: 50_000 }),
    fee,
    line(year, 1, { from: '2025-01-01', id: 'il_sorry', amountCents: -500 }),
    line(year, 1, { from: '2026-01-01', id: 'il_later' }),
  ]
  const made = rebuild({
    subscriptions: [subscription([item(year), item(usage, null, { id: 'si_2' })])],
    invoices: [
      invoice('2025-01-01', lines),
      invoice('2025-01-05', [line(year, 9, { from: '2025-01-05' })], { status: 'void' }),
    ],
    asOf: '2025-01-20',
  })
  expect(
    made.receipts.ofSubscription('sub_1')?.ignored.map(({ reason, rule }) => `${rule} ${reason}`),
  ).toEqual([
    'R23 Metered usage',
    'R8 One-off item',
    'R29 A credit that is not for unused time',
    'R33 Its period has not begun',
    'R26 The invoice is void',
  ])
})

test('a line that is left out says of what kind it is, and in which currency', () => {
  const own = { from: '2025-01-01', isSubscriptionItem: false, subscriptionItemId: null }
  const noPlace = line(seat, 1, { ...own, id: 'il_setup', subscriptionId: null, amountCents: 9900 })
  const ofOther = { subscriptionId: 'sub_2', subscriptionItemId: 'si_9' }
  const other = line(seat, 1, { from: '2025-01-01', id: 'il_other', ...ofOther })
  const [draft, void_] = [{ status: 'draft' }, { status: 'void' }]
  const made = rebuild({
    subscriptions: [subscription([item(seat)])],
    invoices: [
      invoice('2025-01-01', [line(seat, 1, { from: '2025-01-01' }), noPlace, other]),
      invoice('2025-01-05', [line(seat, 1, { from: '2025-01-05' })], { currency: 'jpy' }),
      invoice('2025-01-06', [line(seat, 1, { from: '2025-01-06' })], { ...void_, currency: 'eur' }),
      invoice('2025-01-07', [line(seat, 1, { from: '2025-01-07' })], draft),
    ],
    asOf: '2025-01-20',
  })
  const { ignored = [] } = made.receipts.ofSubscription('sub_1') ?? {}
  expect(ignored.map(({ reason, rule, currency }) => [rule, reason, currency ?? 'usd'].join(', '))).toEqual([
    'R3, Of another subscription, usd',
    'R8, One-off item, usd',
    'R34, In JPY, which is not the currency of the subscription, jpy',
    'R26, The invoice is void, eur',
    'R26, The invoice is a draft, usd',
  ])
})

const trial = { status: 'trialing', trialStart: on('2025-01-01'), trialEnd: on('2025-01-15') }
const free = line(seat, 1, { from: '2025-01-01', to: '2025-01-15', amountCents: 0 })
const ahead = line(seat, 1, { from: '2025-01-01', to: '2025-04-01', amountCents: 1500 })
const short = line(seat, 1, { from: '2025-01-03', to: '2025-02-01', amountCents: 468 })

test.each([
  ['a trial is no part of a period, and no value that was carried on', trial, [free], 'R1 R16 R28 R38'],
  ['three months in one line are billed ahead', {}, [ahead], 'R1 R28 R33 R38'],
  ['a month that lacks two days is a part', { createdAt: on('2025-01-03') }, [short], 'R1 R28 R35 R38'],
  ['what is not billed yet is free until then', {}, null, 'R16 R28 R38'],
])('the rules of the present say that %s', (_, fields, lines, rules) => {
  const made = rebuild({
    subscriptions: [
      subscription([item(seat, 1, lines ? {} : { periodStart: on('2025-02-01') })], {
        ...fields,
        ...(lines ? {} : { anchorAt: on('2025-02-01') }),
      }),
    ],
    invoices: lines ? [invoice('2025-01-01', lines)] : [],
    asOf: '2025-01-10',
  })
  expect(made.receipts.ofSubscription('sub_1')?.rules.join(' ')).toBe(rules)
})

test('units that were all given back are told by that credit, not by the bill before', () => {
  const credit = { from: '2025-01-16', to: '2025-02-01', isProration: true, isCredit: true }
  const made = rebuild({
    subscriptions: [subscription([item(seat, 0)])],
    invoices: [
      invoice('2025-01-01', [line(seat, 3, { from: '2025-01-01' })]),
      invoice('2025-01-16', [line(seat, 3, { ...credit, amountCents: -774 })]),
    ],
    asOf: '2025-01-20',
  })
  const receipt = made.receipts.ofEvent(made.events.at(-1)?.id ?? '')
  expect(receipt?.parts).toMatchObject([
    { quantity: 0, gross: '0', invoiceId: 'in_2025-01-16', lineIds: ['il_seat_2025-01-16_3'] },
  ])
  expect(receipt?.ignored).toEqual([])
})

test.each([
  ['while the old one still counts', '2025-01-31T18:00:00Z', 'R35'],
  ['hours after the old one ended', '2025-02-01T18:00:00Z', 'R22 R35'],
  ['months later', '2025-06-01', 'R22'],
])('a Reactivation in a new subscription says that it is a move, a return or both: %s', (_, from, rules) => {
  const old = { status: 'canceled', canceledAt: on('2025-02-01'), endedAt: on('2025-02-01') }
  const again = { id: 'sub_2', createdAt: on(from), startedAt: on(from) }
  const ofAgain = { from, subscriptionId: 'sub_2', subscriptionItemId: 'si_2' }
  const made = rebuild({
    subscriptions: [
      subscription([item(seat, 3)], old),
      subscription([item(seat, 3, { id: 'si_2', createdAt: on(from) })], again),
    ],
    invoices: [...january, invoice(from, [line(seat, 3, ofAgain)], { subscriptionId: 'sub_2' })],
    asOf: '2025-06-02',
  })
  const event = made.events.find(({ subscriptionId }) => subscriptionId === 'sub_2')
  expect(event?.mrrStatus).toBe('Reactivation')
  const named = made.receipts.ofEvent(event?.id ?? '')?.rules.filter((rule) => /^R(22|35)$/.test(rule))
  expect(named?.join(' ')).toBe(rules)
})
