import { strict as assert } from 'node:assert'
import { test } from 'vitest'
import { type ExampleAccount, rebuild } from '#test/mrr/examples.ts'
import { accountOfLives, type GeneratedAccount } from '#test/mrr/generated-account.ts'
import type { ItemLife, Life, Terms } from '#test/mrr/generated-bills.ts'
import { holdsForAccounts, propertyMs, runs, type Sample } from '#test/mrr/generated-lives.ts'
import { linearPlanCount, mirrored, percentCouponCount, planCount } from '#test/mrr/generated-plans.ts'
import type { MrrEvent } from '../event.ts'
import type { InvoiceLine, PaymentInvoice } from '../payments.ts'
import type { Receipt } from './receipts/receipt.ts'

/**
 * Everything that a rebuild returns, receipts included. Events of one instant are sorted by id, since the caller chooses
 * the order of subscriptions.
 */
function everything(account: ExampleAccount): string {
  const { events, subscriptions, newObservations, receipts } = rebuild(account)
  return JSON.stringify({
    events: events
      .map((event) => ({ event, receipt: receipts.ofEvent(event.id) }))
      .sort((a, b) => a.event.occurredAt - b.event.occurredAt || (a.event.id < b.event.id ? -1 : 1)),
    subscriptions: subscriptions
      .map((one) => ({ one, receipt: receipts.ofSubscription(one.subscriptionId) }))
      .sort((a, b) => (a.one.subscriptionId < b.one.subscriptionId ? -1 : 1)),
    newObservations: [...newObservations].sort((a, b) => (a.id < b.id ? -1 : 1)),
  })
}

/** A list in an order that depends only on a seed. */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed
  const drawn = list.map((entry) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return { entry, state }
  })
  return drawn.sort((a, b) => a.state - b.state).map(({ entry }) => entry)
}

test(`on ${runs} accounts: a second rebuild gives the same bytes, and so does any order of invoices and lines`, {
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
      invoices: shuffled(invoices, seed).map((one) => ({ ...one, lines: shuffled(one.lines, seed) })),
      prices: shuffled(prices, seed),
      products: shuffled(products, seed),
      asOf,
      policy,
    }
    assert.equal(everything(other), bytes)
  })
})

/** The three known forms of the unit on a line for part of a period: empty, the part's own, or the price's. */
const readings: Record<string, (line: InvoiceLine) => string | null> = {
  'left empty': () => null,
  'of the part': ({ amountCents, quantity }) => (amountCents / (quantity || 1)).toFixed(12),
  'of the price': ({ unitAmountDecimal }) => unitAmountDecimal,
}

test.each(Object.keys(readings))(
  `R12 R13 on ${runs} accounts: the unit of a part of a period, %s, changes no byte`,
  { timeout: propertyMs },
  (name) => {
    const unitOf = readings[name] ?? (() => null)
    const read = (line: InvoiceLine): InvoiceLine =>
      line.isProration ? { ...line, unitAmountDecimal: unitOf(line) } : line
    let isPriceGone = false
    holdsForAccounts(({ account, policy }) => {
      isPriceGone = !isPriceGone
      const prices = isPriceGone ? [] : account.prices
      const invoices = account.invoices.map((one) => ({ ...one, lines: one.lines.map(read) }))
      const bytes = everything({ ...account, prices, policy })
      assert.equal(everything({ ...account, prices, invoices, policy }), bytes)
    })
  },
)

const isPlain = (life: Life): Life => ({ ...life, discountsOn: 'lines' })

/** One invoice for each line; the lines of one tiered item stay together, because they form one charge or credit. */
function split(invoice: PaymentInvoice): PaymentInvoice[] {
  const groups = Map.groupBy(
    invoice.lines,
    ({ id, subscriptionItemId, priceId, periodStart, isProration, isSubscriptionItem }: InvoiceLine) => {
      if (!isSubscriptionItem) return id
      return isProration ? `${subscriptionItemId ?? priceId} from ${periodStart}` : subscriptionItemId
    },
  )
  return [...groups.values()].map((lines, index) => ({
    ...invoice,
    id: `${invoice.id}_${index}`,
    lines,
    totalDiscountCents: lines.reduce((sum, { discountCents }) => sum + discountCents, 0),
  }))
}

/** For lines of 0 with free text, only the lines beside them show which are credits. */
const told = (life: Life): Life => ({ ...isPlain(life), hasOwnWords: false })

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
  }, told)
})

test(`R36 on ${runs} accounts: other ids, that sort the other way round, give other ids and nothing else`, {
  timeout: propertyMs,
}, () => {
  const figures = (account: GeneratedAccount, policy: Sample['policy']): string => {
    const { events, subscriptions, newObservations, receipts } = rebuild({ ...account, policy })
    const receiptsOf = events.map(({ id }) => receipts.ofEvent(id))
    return JSON.stringify({ events, subscriptions, newObservations, receiptsOf })
  }
  // Objects that differ only in their ids are sorted by id.
  const inOrder = (text: string): unknown => {
    const { receiptsOf, ...rest }: { receiptsOf: Receipt[] } = JSON.parse(text)
    const sorted = (list: unknown[]): string[] => list.map((entry) => JSON.stringify(entry)).sort()
    const inOrderOf = ({ parts, ignored, before, ...receipt }: Receipt) => ({
      ...receipt,
      parts: sorted(parts),
      ignored: sorted(ignored),
      before: before && { ...before, parts: sorted(before.parts) },
    })
    return { ...rest, receiptsOf: receiptsOf.map(inOrderOf) }
  }
  holdsForAccounts(({ lives, account, policy }) => {
    assert.deepEqual(
      inOrder(mirrored(figures(accountOfLives(lives, true), policy))),
      inOrder(figures(account, policy)),
    )
    // For lines that differ only in their ids, the id decides which bears the odd cent of an invoice's discount.
  }, told)
})

/**
 * Lives with one change per item and instant, no credit on its own, and lines that name their item: for lines of 0 only
 * the text could say more.
 */
function changedOnce(life: Life): Life {
  const items = life.items.map((item) => {
    const sold = <T extends Terms>(terms: T): T => ({
      ...terms,
      plan: terms.plan % (planCount - 1),
      quantity: terms.quantity + 1,
    })
    const changes = [...new Map(item.changes.map((change) => [change.period, sold(change)])).values()]
    return { ...sold(item), changes, gone: null }
  })
  return { ...life, items, hasBareProrations: false }
}

test(`R12 on ${runs} accounts: credits in words of their own, that name nothing, change no figure`, {
  timeout: propertyMs,
}, () => {
  holdsForAccounts(({ lives, policy }) => {
    const eventsOf = (hasOwnWords: boolean): MrrEvent[] =>
      rebuild({ ...accountOfLives(lives.map((life) => ({ ...life, hasOwnWords }))), policy }).events
    assert.deepEqual(eventsOf(true), eventsOf(false))
  }, changedOnce)
})

const scale = 10

/**
 * Lives whose current value is proportional to their units: linear prices, percentage discounts, and no tax rate inferred
 * from a few cents of tax.
 */
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

/** Two discounts and a tax may each be half a cent off a day's price, on both sides; a state may be half a cent off. */
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
