import { strict as assert } from 'node:assert'
import { test } from 'vitest'
import { holdsForAccounts, propertyMs, runs, type Sample } from '#test/generated-lives.ts'
import type { MrrEvent } from '../event.ts'
import type { InvoiceLine, PaymentInvoice } from '../payments.ts'
import { type Account, rebuild } from './examples.ts'
import { accountOfLives, type GeneratedAccount } from './generated-account.ts'
import type { ItemLife, Life } from './generated-bills.ts'
import { linearPlanCount, mirrored, percentCouponCount } from './generated-plans.ts'

/** Everything that a rebuild says, receipts and all; of one instant by id, since the order of subscriptions is the caller's. */
function everything(account: Account): string {
  const { events, subscriptions, newSightings, receipts } = rebuild(account)
  return JSON.stringify({
    events: events
      .map((event) => ({ event, receipt: receipts.ofEvent(event.id) }))
      .sort((a, b) => a.event.occurredAt - b.event.occurredAt || (a.event.id < b.event.id ? -1 : 1)),
    subscriptions: subscriptions
      .map((one) => ({ one, receipt: receipts.ofSubscription(one.subscriptionId) }))
      .sort((a, b) => (a.one.subscriptionId < b.one.subscriptionId ? -1 : 1)),
    newSightings: [...newSightings].sort((a, b) => (a.id < b.id ? -1 : 1)),
  })
}

/** A list in an order that depends on nothing but a seed. */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed
  const drawn = list.map((entry) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return { entry, state }
  })
  return drawn.sort((a, b) => a.state - b.state).map(({ entry }) => entry)
}

test(`on ${runs} accounts: a second rebuild gives the same bytes, and so does any order of arrival`, {
  timeout: propertyMs,
}, () => {
  let seed = 0
  holdsForAccounts(({ account, policy }) => {
    seed += 1
    const bytes = everything({ ...account, policy })
    assert.equal(everything({ ...account, policy }), bytes)
    const { subscriptions, invoices, prices, products, asOf } = account
    const other = {
      subscriptions: shuffled(subscriptions, seed),
      invoices: shuffled(invoices, seed),
      prices: shuffled(prices, seed),
      products: shuffled(products, seed),
      asOf,
      policy,
    }
    assert.equal(everything(other), bytes)
  })
})

/**
 * Of two changes of an item in one second only the order of their lines tells which was the last, and so it does which
 * line bears the odd cent of a discount that is only on the invoice (R5).
 */
function withoutOrderOfLines(life: Life): Life {
  const items = life.items.map((item) => ({
    ...item,
    changes: [...new Map(item.changes.map((change) => [change.period, change])).values()],
  }))
  return { ...life, items, discountsOn: 'lines' }
}

test(`on ${runs} accounts: the order of the lines of an invoice changes no figure`, {
  timeout: propertyMs,
}, () => {
  let seed = 0
  holdsForAccounts(({ account, policy }) => {
    seed += 1
    const invoices = account.invoices.map((one) => ({ ...one, lines: shuffled(one.lines, seed) }))
    assert.deepEqual(rebuild({ ...account, policy, invoices }).events, rebuild({ ...account, policy }).events)
  }, withoutOrderOfLines)
})

const isPlain = (life: Life): Life => ({ ...life, discountsOn: 'lines' })

/** One invoice for each line; the lines of one tiered item stay together, as they are one charge. */
function split(invoice: PaymentInvoice): PaymentInvoice[] {
  const groups = Map.groupBy(
    invoice.lines,
    ({ id, subscriptionItemId, isProration, isSubscriptionItem }: InvoiceLine) =>
      isProration || !isSubscriptionItem ? id : subscriptionItemId,
  )
  return [...groups.values()].map((lines, index) => ({
    ...invoice,
    id: `${invoice.id}_${index}`,
    lines,
    totalDiscountCents: lines.reduce((sum, { discountCents }) => sum + discountCents, 0),
  }))
}

test(`R37 on ${runs} accounts: splitting every invoice changes nothing but the invoice ids`, {
  timeout: propertyMs,
}, () => {
  const bare = ({ invoiceId: _, ...event }: MrrEvent): object => event
  holdsForAccounts(({ account, policy }) => {
    const invoices = account.invoices.flatMap(split)
    assert.deepEqual(
      rebuild({ ...account, policy, invoices }).events.map(bare),
      rebuild({ ...account, policy }).events.map(bare),
    )
  }, isPlain)
})

test(`R36 on ${runs} accounts: other ids, that sort the other way round, give other ids and nothing else`, {
  timeout: propertyMs,
}, () => {
  const figures = (account: GeneratedAccount, policy: Sample['policy']): string => {
    const { events, subscriptions, newSightings, receipts } = rebuild({ ...account, policy })
    const receiptsOf = events.map(({ id }) => receipts.ofEvent(id))
    return JSON.stringify({ events, subscriptions, newSightings, receiptsOf })
  }
  holdsForAccounts(({ lives, account, policy }) => {
    assert.equal(mirrored(figures(accountOfLives(lives, true), policy)), figures(account, policy))
  })
})

const scale = 10

/** What it is worth now is in proportion to its units: linear prices, shares off, and no rate read out of a few cents of tax. */
function linear(life: Life): Life {
  const item = (one: ItemLife): ItemLife => ({
    ...one,
    plan: one.plan % linearPlanCount,
    changes: one.changes.map((change) => ({ ...change, plan: change.plan % linearPlanCount })),
  })
  const coupons = life.coupons.map((one) => ({ ...one, coupon: one.coupon % percentCouponCount }))
  const unbilled = life.unbilled && { ...life.unbilled, coupon: null }
  const isBilled = unbilled === null && life.invoices !== 'last draft' && life.invoices !== 'last void'
  const hasInclusiveTax = life.hasInclusiveTax && isBilled
  return { ...life, items: life.items.map(item), coupons, unbilled, hasInclusiveTax, discountsOn: 'lines' }
}

function scaled(life: Life): Life {
  const { items, unbilled } = life
  return {
    ...life,
    items: items.map((item) => ({
      ...item,
      quantity: item.quantity * scale,
      changes: item.changes.map((change) => ({ ...change, quantity: change.quantity * scale })),
    })),
    unbilled: unbilled && { ...unbilled, quantity: unbilled.quantity * scale },
  }
}

/** Two discounts and a tax may each be off by half a cent of a day's price, on both sides; a state by half a cent. */
const gapCentsMax = 3 * 3 * 0.5 * (365 / 12) * (scale + 1) + 1

test(`R28 on ${runs} accounts: ten times the units are ten times the MRR, to the rounding of each state`, {
  timeout: propertyMs,
}, () => {
  holdsForAccounts(({ lives, account, policy }) => {
    const larger = rebuild({ ...accountOfLives(lives.map(scaled)), policy }).subscriptions
    for (const [index, small] of rebuild({ ...account, policy }).subscriptions.entries()) {
      const gap = Math.abs((larger[index]?.currentMrrCents ?? 0) - small.currentMrrCents * scale)
      assert.ok(gap <= gapCentsMax, `${gap} cents apart`)
    }
  }, linear)
})
