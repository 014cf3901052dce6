import type { Instant } from '../../instant.ts'
import type { PaymentPrice, PaymentSubscription } from '../../payments.ts'
import type { Charge } from '../bills/bill.ts'
import { type Cadence, daySeconds, isWholePeriod, periodsLater } from '../exact/interval.ts'
import { compare, distance, isPositive, one, whole } from '../exact/rational.ts'
import { unitOfPrice } from '../prices/price-currency.ts'
import { idsOf } from '../terms/discounts/discount-stack.ts'
import type { Declaration, ItemTerms } from '../terms/item-terms.ts'

/** The rules that decided one item's part of a figure; `at` is the moment of an event, null for the current figure. */
export function rulesOfTerms(
  terms: ItemTerms,
  subscription: PaymentSubscription,
  at: Instant | null,
): string[] {
  const { cadence, source, emptiedBy } = terms
  const ofInterval = cadence.interval === 'week' || cadence.interval === 'day' ? 'R2' : 'R1'
  if (emptiedBy) return [ofInterval, 'R12']
  const ofSource =
    source.kind === 'charge'
      ? [...rulesOfCharge(source.charge, terms, subscription), ...(isOver(source.charge, at) ? ['R20'] : [])]
      : rulesOfDeclaration(source.declaration)
  const price = source.kind === 'charge' ? source.charge.price : source.declaration.item.price
  return [
    ofInterval,
    ...rulesOfDiscount(terms, subscription),
    ...(isPositive(terms.inclusiveTax) ? ['R9'] : []),
    ...rulesOfPrice(price, subscription),
    ...ofSource,
  ]
}

function isOver({ until }: Charge, at: Instant | null): boolean {
  return at !== null && until <= at
}

function rulesOfDiscount(terms: ItemTerms, subscription: PaymentSubscription): string[] {
  const { discount, discounts, gross, source } = terms
  const writtenCents = source.kind === 'charge' ? source.charge.discountCents : 0
  if (!isPositive(discount)) {
    // Excluded by the MRR settings, or on the subscription but not on the bill.
    if (writtenCents > 0) return ['R4']
    return source.kind === 'charge' && isHeldUnbilled(terms, source.charge, subscription) ? ['R7'] : []
  }
  // One rule: the one that made the amount.
  const isSpread = source.kind === 'charge' && writtenCents > lineDiscountCents(source.charge)
  const hasAmount = discounts.some(({ kind }) => kind === 'amount')
  const isAllTaken = compare(discount, gross) >= 0
  if (isSpread || (hasAmount && (isAllTaken || isShared(terms, subscription)))) return ['R5']
  return source.kind === 'declaration' || idsOf(discounts).length > 1 ? ['R7'] : ['R4']
}

/** Whether other items are, or can be, lowered by a discount of this one. */
function isShared({ source, discounts, isSpread }: ItemTerms, { items }: PaymentSubscription): boolean {
  if (isSpread) return true
  if (source.kind === 'declaration') return items.length > 1
  const { invoice, lines } = source.charge
  const ids = new Set(idsOf(discounts))
  return invoice.lines.some(
    (line) =>
      !lines.includes(line) && line.discounts.some(({ id, amountCents }) => amountCents > 0 && ids.has(id)),
  )
}

/** Whether the subscription or the item has a discount that existed when the bill was made. */
function isHeldUnbilled(
  { itemKey }: ItemTerms,
  { at }: Charge,
  { discounts, items }: PaymentSubscription,
): boolean {
  const ofItem = items.find(({ id }) => id === itemKey)?.discounts ?? []
  return [...ofItem, ...discounts].some(
    ({ startedAt, endsAt }) => (startedAt ?? 0) <= at && (endsAt ?? at + 1) > at,
  )
}

function lineDiscountCents({ lines }: Charge): number {
  return lines.reduce((sum, { discountCents }) => sum + discountCents, 0)
}

function rulesOfPrice(price: PaymentPrice | undefined, { currency }: PaymentSubscription): string[] {
  if (!price) return []
  return [
    ...(price.billingScheme === 'tiered' ? ['R24'] : []),
    ...(price.transformQuantity ? ['R25'] : []),
    ...(price.currency === currency ? [] : ['R34']),
  ]
}

function rulesOfCharge(
  charge: Charge,
  terms: ItemTerms,
  { createdAt, startedAt }: PaymentSubscription,
): string[] {
  const { cadence, discount } = terms
  const { at, until, invoice, isProration, lines, price } = charge
  const rules: string[] = []
  if (isProration) rules.push('R12')
  const isReadFromLine = !price || unitOfPrice(charge.price, charge.invoice.currency) === undefined
  if (isReadFromLine || (isProration && isPositive(discount))) rules.push('R13')
  if (!price && lines.length > 1) rules.push('R24')
  const isFree = isFreeStretch(terms)
  if (isFree) rules.push('R16')
  if (invoice.status !== 'paid') rules.push('R26')
  const isWhole = isWholePeriod(at, until, cadence) && (isFree || isBilledInFull(charge, terms))
  if (isWhole && !isProration && isOddPeriod(charge, cadence)) rules.push('R27')
  const isElapsed = at < createdAt - daySeconds
  if (isElapsed) rules.push('R32')
  const isAhead = !isProration && !isWhole && until > periodsLater(at, cadence)
  if (isAhead && !isElapsed) rules.push('R33')
  const isStub = isProration ? at === startedAt : !isWhole && !isAhead && !isFree
  if ((isStub && !isElapsed) || isAnchorReset(charge)) rules.push('R35')
  return rules
}

/** Worth nothing without a discount although the price is not zero: a trial or another free stretch. */
function isFreeStretch({ zeroBecause, gross }: ItemTerms): boolean {
  return zeroBecause === 'temporary' && !isPositive(gross)
}

/** Whether the lines bill what a whole period costs; a first period can lack a few days. */
function isBilledInFull({ amountCents }: Charge, { gross }: ItemTerms): boolean {
  return compare(distance(gross, whole(amountCents)), one) < 0
}

/** A whole period that begins when the rest of a period at the same price was credited: the billing day moved. */
function isAnchorReset({ at, isProration, priceId, invoice }: Charge): boolean {
  if (isProration) return false
  return invoice.lines.some(
    (line) => line.isProration && line.amountCents < 0 && line.periodStart === at && line.priceId === priceId,
  )
}

/** Whether the period is a short month or a leap year, where a reader could expect another figure. */
function isOddPeriod({ at, until }: Charge, { interval, count }: Cadence): boolean {
  const days = Math.round((until - at) / daySeconds)
  if (interval === 'month') return days < 30 * count
  return interval === 'year' && days > 365 * count
}

function rulesOfDeclaration({ addedIds, isInsideBilledPeriod }: Declaration): string[] {
  return addedIds.size > 0 && isInsideBilledPeriod ? ['R6'] : []
}
