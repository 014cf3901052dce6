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
  rebuild,
  renewals,
  subscription,
} from './examples.ts'

const pro = price('pro', 2000)
const last = (lines: string[]): string | undefined => lines.at(-1)

describe('what the subscription says and no invoice yet', () => {
  const first = renewals(pro, 1, ['2025-01-01'])

  test('R16 a subscription without any invoice begins at its start, or after its trial', () => {
    expect(ledger({ subscriptions: [subscription([item(pro)])], asOf: '2025-01-20' })).toEqual([
      '2025-01-01 New/new_subscription 0>2000 q0>1',
    ])
    const trial = { trialStart: on('2025-01-01'), trialEnd: on('2025-01-15') }
    expect(ledger({ subscriptions: [subscription([item(pro)], trial)], asOf: '2025-01-20' })).toEqual([
      '2025-01-15 New/new_subscription 0>2000 q0>1',
    ])
  })

  test('R4 coupons on it lower it: the item’s own first, then the subscription’s (R7)', () => {
    const half = discount(coupon('half', { percentOff: 50 }))
    const three = discount(coupon('three', { amountOffCents: 300, currency: 'usd' }))
    const held = subscription([item(pro, 1, { discounts: [half] })], { discounts: [three] })
    expect(ledger({ subscriptions: [held], asOf: '2025-01-20' })).toEqual([
      '2025-01-01 New/new_subscription 0>700 q0>1',
    ])
  })

  test('R4 a coupon that only an invoice names counts as well', () => {
    const half = discount(coupon('half', { percentOff: 50 }))
    const held = subscription([item(pro)], { discounts: [{ ...half, coupon: null, couponId: null }] })
    const draft = invoice('2025-01-01', [], { status: 'draft', discounts: [half] })
    expect(ledger({ subscriptions: [held], invoices: [draft], asOf: '2025-01-20' })[0]).toContain('0>1000')
  })

  test('R5 an amount off is shared by all items it is for, once', () => {
    const three = discount(coupon('three', { amountOffCents: 300, currency: 'usd' }))
    const items = [item(pro), item(price('extra', 1000), 1, { id: 'si_2' })]
    const held = subscription(items, { discounts: [three] })
    expect(ledger({ subscriptions: [held], asOf: '2025-01-20' })).toEqual([
      '2025-01-01 New/new_subscription 0>2700 q0>2',
    ])
  })

  test('R4 coupons for another product, of another currency or run out do not', () => {
    const others = [
      discount(coupon('a', { percentOff: 50, appliesToProductIds: ['prod_other'] })),
      discount(coupon('b', { amountOffCents: 300, currency: 'eur' })),
      discount(coupon('c', { percentOff: 50 }), { endsAt: on('2025-01-01') }),
    ]
    expect(
      ledger({ subscriptions: [subscription([item(pro)], { discounts: others })], asOf: '2025-01-20' })[0],
    ).toContain('0>2000')
  })

  test('a switch without proration shows when it is first seen, and the sum is the current MRR', () => {
    const { events, subscriptions } = rebuild({
      subscriptions: [subscription([item(pro, 3)])],
      invoices: first,
      asOf: '2025-01-20',
    })
    expect(events.at(-1)).toMatchObject({
      id: 'sub_1:seen-2025-01-20T00:00:00Z:change',
      occurredAt: on('2025-01-20'),
      mrrChangeCents: 4000,
      invoiceId: null,
    })
    expect(subscriptions[0]?.currentMrrCents).toBe(6000)
  })

  test('a new period without its invoice begins with the item’s own period', () => {
    const renewed = item(pro, 3, { periodStart: on('2025-02-01'), periodEnd: on('2025-03-01') })
    const draft = invoice('2025-02-01', [line(pro, 3, { from: '2025-02-01' })], { status: 'draft' })
    expect(
      last(
        ledger({ subscriptions: [subscription([renewed])], invoices: [...first, draft], asOf: '2025-02-02' }),
      ),
    ).toBe('2025-02-01 Upgrade/quantity_change 2000>6000 q1>3')
  })

  test('an item added without an invoice begins when it was made', () => {
    const addOn = item(price('extra', 500), 1, { id: 'si_2', createdAt: on('2025-01-10') })
    expect(
      last(
        ledger({ subscriptions: [subscription([item(pro), addOn])], invoices: first, asOf: '2025-01-20' }),
      ),
    ).toBe('2025-01-10 Upgrade/plan_change 2000>2500 q1>2')
  })

  test('R4 a once coupon on the running period holds to its end', () => {
    const bill = invoice('2025-01-01', [
      line(pro, 1, { from: '2025-01-01', discounts: [{ id: 'di_c', amountCents: 1000 }] }),
    ])
    expect(
      ledger({ subscriptions: [subscription([item(pro)])], invoices: [bill], asOf: '2025-01-20' }),
    ).toEqual(['2025-01-01 New/new_subscription 0>1000 q0>1'])
  })
})

describe('what cannot be counted says why', () => {
  test('R1 an unknown interval', () => {
    const odd = price('odd', 2000, 'fortnight')
    const [state] = rebuild({ subscriptions: [subscription([item(odd)])], asOf: '2025-01-02' }).subscriptions
    expect(state).toMatchObject({
      currentMrrCents: 0,
      isUnsupported: "The billing interval '1 fortnight' is not known",
    })
  })

  test('R24 tiers that nobody tells, until an invoice does', () => {
    const bare = price('bare', null, 'month', { billingScheme: 'tiered', tiersMode: 'volume' })
    const subscriptions = [subscription([item(bare, 4)])]
    expect(rebuild({ subscriptions, asOf: '2025-01-02' }).subscriptions[0]?.isUnsupported).toContain('bare')
    const invoices = [invoice('2025-01-01', [line(bare, 4, { from: '2025-01-01', amountCents: 4400 })])]
    expect(rebuild({ subscriptions, invoices, asOf: '2025-01-02' }).subscriptions[0]).toMatchObject({
      isUnsupported: null,
      currentMrrCents: 4400,
    })
  })

  test('R13 a deleted price: the line alone is enough', () => {
    const gone = price('gone', 24_000, 'year')
    const account = {
      subscriptions: [subscription([item(pro)])],
      invoices: [...renewals(gone, 1, ['2024-01-01']), ...renewals(pro, 1, ['2025-01-01'])],
      asOf: '2025-01-02',
    }
    expect(ledger(account)).toEqual(['2024-01-01 New/new_subscription 0>2000 q0>1'])
  })

  test('one unreadable subscription leaves the others alone', () => {
    const bad = subscription([item(pro)], { id: 'sub_bad', createdAt: Number.NaN })
    const made = rebuild({ subscriptions: [bad, subscription([item(pro)])], asOf: '2025-01-02' })
    expect(made.subscriptions.map(({ currentMrrCents }) => currentMrrCents)).toEqual([0, 2000])
    expect(made.subscriptions[0]?.isUnsupported).toContain('created')
  })
})
