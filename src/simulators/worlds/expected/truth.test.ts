import { describe, expect, test } from 'vitest'
import { generateWorld } from '../generate-world.ts'
import {
  type Fraction,
  fraction,
  fractionOfDecimal,
  plus,
  roundHalfUp,
  times,
  zero,
} from '../numbers/rational.ts'
import { expectedEvents } from './expected-events.ts'
import {
  activeSubscriptions,
  currentlyActive,
  currentMrr,
  mrrOn,
  subscriptionMrrOn,
  type Truth,
  type TruthSubscription,
} from './truth.ts'

const asOf = Date.UTC(2026, 9, 31, 12) / 1000

type Line = {
  amount: number
  quantity: number
  period: { start: number; end: number }
  parent: { subscription_item_details: { proration: boolean; subscription_item: string } | null }
  discount_amounts: { amount: number }[]
  taxes: { amount: number; tax_behavior: string }[]
  pricing: { price_details: { price: string } }
}

type PlainInvoice = {
  status: string
  billing_reason: string
  parent: { subscription_details: { subscription: string } }
  lines: { data: Line[] }
}

type PlainPrice = {
  id: string
  recurring: {
    interval: 'day' | 'week' | 'month' | 'year'
    interval_count: number
    usage_type: string
  } | null
}

/** Monthly cents of an ordinary line, derived only from the line and its price. */
function monthly(line: Line, price: PlainPrice | undefined): Fraction {
  if (price?.recurring == null || price.recurring.usage_type === 'metered') return zero
  const off = line.discount_amounts.reduce((sum, part) => sum + part.amount, 0)
  const inside = line.taxes.reduce((sum, tax) => sum + (tax.tax_behavior === 'inclusive' ? tax.amount : 0), 0)
  const monthsTimes12 = { day: '0.4', week: '0', month: '12', year: '144' }[price.recurring.interval]
  const perMonth = { day: fraction(365, 12), week: fraction(52, 12) } as Record<string, Fraction>
  const factor = perMonth[price.recurring.interval] ?? fraction(12n, fractionOfDecimal(monthsTimes12).num)
  return times(
    times(fraction(line.amount - off - inside), factor),
    fraction(1, price.recurring.interval_count),
  )
}

const { world, truth } = generateWorld({ seed: 21, asOf, customers: 400 })
const invoices: PlainInvoice[] = JSON.parse(JSON.stringify(world.invoices))
const prices: PlainPrice[] = JSON.parse(JSON.stringify(world.prices))
const priceById = new Map(prices.map((price) => [price.id, price]))
const truthById = new Map(truth.subscriptions.map((one) => [one.id, one]))

describe('the truth', () => {
  test('runs forward and changes with every entry', () => {
    for (const { changes } of truth.subscriptions) {
      for (const [index, change] of changes.entries()) {
        const before = changes[index - 1]
        expect(before === undefined || before.at < change.at).toBe(true)
        expect(change.mrrCents === before?.mrrCents && change.quantity === before?.quantity).toBe(false)
        expect(Number.isSafeInteger(change.mrrCents) && change.mrrCents >= 0).toBe(true)
      }
    }
  })

  test('has a final invoice line that begins at each change which claims one', () => {
    const starts = new Set<string>()
    for (const invoice of invoices) {
      if (invoice.status === 'draft' || invoice.status === 'void') continue
      for (const line of invoice.lines.data) {
        starts.add(`${invoice.parent.subscription_details.subscription} ${line.period.start}`)
      }
    }
    const claims = truth.subscriptions.flatMap(({ id, changes }) =>
      changes.filter((change) => change.evidence === 'line').map((change) => `${id} ${change.at}`),
    )
    expect(claims.length).toBeGreaterThan(300)
    expect(claims.filter((claim) => !starts.has(claim))).toEqual([])
  })

  test('equals what an ordinary renewal charges for all items, however it came to be', () => {
    let compared = 0
    for (const invoice of invoices) {
      if (
        invoice.status === 'draft' ||
        invoice.status === 'void' ||
        invoice.billing_reason !== 'subscription_cycle'
      )
        continue
      const subscription = truthById.get(invoice.parent.subscription_details.subscription)
      if (subscription === undefined || /^mixed intervals|^anything/.test(subscription.story)) continue
      const own = invoice.lines.data.filter(
        (line) => line.parent.subscription_item_details?.proration === false,
      )
      const licensed = own.filter(
        (line) => priceById.get(line.pricing.price_details.price)?.recurring?.usage_type === 'licensed',
      )
      const start = licensed[0]?.period.start
      if (start === undefined) continue
      const mrr = own
        .map((line) => monthly(line, priceById.get(line.pricing.price_details.price)))
        .reduce(plus, zero)
      expect({ story: subscription.story, mrr: subscriptionMrrOn(subscription, start) }).toEqual({
        story: subscription.story,
        mrr: roundHalfUp(mrr),
      })
      compared += 1
    }
    expect(compared).toBeGreaterThan(1500)
  })

  test('brings nothing for those that have ended, wait or were never paid', () => {
    const silent = truth.subscriptions.filter((one) => !['active', 'past_due'].includes(one.status))
    expect(silent.length).toBeGreaterThan(20)
    expect(silent.filter((one) => subscriptionMrrOn(one, asOf) !== 0)).toEqual([])
  })
})

describe('the expected events', () => {
  const events = expectedEvents(truth)

  test('chain per subscription and add up to the current figure', () => {
    const last = new Map<string, number>()
    const total = new Map<string, number>()
    for (const event of events) {
      expect(event.previousMrr).toBe(last.get(event.subscriptionId) ?? 0)
      last.set(event.subscriptionId, event.currentMrr)
      total.set(event.currency, (total.get(event.currency) ?? 0) + event.currentMrr - event.previousMrr)
    }
    expect(total).toEqual(currentMrr(truth))
  })

  test('ascend, and use every status', () => {
    expect(
      events.every((event, index) => index === 0 || (events[index - 1]?.occurredAt ?? 0) <= event.occurredAt),
    ).toBe(true)
    expect(new Set(events.map((event) => event.mrrStatus))).toEqual(
      new Set(['New', 'Upgrade', 'Downgrade', 'Churn', 'Reactivation', 'Planned_Cancellation']),
    )
  })
})

describe('reading a small truth', () => {
  const change = { quantity: 1, temporary: false, evidence: 'line' } as const
  const subscription = (
    id: string,
    changes: TruthSubscription['changes'],
    rest: Partial<TruthSubscription> = {},
  ) => ({
    id,
    story: 'small',
    customer: 'cus_1',
    currency: 'usd',
    status: 'active' as const,
    changes,
    canceledAt: null,
    endedAt: null,
    ...rest,
  })
  const small: Truth = {
    asOf: 100,
    subscriptions: [
      subscription(
        'sub_1',
        [
          { ...change, at: 10, mrrCents: 500, cause: 'start' },
          { ...change, at: 20, mrrCents: 0, cause: 'discount', temporary: true },
          { ...change, at: 30, mrrCents: 500, cause: 'discount' },
          { ...change, at: 40, mrrCents: 0, cause: 'end' },
        ],
        { canceledAt: 35, endedAt: 40, status: 'canceled' },
      ),
      subscription('sub_2', [{ ...change, at: 60, mrrCents: 900, cause: 'start' }]),
    ],
  }

  test('a free month is a dip, an end is churn, a return is a reactivation', () => {
    expect(expectedEvents(small).map((event) => `${event.occurredAt} ${event.mrrStatus}`)).toEqual([
      '10 New',
      '20 Downgrade',
      '30 Upgrade',
      '35 Planned_Cancellation',
      '40 Churn',
      '60 Reactivation',
    ])
  })

  test('whoever leaves in a free month has left when it began', () => {
    const free = { ...change, at: 20, mrrCents: 0, cause: 'discount', temporary: true } as const
    const left = subscription(
      'sub_1',
      [
        { ...change, at: 10, mrrCents: 500, cause: 'start' },
        free,
        { ...change, at: 40, mrrCents: 0, quantity: 0, cause: 'end' },
      ],
      { canceledAt: 40, endedAt: 40, status: 'canceled' },
    )
    expect(expectedEvents({ asOf: 100, subscriptions: [left] }).map((event) => event.mrrStatus)).toEqual([
      'New',
      'Churn',
    ])
  })

  test('those that bring revenue are counted at an instant, those of status active now', () => {
    expect([5, 10, 25, 50, 60].map((at) => activeSubscriptions(small, at))).toEqual([0, 1, 0, 0, 1])
    expect(currentlyActive(small)).toBe(1)
    const late = small.subscriptions.map((one) => ({ ...one, status: 'past_due' as const }))
    expect(currentlyActive({ ...small, subscriptions: late })).toBe(0)
  })

  test('a change counts from its own second on', () => {
    expect([9, 10, 25, 60].map((at) => mrrOn(small, at).get('usd') ?? 0)).toEqual([0, 500, 0, 900])
  })
})
