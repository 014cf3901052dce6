import { describe, expect, test } from 'vitest'
import {
  invoice,
  item,
  ledger,
  line,
  on,
  price,
  prorations,
  rebuild,
  renewals,
  subscription,
} from './examples.ts'

const pro = price('pro', 2000)
const last = (lines: string[]): string | undefined => lines.at(-1)

describe('trials (R16)', () => {
  const trial = { trialStart: on('2025-01-01'), trialEnd: on('2025-01-15') }
  const trialInvoice = invoice('2025-01-01', [
    line(pro, 1, { from: '2025-01-01', to: '2025-01-15', amountCents: 0 }),
  ])

  test('R16 a trial makes no event', () => {
    expect(
      ledger({
        subscriptions: [subscription([item(pro)], { ...trial, status: 'trialing' })],
        invoices: [trialInvoice],
        asOf: '2025-01-05',
      }),
    ).toEqual([])
  })

  test('R16 New at the first paid period, which is the end of the trial', () => {
    const invoices = [trialInvoice, ...renewals(pro, 1, ['2025-01-15'])]
    expect(
      ledger({ subscriptions: [subscription([item(pro)], trial)], invoices, asOf: '2025-01-16' }),
    ).toEqual(['2025-01-15 New/new_subscription 0>2000 q0>1'])
  })

  test('R16 a cancelled trial makes no event, not even a planned cancellation', () => {
    const ended = { ...trial, status: 'canceled', canceledAt: on('2025-01-10'), endedAt: on('2025-01-15') }
    expect(
      ledger({
        subscriptions: [subscription([item(pro)], ended)],
        invoices: [trialInvoice],
        asOf: '2025-02-01',
      }),
    ).toEqual([])
  })

  test('R16 an upgrade inside a trial is still worth nothing', () => {
    const gold = price('gold', 5000)
    const change = prorations(
      { of: pro, quantity: 1, amountCents: 0 },
      { of: gold, quantity: 1, amountCents: 0 },
      { from: '2025-01-05', to: '2025-01-15' },
    )
    const invoices = [trialInvoice, invoice('2025-01-05', change), ...renewals(gold, 1, ['2025-01-15'])]
    expect(
      ledger({
        subscriptions: [subscription([item(gold)], trial)],
        invoices,
        prices: [pro],
        asOf: '2025-01-16',
      }),
    ).toEqual(['2025-01-15 New/new_subscription 0>5000 q0>1'])
  })

  test('R16 a free month given to a payer keeps the MRR while no invoice says 0', () => {
    const later = { status: 'trialing', trialStart: on('2025-02-01'), trialEnd: on('2025-03-01') }
    expect(
      ledger({
        subscriptions: [subscription([item(pro)], later)],
        invoices: renewals(pro, 1, ['2025-01-01']),
        asOf: '2025-02-10',
      }),
    ).toHaveLength(1)
  })

  test('R16 a free month that an invoice says is a Downgrade and an Upgrade, never a Churn (R11)', () => {
    const gift = invoice('2025-02-01', [line(pro, 1, { from: '2025-02-01', amountCents: 0 })])
    const invoices = [...renewals(pro, 1, ['2025-01-01', '2025-03-01']), gift]
    expect(
      ledger({ subscriptions: [subscription([item(pro)])], invoices, asOf: '2025-03-02' }).slice(1),
    ).toEqual([
      '2025-02-01 Downgrade/price_change 2000>0 q1>1',
      '2025-03-01 Upgrade/price_change 0>2000 q1>1',
    ])
  })
})

describe('statuses (R17)', () => {
  const account = (status: string, more = {}) => ({
    subscriptions: [subscription([item(pro)], { status, ...more })],
    invoices: renewals(pro, 1, ['2025-01-01']),
    asOf: '2025-01-20',
  })

  test.each([
    ['active', 2000],
    ['past_due', 2000],
    ['unpaid', 0],
    ['paused', 0],
    ['incomplete', 0],
    ['incomplete_expired', 0],
    ['canceled', 0],
  ])('R17 %s is worth %i', (status, mrrCents) => {
    const made = rebuild(account(status))
    expect(made.subscriptions[0]).toMatchObject({ currentMrrCents: mrrCents, isUnsupported: null })
    expect(made.events.reduce((sum, { mrrChangeCents }) => sum + mrrChangeCents, 0)).toBe(mrrCents)
  })

  test('R17 incomplete never had MRR', () => {
    expect(ledger(account('incomplete'))).toEqual([])
    expect(ledger(account('incomplete_expired'))).toEqual([])
  })

  test('R17 a pause is a Churn when it began', () => {
    expect(last(ledger(account('paused', { pausedAt: on('2025-01-12') })))).toBe(
      '2025-01-12 Churn/cancellation 2000>0 q1>0',
    )
  })

  test('R17 pause_collection changes nothing while the status is active', () => {
    expect(ledger(account('active', { pauseCollection: 'void' }))).toHaveLength(1)
  })

  test('R17 unpaid ends with the first invoice that stayed a draft, else when it was seen', () => {
    const open = invoice('2025-01-05', [line(pro, 1, { from: '2025-01-05' })], { status: 'open' })
    const draft = invoice('2025-01-12', [line(pro, 1, { from: '2025-01-12' })], { status: 'draft' })
    const base = account('unpaid')
    expect(last(ledger({ ...base, invoices: [...base.invoices, open, draft] }))).toBe(
      '2025-01-12 Churn/cancellation 2000>0 q1>0',
    )
    expect(last(ledger({ ...base, invoices: [...base.invoices, open] }))).toBe(
      '2025-01-20 Churn/cancellation 2000>0 q1>0',
    )
  })

  test('R17 settings: unpaid may count, past due may end after some days', () => {
    expect(ledger({ ...account('unpaid'), policy: { unpaid: 'counts' } })).toHaveLength(1)
    const open = invoice('2025-01-05', [line(pro, 1, { from: '2025-01-05' })], { status: 'open' })
    const late = { ...account('past_due'), invoices: [...account('past_due').invoices, open] }
    expect(ledger({ ...late, policy: { pastDueChurnAfterDays: 10 } }).at(-1)).toBe(
      '2025-01-15 Churn/cancellation 2000>0 q1>0',
    )
    expect(ledger({ ...late, policy: { pastDueChurnAfterDays: 30 } })).toHaveLength(1)
  })

  test('R17 an unknown status is reported, not guessed', () => {
    const [state] = rebuild(account('hibernating')).subscriptions
    expect(state?.isUnsupported).toContain('hibernating')
    expect(ledger(account('hibernating'))).toEqual([])
  })
})

describe('invoices (R26)', () => {
  const with_ = (status: string) => ({
    subscriptions: [subscription([item(pro, 1)], { status: 'canceled', endedAt: on('2025-02-01') })],
    invoices: [invoice('2025-01-01', [line(pro, 1, { from: '2025-01-01' })], { status })],
    asOf: '2025-03-01',
  })

  test.each([
    ['paid', 2],
    ['open', 2],
    ['uncollectible', 2],
    ['draft', 0],
    ['void', 0],
  ])('R26 %s makes %i events', (status, count) => {
    expect(ledger(with_(status))).toHaveLength(count)
  })
})
