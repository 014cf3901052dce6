import type { WorldSubscription } from '../model/subscription.ts'
import { type Billing, type Change, changeInterval, changeSubscription } from '../subscriptions/change.ts'
import type { Order } from '../subscriptions/start.ts'
import { daySeconds } from '../time/calendar.ts'
import {
  during,
  early,
  leaving,
  once,
  priceOf,
  type Story,
  type StoryStage,
  signUp,
  steady,
  taxRateOf,
} from './stage.ts'

type Act = (stage: StoryStage, subscription: WorldSubscription, now: number) => void

/** One subscription and one change in its third period. */
function changing(name: string, order: (stage: StoryStage) => Omit<Order, 'behaviour'>, act: Act): Story {
  return {
    name,
    begins: leaving(200),
    play: (stage, now) => {
      const part = 0.15 + stage.random.next() * 0.6
      const behaviour = once(stage, 2, part, (subscription, at) => act(stage, subscription, at))
      signUp(stage, now, { ...order(stage), behaviour })
    },
  }
}

/** Adds a number of seats to the first item, or removes them. */
function seats(by: number, billing: Billing): Act {
  return (stage, subscription, now) => {
    const item = subscription.items[0]
    if (item === undefined) return
    const change: Change = { kind: 'quantity', item, quantity: (item.quantity ?? 0) + by }
    changeSubscription(stage.books, subscription, [change], now, billing)
  }
}

/** Gives the first item another price of the same interval. */
function plan(key: string, replace: boolean, quantity?: number): Act {
  return (stage, subscription, now) => {
    const item = subscription.items[0]
    if (item === undefined) return
    const change: Change = {
      kind: 'price',
      item,
      price: priceOf(stage, key),
      replace,
      ...(quantity && { quantity }),
    }
    changeSubscription(stage.books, subscription, [change], now, 'at once')
  }
}

const team = (quantity: number) => (stage: StoryStage) => ({
  items: [{ price: priceOf(stage, 'team'), quantity }],
})
const single = (key: string) => (stage: StoryStage) => ({ items: [{ price: priceOf(stage, key) }] })

export const changeStories: Story[] = [
  changing('seats up, riding, classic', team(8), seats(4, 'later')),
  changing('seats down, riding, classic', team(20), seats(-7, 'later')),
  changing(
    'seats up at once, flexible',
    (stage) => ({ ...team(6)(stage), mode: 'included' }),
    seats(10, 'at once'),
  ),
  changing(
    'seats down at once, flexible',
    (stage) => ({ ...team(30)(stage), mode: 'itemized' }),
    seats(-12, 'at once'),
  ),
  changing(
    'seats by bare invoice items',
    (stage) => ({ ...team(5)(stage), writing: { bare: true } }),
    seats(3, 'later'),
  ),
  changing(
    'seats with tax inside the price',
    (stage) => ({ ...team(4)(stage), taxRate: taxRateOf(stage, 'moms') }),
    seats(2, 'at once'),
  ),
  changing('larger plan, same item', single('starter'), plan('business', false)),
  changing('larger plan, new item', single('business'), plan('scale', true)),
  changing('smaller plan', single('scale'), plan('business', false)),
  changing('another plan and seats at once', team(3), plan('support', false, 2)),
  changing('free, then paid', single('free'), plan('starter', false)),
  changing('monthly to yearly', single('business'), (stage, subscription, now) => {
    changeInterval(stage.books, subscription, priceOf(stage, 'business-year'), now)
  }),
  changing('blocks of storage, graduated', storage(18), seats(9, 'at once')),
  {
    name: 'two changes in one period',
    begins: leaving(200),
    play: (stage, now) => {
      const behaviour = steady((subscription, period, at) => {
        if (period !== 1) return
        during(stage, subscription, at, 0.2, (then) => seats(3, 'at once')(stage, subscription, then))
        during(stage, subscription, at, 0.7, (then) => seats(-2, 'at once')(stage, subscription, then))
      })
      signUp(stage, now, { ...team(9)(stage), mode: 'included', behaviour })
    },
  },
  {
    name: 'yearly to monthly',
    begins: early,
    play: (stage, now) => {
      const behaviour = once(stage, 0, 0.4, (subscription, at) => {
        changeInterval(stage.books, subscription, priceOf(stage, 'business'), at)
      })
      signUp(stage, now, { ...single('business-year')(stage), mode: 'included', behaviour })
    },
  },
  {
    name: 'paid, then free, then paid again',
    begins: leaving(250),
    play: (stage, now) => {
      const behaviour = steady((subscription, period, at) => {
        if (period === 2)
          during(stage, subscription, at, 0.5, (then) => plan('free', false)(stage, subscription, then))
        if (period === 4)
          during(stage, subscription, at, 0.5, (then) => plan('starter', false)(stage, subscription, then))
      })
      signUp(stage, now, { ...single('starter')(stage), behaviour })
    },
  },
  {
    name: 'add-on comes and goes',
    begins: leaving(250),
    play: (stage, now) => {
      const behaviour = steady((subscription, period, at) => {
        if (period !== 1 && period !== 4) return
        during(stage, subscription, at, 0.3, (then) => toggleSupport(stage, subscription, then))
      })
      signUp(stage, now, { ...single('business')(stage), behaviour })
    },
  },
  {
    name: 'yearly seats, several steps',
    begins: early,
    play: (stage, now) => {
      const behaviour = steady((subscription, _period, at) => {
        for (const days of [40, 100, 170, 260]) {
          const by = stage.random.int(1, 5)
          stage.books.agenda.add(at + days * daySeconds, (then) =>
            seats(by, 'at once')(stage, subscription, then),
          )
        }
      })
      signUp(stage, now, {
        items: [{ price: priceOf(stage, 'team-year'), quantity: 15 }],
        mode: 'itemized',
        behaviour,
      })
    },
  },
]

function storage(quantity: number): (stage: StoryStage) => Omit<Order, 'behaviour'> {
  return (stage) => ({ items: [{ price: priceOf(stage, 'storage'), quantity }], mode: 'included' })
}

function toggleSupport(stage: StoryStage, subscription: WorldSubscription, now: number): void {
  const support = priceOf(stage, 'support')
  const item = subscription.items.find((one) => one.price === support)
  const change: Change =
    item === undefined ? { kind: 'add', price: support, quantity: 1 } : { kind: 'remove', item }
  changeSubscription(stage.books, subscription, [change], now, item === undefined ? 'at once' : 'later')
}
