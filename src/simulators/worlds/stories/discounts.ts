import { attachCoupon, attachCustomerCoupon } from '../agreements/coupons.ts'
import type { BillingMode } from '../model/subscription.ts'
import { type Billing, changeSubscription } from '../subscriptions/change.ts'
import { startSubscription } from '../subscriptions/start.ts'
import {
  beforeRenewal,
  early,
  leaving,
  newCustomer,
  once,
  priceOf,
  type Story,
  signUp,
  steady,
} from './stage.ts'

/** A subscription that carries a coupon from its first invoice on. */
function withCoupon(name: string, coupon: string, key: string, quantity: number, mode: BillingMode): Story {
  return {
    name,
    begins: key.endsWith('-year') ? early : leaving(150),
    play: (stage, now) => {
      signUp(stage, now, {
        items: [{ price: priceOf(stage, key), quantity }],
        coupon,
        mode,
        behaviour: steady(),
      })
    },
  }
}

/** A coupon put on a paying subscription shortly before a renewal. */
function addedLater(name: string, coupon: string, key: string): Story {
  return {
    name,
    begins: leaving(300),
    play: (stage, now) => {
      const { books } = stage
      const behaviour = steady((subscription, period, at) => {
        if (period !== 2) return
        beforeRenewal(stage, subscription, at, (then) => attachCoupon(books, subscription, coupon, then))
      })
      signUp(stage, now, { items: [{ price: priceOf(stage, key) }], behaviour })
    },
  }
}

/** Adds seats under a lasting percentage, so that the proration is discounted. */
function seatsUnderCoupon(name: string, mode: BillingMode, billing: Billing): Story {
  return {
    name,
    begins: leaving(150),
    play: (stage, now) => {
      const behaviour = once(stage, 1, 0.4, (subscription, at) => {
        const item = subscription.items[0]
        if (item === undefined) return
        const change = { kind: 'quantity', item, quantity: (item.quantity ?? 0) + 5 } as const
        changeSubscription(stage.books, subscription, [change], at, billing)
      })
      const items = [{ price: priceOf(stage, 'team'), quantity: 10 }]
      signUp(stage, now, { items, coupon: 'FRIENDS25', mode, behaviour })
    },
  }
}

export const discountStories: Story[] = [
  withCoupon('percent once, monthly', 'WELCOME20', 'business', 1, 'classic'),
  withCoupon('percent once, yearly', 'WELCOME20', 'business-year', 1, 'included'),
  withCoupon('percent repeating', 'LAUNCH50-3M', 'team', 7, 'classic'),
  withCoupon('odd percentage of an odd price', 'THIRD-12M', 'starter-odd', 1, 'included'),
  withCoupon('percent forever', 'PARTNER10', 'scale', 1, 'itemized'),
  withCoupon('amount off forever', 'FIVEOFF', 'starter', 1, 'classic'),
  withCoupon('amount off repeating', 'TENOFF-6M', 'business', 1, 'included'),
  withCoupon('amount off once, yearly', 'BIGHUG', 'team-year', 3, 'classic'),
  withCoupon('amount off above the price', 'BIGHUG', 'starter', 1, 'classic'),
  withCoupon('first month free', 'FIRSTFREE', 'team', 4, 'classic'),
  withCoupon('free for ever by coupon', 'SPONSORED', 'starter', 1, 'classic'),
  addedLater('one month free to stay', 'KEEP100', 'business'),
  addedLater('sponsored from now on', 'SPONSORED', 'starter'),
  addedLater('partner from now on', 'PARTNER10', 'scale'),
  addedLater('three months half price to stay', 'LAUNCH50-3M', 'business'),
  seatsUnderCoupon('seats under a coupon, classic', 'classic', 'later'),
  seatsUnderCoupon('seats under a coupon, included', 'included', 'at once'),
  seatsUnderCoupon('seats under a coupon, itemized', 'itemized', 'at once'),
  {
    name: 'amount off shared with a one-off charge',
    begins: leaving(150),
    play: (stage, now) => {
      const setupFee = { price: priceOf(stage, 'onboarding'), cents: 25_000 }
      const items = [{ price: priceOf(stage, 'business') }]
      signUp(stage, now, { items, coupon: 'BIGHUG', setupFee, behaviour: steady() })
    },
  },
  {
    name: 'amount off over two items',
    begins: leaving(150),
    play: (stage, now) => {
      const items = [{ price: priceOf(stage, 'starter-odd') }, { price: priceOf(stage, 'team'), quantity: 3 }]
      signUp(stage, now, { items, coupon: 'TENOFF-6M', mode: 'included', behaviour: steady() })
    },
  },
  {
    name: 'coupon for one product and a coupon on an item',
    begins: leaving(150),
    play: (stage, now) => {
      const items = [
        { price: priceOf(stage, 'business'), coupon: 'PARTNER10' },
        { price: priceOf(stage, 'support') },
      ]
      signUp(stage, now, { items, coupon: 'SUPPORT15', behaviour: steady() })
    },
  },
  {
    name: 'coupon of the customer',
    begins: leaving(150),
    play: (stage, now) => {
      const customer = newCustomer(stage, now)
      attachCustomerCoupon(stage.books, customer, 'PARTNER10', now)
      const items = [{ price: priceOf(stage, 'business') }]
      startSubscription(stage.books, customer, { items, behaviour: steady() }, now)
    },
  },
]
