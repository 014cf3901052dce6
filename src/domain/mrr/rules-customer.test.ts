import { describe, expect, test } from 'vitest'
import {
  invoice,
  item,
  ledger,
  line,
  on,
  price,
  rebuild,
  renewals,
  subscription,
  textOfEvent,
} from './examples.ts'

const pro = price('pro', 2000)
const ended = (day: string) => ({ status: 'canceled', canceledAt: on(day), endedAt: on(day) })

/** A subscription with one bill on its first day, and its invoices. */
function bought(id: string, day: string, more: object = {}, of = pro) {
  const own = { subscriptionId: id, subscriptionItemId: `si_${id}` }
  const held = item(of, 1, { id: own.subscriptionItemId, periodStart: on(day), createdAt: on(day) })
  return {
    subscription: subscription([held], { id, createdAt: on(day), ...more }),
    invoice: invoice(day, [line(of, 1, { from: day, ...own })], { id: `in_${id}`, subscriptionId: id }),
  }
}

function textsOf(made: ReturnType<typeof bought>[], asOf: string, more: object = {}): string[] {
  const account = {
    subscriptions: made.map((one) => one.subscription),
    invoices: made.map((one) => one.invoice),
  }
  return rebuild({ ...account, asOf, ...more }).events.map(
    (event) => `${event.subscriptionId} ${textOfEvent(event)}`,
  )
}

describe('R3 one ledger for each subscription', () => {
  test('R3 the items of one subscription make one event, not one each', () => {
    const extra = price('extra', 500)
    const lines = [
      line(pro, 1, { from: '2025-01-01' }),
      line(extra, 2, { from: '2025-01-01', subscriptionItemId: 'si_2' }),
    ]
    const subscriptions = [subscription([item(pro), item(extra, 2, { id: 'si_2' })])]
    expect(ledger({ subscriptions, invoices: [invoice('2025-01-01', lines)], asOf: '2025-01-02' })).toEqual([
      '2025-01-01 New/new_subscription 0>3000 q0>3',
    ])
  })

  test('R3 two subscriptions of one customer keep two ledgers', () => {
    expect(textsOf([bought('sub_a', '2025-01-01'), bought('sub_b', '2025-01-10')], '2025-02-01')).toEqual([
      'sub_a 2025-01-01 New/new_subscription 0>2000 q0>1',
      'sub_b 2025-01-10 New/new_subscription 0>2000 q0>1',
    ])
  })

  test('R3 one item up and another down by as much in one second is no event', () => {
    const extra = price('extra', 1000)
    const bill = (from: string, prices: readonly [number, number]) =>
      invoice(from, [
        line({ ...pro, unitAmountDecimal: String(prices[0]) }, 1, { from }),
        line({ ...extra, unitAmountDecimal: String(prices[1]) }, 1, { from, subscriptionItemId: 'si_2' }),
      ])
    const subscriptions = [subscription([item(pro), item(extra, 1, { id: 'si_2' })])]
    const invoices = [bill('2025-01-01', [2000, 1000]), bill('2025-02-01', [1500, 1500])]
    expect(ledger({ subscriptions, invoices, asOf: '2025-02-02' })).toHaveLength(1)
  })
})

describe('R10 and R22: first revenue and return', () => {
  const free = price('free', 0)

  test('R10 a free plan alone makes no event', () => {
    expect(textsOf([bought('sub_a', '2025-01-01', {}, free)], '2025-02-01')).toEqual([])
  })

  test('R10 a free subscription beside a first paid one does not make it a return', () => {
    const made = [bought('sub_free', '2025-01-01', {}, free), bought('sub_paid', '2025-01-10')]
    expect(textsOf(made, '2025-02-01')).toEqual(['sub_paid 2025-01-10 New/new_subscription 0>2000 q0>1'])
  })

  test('R22 the same subscription from 0 back to more is a Reactivation', () => {
    const invoices = [
      ...renewals(pro, 1, ['2025-01-01']),
      ...renewals(free, 1, ['2025-02-01']),
      ...renewals(pro, 1, ['2025-03-01']),
    ]
    const account = {
      subscriptions: [subscription([item(pro)])],
      invoices,
      prices: [free],
      asOf: '2025-03-02',
    }
    expect(ledger(account)).toEqual([
      '2025-01-01 New/new_subscription 0>2000 q0>1',
      '2025-02-01 Churn/plan_change 2000>0 q1>1',
      '2025-03-01 Reactivation/reactivation 0>2000 q1>1',
    ])
  })

  test('R22 after three years it is still a Reactivation', () => {
    const made = [bought('sub_a', '2022-01-01', ended('2022-02-01')), bought('sub_b', '2025-02-02')]
    expect(textsOf(made, '2025-03-01').at(-1)).toBe('sub_b 2025-02-02 Reactivation/reactivation 0>2000 q0>1')
  })

  test('R22 while another subscription still pays, a further one is no return', () => {
    const made = [
      bought('sub_a', '2025-01-01', ended('2025-02-01')),
      bought('sub_b', '2025-01-05'),
      bought('sub_c', '2025-03-01'),
    ]
    expect(textsOf(made, '2025-03-02').at(-1)).toBe('sub_c 2025-03-01 New/new_subscription 0>2000 q0>1')
  })
})

describe('R15 and its setting', () => {
  const made = [bought('sub_a', '2025-01-01', ended('2025-03-01')), bought('sub_b', '2025-01-10')]

  test('R15 own New and own Churn', () => {
    expect(textsOf(made, '2025-04-01').map((text) => text.split(' ')[2])).toEqual([
      'New/new_subscription',
      'New/new_subscription',
      'Churn/cancellation',
    ])
  })

  test('R15 setting: Upgrade and Downgrade while another pays', () => {
    const policy = { furtherSubscription: 'movement' }
    expect(textsOf(made, '2025-04-01', { policy }).map((text) => text.split(' ')[2])).toEqual([
      'New/new_subscription',
      'Upgrade/new_subscription',
      'Downgrade/cancellation',
    ])
  })

  test('R15 setting: the last one to go is a Churn all the same', () => {
    const both = [
      bought('sub_a', '2025-01-01', ended('2025-03-01')),
      bought('sub_b', '2025-01-10', ended('2025-03-10')),
    ]
    const policy = { furtherSubscription: 'movement' }
    expect(textsOf(both, '2025-04-01', { policy }).at(-1)).toContain('Churn/cancellation')
  })
})

describe('R36 a customer is the provider’s customer id', () => {
  const name = { customerName: 'Ada', customerEmail: 'ada@example.com' }

  test('R36 names and addresses on invoices decide nothing', () => {
    const { subscription: held, invoice: bill } = bought('sub_a', '2025-01-01')
    const account = { subscriptions: [held], asOf: '2025-01-02' }
    expect(ledger({ ...account, invoices: [{ ...bill, ...name }] })).toEqual(
      ledger({ ...account, invoices: [bill] }),
    )
  })

  test('R36 subscriptions joined under one customer get other labels, the amounts stay', () => {
    const [a, b] = [bought('sub_a', '2025-01-01', ended('2025-02-01')), bought('sub_b', '2025-03-01')]
    const apart = [...textsOf([a], '2025-04-01'), ...textsOf([b], '2025-04-01')]
    const joined = textsOf([a, b], '2025-04-01')
    expect(apart.at(-1)).toContain('New/new_subscription 0>2000')
    expect(joined.at(-1)).toContain('Reactivation/reactivation 0>2000')
    expect(joined.slice(0, -1)).toEqual(apart.slice(0, -1))
  })
})
