import { isInstant, isoOfInstant } from '../instant.ts'
import type { PaymentDiscount, PaymentSubscription, SubscriptionItem } from '../payments.ts'
import { providerNames } from '../provider-names.ts'

/** Why a subscription cannot be counted, as a sentence that names the field; undefined when it can. */
export function whyUnsupported(subscription: PaymentSubscription): string | undefined {
  const { createdAt, startedAt, endedAt, currency, items, discounts } = subscription
  const dates = { created: createdAt, start_date: startedAt, ended_at: endedAt ?? 0 }
  const date = Object.entries(dates).find(([, at]) => !isInstant(at))?.[0]
  if (date) return `The subscription's ${date} is unreadable`
  if (!/^[a-z]{3}$/.test(currency)) return `The subscription's currency '${currency}' is no currency code`
  if (endedAt !== null && endedAt < startedAt) {
    const [end, start] = [isoOfInstant(endedAt), isoOfInstant(startedAt)]
    return `The subscription's ended_at ${end} is before its start_date ${start}: look at it in ${providerNames.payments}`
  }
  for (const item of items) {
    const problem = problemOfItem(item) ?? problemOfDiscounts(item.discounts)
    if (problem) return `Item ${item.id}: ${problem}`
  }
  const problem = problemOfDiscounts(discounts)
  return problem && `The subscription: ${problem}`
}

function problemOfItem({
  createdAt,
  periodStart,
  quantity,
  price,
  priceId,
}: SubscriptionItem): string | undefined {
  if (!isInstant(createdAt) || !isInstant(periodStart)) return 'a date is unreadable'
  if (quantity !== null && quantity < 0) return `the quantity ${quantity} is below 0`
  if (Number(price.unitAmountDecimal) < 0)
    return `the price ${priceId} asks ${price.unitAmountDecimal}, which is below 0`
  if (price.interval !== null && price.usageType !== 'licensed' && price.usageType !== 'metered') {
    return `the price ${priceId} is charged by '${price.usageType}', which is not known to this version`
  }
  return undefined
}

/** A coupon that would raise the price, or take off more than 100%. */
function problemOfDiscounts(discounts: readonly PaymentDiscount[]): string | undefined {
  for (const { coupon } of discounts) {
    const { percentOff = null, amountOffCents = null, id = '' } = coupon ?? {}
    if (percentOff !== null && !(percentOff >= 0 && percentOff <= 100)) {
      return `the coupon ${id} takes ${percentOff}% off, which is no percentage from 0 to 100`
    }
    if (amountOffCents !== null && amountOffCents < 0) {
      return `the coupon ${id} takes off ${amountOffCents}, which is below 0`
    }
  }
  return undefined
}
