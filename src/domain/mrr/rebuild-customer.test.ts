import { describe, expect, test } from 'vitest'
import { invoice, item, ledger, line, on, price, renewals, subscription } from './examples.ts'

const pro = price('pro', 2000)
const last = (lines: string[]): string | undefined => lines.at(-1)

describe('cancellations', () => {
  const end = (more: object) => ({
    subscriptions: [subscription([item(pro)], { status: 'canceled', endedAt: on('2025-02-01'), ...more })],
    invoices: renewals(pro, 1, ['2025-01-01']),
    asOf: '2025-03-01',
  })

  test('R18 Churn on ended_at for the full MRR', () => {
    expect(last(ledger(end({ canceledAt: on('2025-02-01') })))).toBe(
      '2025-02-01 Churn/cancellation 2000>0 q1>0',
    )
  })

  test('R18 money back for the rest of the period does not move the day of the Churn', () => {
    const refund = line(pro, 1, {
      from: '2025-01-31',
      to: '2025-02-01',
      amountCents: -65,
      isProration: true,
      isCredit: true,
    })
    const base = end({ canceledAt: on('2025-02-01') })
    expect(ledger({ ...base, invoices: [...base.invoices, invoice('2025-02-01', [refund])] })).toEqual(
      ledger(base),
    )
  })

  test('R30 a planned end is a row of its own when it was asked for, and a Churn later', () => {
    expect(ledger(end({ canceledAt: on('2025-01-11') })).slice(1)).toEqual([
      '2025-01-11 Planned_Cancellation/cancellation 2000>2000 q1>1',
      '2025-02-01 Churn/cancellation 2000>0 q1>0',
    ])
  })

  test.each([
    ['R30 asked for by cancel_at_period_end', { cancelAtPeriodEnd: true }],
    ['R30 asked for by cancel_at alone', { cancelAt: on('2025-06-01') }],
  ])('%s', (_, more) => {
    const planned = subscription([item(pro)], { canceledAt: on('2025-01-11'), ...more })
    expect(
      ledger({ subscriptions: [planned], invoices: renewals(pro, 1, ['2025-01-01']), asOf: '2025-01-20' }),
    ).toEqual([
      '2025-01-01 New/new_subscription 0>2000 q0>1',
      '2025-01-11 Planned_Cancellation/cancellation 2000>2000 q1>1',
    ])
  })

  test('R30 a withdrawn one leaves nothing to invent', () => {
    expect(
      ledger({
        subscriptions: [subscription([item(pro)])],
        invoices: renewals(pro, 1, ['2025-01-01']),
        asOf: '2025-01-20',
      }),
    ).toHaveLength(1)
  })

  test('R18 setting: Churn when it was asked for', () => {
    const asked = { ...end({ canceledAt: on('2025-01-11') }), policy: { churnAt: 'request' as const } }
    expect(ledger(asked).slice(1)).toEqual(['2025-01-11 Churn/cancellation 2000>0 q1>0'])
  })

  test('R29 a refund or a full credit note moves nothing: amounts due and paid are not read', () => {
    expect(ledger(end({ canceledAt: on('2025-02-01') }))).toHaveLength(2)
  })
})

describe('several subscriptions', () => {
  const second = { id: 'sub_2', createdAt: on('2025-03-01') }
  const of = (id: string, days: string[], of = pro) =>
    days.map((from) =>
      invoice(from, [line(of, 1, { from, subscriptionId: id, subscriptionItemId: `si_${id}` })], {
        id: `in_${id}_${from}`,
        subscriptionId: id,
      }),
    )
  const one = (more = {}) => subscription([item(pro, 1, { id: 'si_sub_1' })], more)
  const two = (more = {}) => subscription([item(pro, 1, { id: 'si_sub_2' })], { ...second, ...more })

  test('R15 a further subscription is New and its end a Churn', () => {
    const account = {
      subscriptions: [one(), two({ status: 'canceled', endedAt: on('2025-04-01') })],
      invoices: [...of('sub_1', ['2025-01-01']), ...of('sub_2', ['2025-03-01'])],
      asOf: '2025-05-01',
    }
    expect(ledger(account).slice(1)).toEqual([
      '2025-03-01 New/new_subscription 0>2000 q0>1',
      '2025-04-01 Churn/cancellation 2000>0 q1>0',
    ])
    expect(ledger({ ...account, policy: { furtherSubscription: 'movement' } }).slice(1)).toEqual([
      '2025-03-01 Upgrade/new_subscription 0>2000 q0>1',
      '2025-04-01 Downgrade/cancellation 2000>0 q1>0',
    ])
  })

  test('R22 a customer who comes back after any gap is a Reactivation on the new subscription', () => {
    const account = {
      subscriptions: [one({ status: 'canceled', endedAt: on('2025-02-01') }), two()],
      invoices: [...of('sub_1', ['2025-01-01']), ...of('sub_2', ['2025-03-01'])],
      asOf: '2025-03-02',
    }
    expect(last(ledger(account))).toBe('2025-03-01 Reactivation/reactivation 0>2000 q0>1')
  })

  test('R35 cancelled and made again within a day at the same MRR is never New', () => {
    const account = {
      subscriptions: [one({ status: 'canceled', endedAt: on('2025-03-01T08:00:00Z') }), two()],
      invoices: [...of('sub_1', ['2025-01-01']), ...of('sub_2', ['2025-03-01'])],
      asOf: '2025-03-02',
    }
    expect(ledger(account)[1]).toBe('2025-03-01 Reactivation/reactivation 0>2000 q0>1')
    expect(ledger({ ...account, policy: { recreateWithinSeconds: 0 } })[1]).toContain('New/new_subscription')
  })

  test('R22 what ends and begins in one second is a return', () => {
    const account = {
      subscriptions: [two(), one({ status: 'canceled', endedAt: on('2025-03-01') })],
      invoices: [...of('sub_1', ['2025-01-01']), ...of('sub_2', ['2025-03-01'])],
      policy: { recreateWithinSeconds: 0 },
      asOf: '2025-03-02',
    }
    expect(ledger(account).slice(1)).toEqual([
      '2025-03-01 Reactivation/reactivation 0>2000 q0>1',
      '2025-03-01 Churn/cancellation 2000>0 q1>0',
    ])
  })

  test('R8 lines of another subscription on the same invoice are its own', () => {
    const shared = invoice('2025-03-01', [
      line(pro, 1, { from: '2025-03-01', subscriptionItemId: 'si_sub_1' }),
      line(pro, 4, { from: '2025-03-01', subscriptionId: 'sub_2', subscriptionItemId: 'si_sub_2' }),
    ])
    const account = {
      subscriptions: [one(), two({ items: [item(pro, 4, { id: 'si_sub_2' })] })],
      invoices: [shared],
      asOf: '2025-03-02',
    }
    expect(ledger(account)).toEqual([
      '2025-03-01 New/new_subscription 0>2000 q0>1',
      '2025-03-01 New/new_subscription 0>8000 q0>4',
    ])
  })
})
