import type { Books } from './books.ts'
import { discountsInForce, itemDiscountsInForce } from './discounting.ts'
import { partLine, prorationWords } from './draft-lines.ts'
import { fullPeriodCents } from './rating.ts'
import { fraction, fractionOfDecimal, roundHalfUp, share, shareDown, times } from './rational.ts'
import type { Debit, Discount, DraftLine, Item, Subscription } from './state.ts'

/**
 * Gives back the unused part of what an item was charged ahead: of its full period in classic mode, of the amount
 * really debited in flexible mode. Source: docs.stripe.com/billing/subscriptions/prorations, "Credit prorations".
 */
export function creditLine(books: Books, subscription: Subscription, item: Item, now: number): DraftLine {
  const { debit } = item
  const classic = subscription.mode === 'classic' || debit === null
  const { grossCents, discounts, ...span } = classic ? fullCharge(subscription, item, now) : debit
  const givenBack = {
    grossCents: -grossCents,
    discounts: discounts.map(({ discount, amount }) => ({ discount, amount: -amount })),
    ...span,
  }
  const line = prorate(books, subscription, item, givenBack, now)
  line.description = prorationWords(item, true, now)
  if (debit !== null) line.credited = { invoice: debit.invoice, lines: debit.lines }
  return line
}

/** Charges an item, as it is now, for the rest of its period. */
export function debitLine(books: Books, subscription: Subscription, item: Item, now: number): DraftLine {
  const line = prorate(books, subscription, item, fullCharge(subscription, item, now), now)
  line.description = prorationWords(item, false, now)
  return line
}

type Charge = Pick<Debit, 'grossCents' | 'discounts' | 'start' | 'end'>

/** What the item costs for its whole period under the (percentage) discounts of now. */
function fullCharge(subscription: Subscription, item: Item, now: number): Charge {
  const grossCents = fullPeriodCents(item.price, item.quantity ?? 0)
  let left = grossCents
  const discounts: { discount: Discount; amount: number }[] = []
  for (const discount of [...itemDiscountsInForce(item, now), ...discountsInForce(subscription, now)]) {
    const { productsOnly, percentOff } = discount.coupon
    if (productsOnly !== null && !productsOnly.includes(item.price.product)) continue
    const amount = roundHalfUp(times(fractionOfDecimal(String(percentOff ?? 0)), fraction(left, 100)))
    discounts.push({ discount, amount })
    left -= amount
  }
  return { grossCents, discounts, start: item.periodStart, end: item.periodEnd }
}

/**
 * The rest of a charge from now on, rounded down to whole cents. Itemized prorations are gross and name the discount;
 * the others are net and name it with 0.
 * Source: docs.stripe.com/changelog/clover/2025-09-30/itemize-proration-discount-amounts; recorded answers of 2026.
 */
function prorate(
  books: Books,
  subscription: Subscription,
  item: Item,
  charge: Charge,
  now: number,
): DraftLine {
  const rest = item.periodEnd - now
  const length = charge.end - charge.start
  const itemized = subscription.mode === 'itemized'
  const off = charge.discounts.reduce((sum, part) => sum + part.amount, 0)
  const chargedNet = itemized ? charge.grossCents : charge.grossCents - off
  const unit =
    item.price.scheme.kind === 'flat' || item.price.scheme.kind === 'package'
      ? item.price.scheme.unitCents
      : null
  const rated = { amount: shareDown(chargedNet, rest, length), quantity: item.quantity ?? 0, unit, note: '' }
  const line = partLine(books, item, rated, now, item.periodEnd)
  line.discounts = charge.discounts.map(({ discount, amount }) => ({
    discount,
    amount: itemized ? share(amount, rest, length) : 0,
  }))
  line.invoiceItem = books.newId('ii')
  if (subscription.bareInvoiceItems) line.itemId = null
  return line
}
