import type { Instant } from '../../instant.ts'
import type { PaymentSubscription } from '../../payments.ts'
import type { IgnoredLine } from '../bills/bill.ts'
import { monthsOf } from '../exact/interval.ts'
import type { MrrPolicy } from '../exact/policy.ts'
import { minus, notBelowZero, textOf, whole, zero } from '../exact/rational.ts'
import type { DiscountBook } from '../terms/discounts/coupon.ts'
import type { ItemTerms } from '../terms/item-terms.ts'
import type { Ground } from '../timeline/dating.ts'
import type { SubscriptionState } from '../timeline/subscription-state.ts'
import { discountIdsOf, discountsOfPart, type ReceiptDiscount } from './discounts-of-part.ts'
import { ruleBookVersion } from './rule-book-version.ts'
import { rulesOfTerms } from './rules-of-terms.ts'

/** How one item contributes to a figure. Fractions are exact texts of minor units: '25000/3' or '8333'. */
export type ReceiptPart = {
  itemId: string
  productId: string | null
  priceId: string | null
  quantity: number
  /** The invoice and lines it was read from; null and empty when the subscription itself states it. */
  invoiceId: string | null
  lineIds: string[]
  /** One whole billing period: gross - discount - inclusiveTax = net. */
  gross: string
  discount: string
  discountIds: string[]
  /** The same with their coupons; absent if there are none that the account shows. */
  discounts?: ReceiptDiscount[]
  inclusiveTax: string
  net: string
  interval: string
  intervalCount: number
  /** Months in the interval; net / months = monthly. */
  months: string
  monthly: string
  rules: string[]
}

/** Explains a figure. The parts add up to `sum`, and sum + rounding = mrrCents, exactly. */
export type Receipt = {
  /** The version of the rules (code) and the revision of the policy (the organization's choice). */
  ruleBookVersion: number
  policyRevision: number
  currency: string
  /** The evidence that dates an event; null for a current figure. */
  dated: Ground | null
  /** Why an event is of its kind; absent if there is nothing to say. */
  kind?: Ground
  /** When the subscription ends by a planned cancellation; absent if that is not known. */
  endsAt?: Instant
  /** What was billed last before an end; absent if `ignored` shows it. */
  lastBill?: LastBill
  parts: ReceiptPart[]
  sum: string
  rounding: string
  mrrCents: number
  ignored: IgnoredLine[]
  /** Every rule that shaped the figure or the event, ascending. */
  rules: string[]
  /** The figure just before an event, where its parts are no longer those of the event before: they changed at the same MRR. */
  before?: Sum
}

/** The invoice that billed a subscription last, and for which time. */
export type LastBill = { invoiceId: string; from: Instant; until: Instant; status: string | null }

/** What adds up to a figure. */
export type Sum = Pick<Receipt, 'parts' | 'sum' | 'rounding' | 'mrrCents'>

/**
 * What the parts of a figure are read with. `at`: the moment of an event; null for the current figure, which must not
 * depend on the day of the import.
 */
export type PartContext = {
  subscription: PaymentSubscription
  policy: MrrPolicy
  discounts: DiscountBook
  at: Instant | null
}

/** What a receipt says besides its figure. */
export type ReceiptContext = PartContext & {
  dated: Ground | null
  kind: Ground | null
  endsAt: Instant | null
  lastBill: LastBill | null
  ignored: IgnoredLine[]
  /** Rules of the event or of the current figure. */
  rules: readonly string[]
  before: Sum | null
}

/** The receipt of a state. */
export function receiptOf(state: SubscriptionState, context: ReceiptContext): Receipt {
  const { subscription, policy, dated, kind, endsAt, lastBill, before } = context
  const { parts, ...figure } = sumOf(state, context)
  const used = new Set(parts.flatMap(({ lineIds }) => lineIds))
  const ignored = context.ignored.filter(({ lineId }) => !used.has(lineId))
  const rules = new Set([
    // Amounts are rounded once, here.
    'R28',
    ...context.rules,
    ...parts.flatMap((part) => part.rules),
    ...ignored.map(({ rule }) => rule),
    ...(parts.length > 1 ? ['R3', 'R14'] : []),
    ...(dated ? [dated.rule] : []),
    ...(kind ? [kind.rule] : []),
  ])
  return {
    ruleBookVersion,
    policyRevision: policy.revision,
    currency: subscription.currency,
    dated,
    ...(kind && { kind }),
    ...(endsAt !== null && { endsAt }),
    ...(lastBill && !ignored.some(({ invoiceId }) => invoiceId === lastBill.invoiceId) && { lastBill }),
    parts,
    ...figure,
    ignored,
    rules: [...rules].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
    ...(before && { before }),
  }
}

function sumOf(state: SubscriptionState, context: PartContext): Sum {
  const { items, exactMrr, mrrCents } = state
  return {
    parts: items.map((terms) => partOf(terms, context)),
    sum: textOf(exactMrr),
    rounding: textOf(minus(whole(mrrCents), exactMrr)),
    mrrCents,
  }
}

/** The parts of a state that an event began with; null where they are those of the event before, whatever shows them now. */
export function changedSince(
  earlier: SubscriptionState,
  state: SubscriptionState,
  context: PartContext,
): Sum | null {
  if (earlier === state) return null
  const sum = sumOf(state, context)
  return termsText(sumOf(earlier, context)) === termsText(sum) ? null : sum
}

function termsText({ parts }: Sum): string {
  return parts
    .map(({ itemId, productId, priceId, quantity, gross, discount, discountIds, inclusiveTax, months }) =>
      [itemId, productId, priceId, quantity, gross, discount, discountIds, inclusiveTax, months].join(),
    )
    .sort()
    .join(' ')
}

/** The invoice and the lines that show the terms of an item. */
function shownBy({ source, emptiedBy }: ItemTerms): Pick<ReceiptPart, 'invoiceId' | 'lineIds'> {
  const [credit] = emptiedBy ?? []
  if (credit) {
    const together = emptiedBy?.filter(({ invoice }) => invoice.id === credit.invoice.id) ?? []
    return { invoiceId: credit.invoice.id, lineIds: together.map(({ line }) => line.id) }
  }
  if (source.kind === 'declaration') return { invoiceId: null, lineIds: [] }
  const { invoice, lines } = source.charge
  return { invoiceId: invoice.id, lineIds: lines.map(({ id }) => id) }
}

function partOf(terms: ItemTerms, context: PartContext): ReceiptPart {
  const { subscription, policy, at } = context
  const discounts = discountsOfPart(terms, context.discounts, subscription.currency)
  const net = notBelowZero(minus(minus(terms.gross, terms.discount), terms.inclusiveTax))
  return {
    itemId: terms.itemKey,
    productId: terms.productId,
    priceId: terms.priceId,
    quantity: terms.quantity,
    ...shownBy(terms),
    gross: textOf(terms.gross),
    discount: textOf(terms.discount),
    discountIds: discountIdsOf(terms),
    ...(discounts.length > 0 && { discounts }),
    inclusiveTax: textOf(terms.inclusiveTax),
    net: textOf(net),
    interval: terms.cadence.interval,
    intervalCount: terms.cadence.count,
    months: textOf(monthsOf(terms.cadence, policy) ?? zero),
    monthly: textOf(terms.monthly),
    rules: rulesOfTerms(terms, subscription, at),
  }
}
