import { isExactUnder } from '../lines/discounting.ts'
import { ratePrice } from '../lines/rating.ts'
import type { Price } from '../model/offer.ts'
import type { Random } from '../numbers/random.ts'
import type { Order } from '../subscriptions/start.ts'
import { daySeconds, periodBoundary } from '../time/calendar.ts'
import type { StoryStage } from './stage.ts'
import { anchorAfter } from './unusual.ts'

const orders = ['by change', 'by change', 'in turns', 'any'] as const

/**
 * How a subscription begins, and how its bills are written. Partial periods have no amount off and no tax in odd
 * cents; a start without a bill has no coupon that could end before the first one.
 */
export function beginningOf({ random }: StoryStage, order: Order, now: number): Partial<Order> {
  const { items, taxRate, coupon, trialDays } = order
  const stub = random.pick(['proration', 'ordinary'] as const)
  const words = random.chance(0.15) ? 'own' : "the provider's"
  const writing = { bare: random.chance(0.2), order: random.pick(orders), words, stub } as const
  const [first] = items
  const isExact = items.every(
    ({ price, quantity }) =>
      !price.metered &&
      ratePrice(price, quantity ?? 1).every(({ amount }) => isExactUnder([], taxRate ?? null, amount)),
  )
  const isEven = items.every(({ price }) => first !== undefined && isSameInterval(price, first.price))
  const days = first === undefined ? 0 : daysToAnchor(random, first.price)
  const isPlain = trialDays === undefined && coupon === undefined && order.setupFee === undefined
  if (first === undefined || days === 0 || !isEven || !isExact || !isPlain) return { writing }
  const anchor = anchorAfter(now, days)
  const elapsed =
    random.int(1, 3) *
    (anchor - periodBoundary(anchor, first.price.interval ?? 'month', first.price.count, -1))
  const startDate = random.chance(0.5) ? anchor - elapsed : now - Math.floor(elapsed * random.next())
  const kind = random.pick(['usual', 'usual', 'stub', 'stub', 'backdated', 'moved', 'free first'] as const)
  switch (kind) {
    case 'usual':
      return { writing }
    case 'stub':
      return { writing, anchor }
    case 'backdated':
      return { writing, anchor, startDate: Math.min(startDate, now) }
    case 'moved':
      return { writing, anchor, startDate: Math.min(startDate, now - daySeconds), isUnbilled: true }
    case 'free first':
      return { writing, anchor, isUnbilled: true }
  }
}

/**
 * Days to a first full period: less than a period of the price, more than a first payment may take; 0 if impossible.
 */
function daysToAnchor(random: Random, { interval, count }: Price): number {
  if (interval === 'week') return random.int(2, 6)
  if (interval === 'month') return random.int(2, 27 * count)
  return interval === 'year' ? random.int(2, 360) : 0
}

export function isSameInterval(a: Price, b: Price): boolean {
  return a.interval === b.interval && a.count === b.count
}
