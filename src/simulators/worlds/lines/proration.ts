import type { Books } from '../model/books.ts'
import type { Debit, DraftLine, Item, RatedLine, WorldSubscription } from '../model/subscription.ts'
import { fraction, fractionOfDecimal, roundHalfUp, share, shareDown, times } from '../numbers/rational.ts'
import { discountsInForce, itemDiscountsInForce } from './discounting.ts'
import { partLine, prorationWords, type Span } from './draft-lines.ts'
import { putInOwnWords } from './own-words.ts'
import { ratePrice } from './rating.ts'

/** One line of what an item was charged, or would be charged, for a span of time. */
type Charge = Span & {
  rated: RatedLine
  discounts: DraftLine['discounts']
}

/**
 * Credits the unused part of what an item was charged in advance, line by line: of the full charge in classic mode,
 * of the amount really debited in flexible mode.
 * Source: docs.stripe.com/billing/subscriptions/prorations, "Credit prorations".
 */
export function creditLines(
  books: Books,
  subscription: WorldSubscription,
  item: Item,
  now: number,
): DraftLine[] {
  const { debit } = item
  const isClassic = subscription.mode === 'classic' || debit === null
  const charges = isClassic ? fullCharges(subscription, item, now) : charged(debit)
  return charges.map((charge, index) => {
    const line = prorate(books, subscription, item, givenBack(charge), restOf(item, now))
    line.isCredit = true
    line.description = prorationWords(line, true, now)
    if (debit !== null)
      line.credited = { invoice: debit.invoice, lines: creditedLines(debit, charges, index) }
    if (subscription.writing.words === 'own') putInOwnWords(books, line)
    return line
  })
}

/** Charges an item, as it is now, for the rest of its period: one line for each tier that its units reach. */
export function debitLines(
  books: Books,
  subscription: WorldSubscription,
  item: Item,
  now: number,
): DraftLine[] {
  return fullCharges(subscription, item, now).map((charge) => {
    const line = prorate(books, subscription, item, charge, restOf(item, now))
    line.description = prorationWords(line, false, now)
    if (subscription.writing.words === 'own') putInOwnWords(books, line)
    return line
  })
}

/**
 * Charges an item for part of a period: a short first one, or a last one that is cut short. No recording shows
 * whether such lines are prorations.
 * Source: docs.stripe.com/billing/subscriptions/billing-cycle.
 */
export function partialLines(
  books: Books,
  subscription: WorldSubscription,
  item: Item,
  part: Span,
  whole: Span,
  now: number,
): DraftLine[] {
  const charges = fullCharges(subscription, item, now, whole)
  if (subscription.writing.stub === 'proration')
    return charges.map((charge) => {
      const line = prorate(books, subscription, item, charge, part)
      line.description = prorationWords(line, false, part.start)
      return line
    })
  return charges.map(({ rated }) => {
    const amount = shareDown(rated.amount, part.end - part.start, whole.end - whole.start)
    const line = partLine(books, item, { ...rated, amount }, part)
    line.kind = 'recurring'
    return line
  })
}

/** The price of the item for a whole period under the current percentage discounts, line by line. */
function fullCharges(
  subscription: WorldSubscription,
  item: Item,
  now: number,
  { start, end }: Span = { start: item.periodStart, end: item.periodEnd },
): Charge[] {
  const inForce = [...itemDiscountsInForce(item, now), ...discountsInForce(subscription, now)]
  return ratePrice(item.price, item.quantity ?? 0).map((rated) => {
    let left = rated.amount
    const discounts: DraftLine['discounts'] = []
    for (const discount of inForce) {
      const { productsOnly, percentOff } = discount.coupon
      if (productsOnly !== null && !productsOnly.includes(item.price.product)) continue
      const amount = roundHalfUp(times(fractionOfDecimal(String(percentOff ?? 0)), fraction(left, 100)))
      discounts.push({ discount, amount })
      left -= amount
    }
    return { rated, discounts, start, end }
  })
}

function restOf(item: Item, now: number): Span {
  return { start: now, end: item.periodEnd }
}

function charged({ parts, start, end }: Debit): Charge[] {
  return parts.map(({ grossCents, quantity, listed, discounts }) => ({
    rated: { amount: grossCents, quantity, ...listed },
    discounts,
    start,
    end,
  }))
}

function givenBack({ rated, discounts, ...span }: Charge): Charge {
  return {
    rated: { ...rated, amount: -rated.amount },
    discounts: discounts.map(({ discount, amount }) => ({ discount, amount: -amount })),
    ...span,
  }
}

/** The lines that a credit names: the matching one if the charge has as many lines as the debit, otherwise all. */
function creditedLines({ parts }: Debit, charges: Charge[], index: number): string[] {
  const lines = parts.map(({ line }) => line)
  return parts.length === charges.length ? lines.slice(index, index + 1) : lines
}

/**
 * Part of a charge, rounded down to whole cents. Itemized prorations are gross and give the discount its amount; the
 * others are net and give it 0.
 * Source: docs.stripe.com/changelog/clover/2025-09-30/itemize-proration-discount-amounts; recorded answers of 2026.
 */
function prorate(
  books: Books,
  subscription: WorldSubscription,
  item: Item,
  { rated, discounts, start, end }: Charge,
  span: Span,
): DraftLine {
  const part = span.end - span.start
  const length = end - start
  const itemized = subscription.mode === 'itemized'
  const off = discounts.reduce((sum, part) => sum + part.amount, 0)
  const amount = shareDown(itemized ? rated.amount : rated.amount - off, part, length)
  const line = partLine(books, item, { ...rated, amount }, span)
  line.discounts = discounts.map(({ discount, amount: cents }) => ({
    discount,
    amount: itemized ? share(cents, part, length) : 0,
  }))
  line.invoiceItem = books.newId('ii')
  if (subscription.writing.bare) line.itemId = null
  return line
}
