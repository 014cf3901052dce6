import {
  discountCents,
  discountsInForce,
  itemDiscountsInForce,
  takeOff,
  taxCents,
} from '../lines/discounting.ts'
import { draftLine } from '../lines/draft-lines.ts'
import { exactPeriodCents, monthlyFactor, ratePrice } from '../lines/rating.ts'
import type { TaxRate } from '../model/offer.ts'
import type { Discount, DraftLine, Item, WorldSubscription, Worth } from '../model/subscription.ts'
import { fraction, plus, times, zero } from '../numbers/rational.ts'

/** The discounts in force for an item and for its subscription, each list in the order in which they come off. */
export type Standing = {
  ofItem(item: Item): Discount[]
  ofSubscription(item: Item): Discount[]
}

/** The discounts that an invoice made at this instant would take off. */
export function standingNow(subscription: WorldSubscription, at: number): Standing {
  const whole = discountsInForce(subscription, at)
  return { ofItem: (item) => itemDiscountsInForce(item, at), ofSubscription: () => whole }
}

/**
 * Monthly worths by the agreed prices and discounts, never by an invoice: otherwise the oracle would repeat the
 * mistakes of the bills that it judges. `besides` are one-off lines; they share an amount off but are worth nothing.
 */
export function agreedWorth(
  subscription: WorldSubscription,
  items: Item[],
  standing: Standing,
  besides: DraftLine[] = [],
): Map<string, Worth> {
  const { taxRate } = subscription
  const licensed = items.filter((item) => !item.price.metered)
  const lines = licensed.flatMap((item) =>
    ratePrice(item.price, item.quantity ?? 0).map((rated) =>
      draftLine('recurring', item, rated, item.periodStart, item.periodEnd),
    ),
  )
  for (const item of licensed) {
    const own = lines.filter((line) => line.item === item)
    for (const discount of standing.ofItem(item)) takeOff(own, discount)
  }
  const under = (discount: Discount, { item }: DraftLine): boolean =>
    item === null || standing.ofSubscription(item).includes(discount)
  const other = besides.map((line) => ({ ...line, discounts: [] }))
  for (const discount of new Set(licensed.flatMap((item) => standing.ofSubscription(item)))) {
    takeOff(
      [...other, ...lines].filter((line) => under(discount, line)),
      discount,
    )
  }
  return new Map(licensed.map((item) => [item.id, worthOf(item, lines, taxRate)]))
}

/** A price in fractions of a cent counts exactly as agreed (R28); discounts and tax come off in whole cents. */
function worthOf(item: Item, all: DraftLine[], taxRate: TaxRate | null): Worth {
  const lines = all.filter((line) => line.item === item)
  const quantity = item.quantity ?? 0
  let net = exactPeriodCents(item.price, quantity)
  for (const line of lines) {
    const off = discountCents(line)
    const inside = taxRate?.inclusive ? taxCents(taxRate, line.amount - off) : 0
    net = plus(net, fraction(-off - inside))
  }
  type Part = DraftLine['discounts'][number]
  const isTemporary = ({ discount, amount }: Part): boolean =>
    amount > 0 && discount.coupon.duration !== 'forever'
  const isFreeForEver = ({ discount: { coupon } }: Part): boolean =>
    coupon.duration === 'forever' &&
    (coupon.percentOff === 100 ||
      (all.length === 1 && (coupon.amountOff ?? 0) >= (lines[0]?.amount ?? Number.POSITIVE_INFINITY)))
  return {
    mrr: net.num > 0n ? times(net, monthlyFactor(item.price)) : zero,
    quantity,
    temporary: lines.some(({ discounts }) => discounts.some(isTemporary) && !discounts.some(isFreeForEver)),
  }
}
