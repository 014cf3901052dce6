import type { IgnoredLine } from './evidence.ts'
import { monthsOf } from './interval.ts'
import type { ItemTerms } from './item-terms.ts'
import type { MrrPolicy } from './policy.ts'
import { minus, notBelowZero, textOf, whole, zero } from './rational.ts'
import type { SubscriptionState } from './subscription-state.ts'

/** How one item comes to its part of a figure. Fractions are exact texts of minor units, '25000/3' or '8333'. */
export type ReceiptPart = {
  itemId: string
  productId: string | null
  priceId: string | null
  quantity: number
  /** The invoice and lines it was read from; null and none where the subscription itself states it. */
  invoiceId: string | null
  lineIds: string[]
  /** One whole billing period: gross - discount - inclusiveTax = net. */
  gross: string
  discount: string
  discountIds: string[]
  inclusiveTax: string
  net: string
  interval: string
  intervalCount: number
  /** Months that the interval stands for; net / months = monthly. */
  months: string
  monthly: string
  rules: string[]
}

/** Why a figure is what it is. The parts add up to `sum`, and sum + rounding = mrrCents, exactly. */
export type Receipt = {
  policyVersion: string
  currency: string
  parts: ReceiptPart[]
  sum: string
  rounding: string
  mrrCents: number
  ignored: IgnoredLine[]
  rules: string[]
}

export function receiptOf(
  state: SubscriptionState,
  currency: string,
  policy: MrrPolicy,
  ignoredLines: ReadonlyMap<string, IgnoredLine[]>,
): Receipt {
  const parts = state.items.map((terms) => partOf(terms, policy))
  const invoiceIds = new Set([state.invoiceId, ...parts.map(({ invoiceId }) => invoiceId)])
  const ignored = [...invoiceIds].flatMap((id) => (id === null ? [] : (ignoredLines.get(id) ?? [])))
  const rules = ['R28', ...parts.flatMap((part) => part.rules), ...ignored.map(({ rule }) => rule)]
  // An end that a status made, and that may be undone, is remembered as it was seen; any other is the real end.
  if (state.cause === 'end') rules.push(state.sightingId === null ? 'R18' : 'R17')
  if (parts.length > 1) rules.push('R14')
  return {
    policyVersion: policy.version,
    currency,
    parts,
    sum: textOf(state.exactMrr),
    rounding: textOf(minus(whole(state.mrrCents), state.exactMrr)),
    mrrCents: state.mrrCents,
    ignored,
    rules: [...new Set(rules)].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
  }
}

function partOf(terms: ItemTerms, policy: MrrPolicy): ReceiptPart {
  const charge = terms.source.kind === 'charge' ? terms.source.charge : undefined
  const net = notBelowZero(minus(minus(terms.gross, terms.discount), terms.inclusiveTax))
  return {
    itemId: terms.itemKey,
    productId: terms.productId,
    priceId: terms.priceId,
    quantity: terms.quantity,
    invoiceId: charge?.invoice.id ?? null,
    lineIds: charge?.lines.map(({ id }) => id) ?? [],
    gross: textOf(terms.gross),
    discount: textOf(terms.discount),
    discountIds: terms.discountIds,
    inclusiveTax: textOf(terms.inclusiveTax),
    net: textOf(net),
    interval: terms.cadence.interval,
    intervalCount: terms.cadence.count,
    months: textOf(monthsOf(terms.cadence, policy) ?? zero),
    monthly: textOf(terms.monthly),
    rules: terms.rules,
  }
}
