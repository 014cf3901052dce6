// Why a line of an invoice does not count toward MRR, in the words of a receipt.

import type { InvoiceLine, PaymentInvoice, PaymentPrice, PaymentSubscription } from '../../payments.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import { unitOfPrice } from '../prices/price-currency.ts'
import { type Charge, countsAsBill, type IgnoredLine, isGivenBack } from './bill.ts'
import { billedByBillingV2 } from './billing-v2.ts'
import type { GonePrices } from './gone-prices.ts'
import { belongsTo, isPendingBill } from './line-owner.ts'

/** A sentence of a receipt, and the rule that it follows from. */
export type Reason = Omit<IgnoredLine, 'invoiceId' | 'lineId' | 'amountCents'>

export const givenBack: Reason = {
  reason: 'Money back for unused time: it ends what was billed before',
  rule: 'R12',
}

export const notBegun: Reason = { reason: 'Its period has not begun', rule: 'R33' }

/** Why the line counts toward nothing; undefined when it is evidence of what was sold. */
export function whyIgnored(
  line: InvoiceLine,
  invoice: PaymentInvoice,
  subscription: PaymentSubscription,
  { price, isUsage }: { price: PaymentPrice | undefined; isUsage: boolean },
): Reason | undefined {
  if (!countsAsBill(invoice)) return { reason: `The invoice is ${statusWords(invoice.status)}`, rule: 'R26' }
  if (isPendingBill(subscription, invoice))
    return { reason: 'A change that waits for its payment', rule: 'R26' }
  if (line.billedBy !== undefined) return { reason: billedByBillingV2, rule: 'R8' }
  const isOwn = belongsTo(line, invoice, subscription)
  if (!isOwn && line.subscriptionId !== null) return { reason: 'Of another subscription', rule: 'R3' }
  // Most invoice items name no subscription, even on the invoice of a subscription.
  if (!isOwn || (!line.isSubscriptionItem && !line.isProration)) return { reason: 'One-off item', rule: 'R8' }
  if (isUsage) return { reason: 'Metered usage', rule: 'R23' }
  if (price && price.interval === null) return { reason: 'One-time price', rule: 'R8' }
  if (line.amountCents < 0 && !isGivenBack(line))
    return { reason: 'A credit that is not for unused time', rule: 'R29' }
  if (!isInCurrencyOf(subscription, invoice))
    return {
      reason: `In ${invoice.currency.toUpperCase()}, which is not the currency of the subscription`,
      rule: 'R34',
    }
  return undefined
}

function statusWords(status: string | null): string {
  return status === 'draft' ? 'a draft' : (status ?? 'not issued')
}

/** An invoice without a currency has the currency of its subscription, which never changes. */
export function isInCurrencyOf(subscription: PaymentSubscription, { currency }: PaymentInvoice): boolean {
  return currency === '' || currency === subscription.currency
}

/** A charge of zero length shows what was sold, unless another charge of the same moment shows it (R12). */
export function whyWithoutLength(
  { at, until, itemKey, isProration, ...charge }: Charge,
  all: readonly Charge[],
  gonePrices: GonePrices,
): Reason | undefined {
  if (!isProration || until > at) return undefined
  const isRenewed = all.some(
    (other) =>
      other.itemKey === itemKey && !other.isProration && Math.abs(other.at - at) <= sameRequestSeconds,
  )
  if (isRenewed)
    return { reason: 'It covers no time: the bill of the next period shows what was sold', rule: 'R12' }
  if (
    unitOfPrice(charge.price, charge.invoice.currency) ||
    charge.price?.tiers ||
    gonePrices.has(charge.priceId ?? '')
  )
    return undefined
  return { reason: 'It covers no time, and its price was deleted', rule: 'R12' }
}
