import { extraPrice } from '../catalogue/extra-prices.ts'
import type { Price } from '../model/offer.ts'
import type { Item, WorldSubscription, Writing } from '../model/subscription.ts'
import { type Billing, type Change, changeSubscription, isQuiet } from '../subscriptions/change.ts'
import { cancelOn } from '../subscriptions/dated-cancellation.ts'
import { requestChange } from '../subscriptions/pending-update.ts'
import { type Order, startSubscription } from '../subscriptions/start.ts'
import { addMonths, daySeconds, hourSeconds, periodBoundary } from '../time/calendar.ts'
import {
  daysBefore,
  early,
  leaving,
  newCustomer,
  once,
  priceOf,
  type Story,
  type StoryStage,
  signUp,
  steady,
} from './stage.ts'

type Act = (stage: StoryStage, subscription: WorldSubscription, now: number) => void
type Shape = (stage: StoryStage, now: number) => Omit<Order, 'behaviour'>

/** Plays a change in the third period of a subscription, and again shortly before the end. */
function changing(name: string, shape: Shape, act: Act): Story[] {
  const told = (begins: Story['begins'], suffix: string): Story => ({
    name: `${name}${suffix}`,
    begins,
    play: (stage, now) => {
      const behaviour = once(stage, 2, 0.2 + stage.random.next() * 0.4, (subscription, at) =>
        act(stage, subscription, at),
      )
      signUp(stage, now, { ...shape(stage, now), behaviour })
    },
  })
  return [told(leaving(200), ''), told(daysBefore(78), ', lately')]
}

/** Plays an unusual beginning, and nothing after it. */
function beginning(name: string, shape: Shape): Story[] {
  const told = (begins: Story['begins'], suffix: string): Story => ({
    name: `${name}${suffix}`,
    begins,
    play: (stage, now) => {
      signUp(stage, now, { ...shape(stage, now), behaviour: steady() })
    },
  })
  return [told(leaving(120), ''), told(daysBefore(16), ', lately')]
}

const seats =
  (quantity: number, billing: Billing = 'at once'): Act =>
  (stage, subscription, now) => {
    const changes = subscription.items
      .slice(0, 1)
      .map((item): Change => ({ kind: 'quantity', item, quantity }))
    changeSubscription(stage.books, subscription, changes, now, billing)
  }

const plan =
  (key: string): Act =>
  (stage, subscription, now) => {
    const price = priceOf(stage, key)
    const changes = subscription.items.slice(0, 1).map((item): Change => ({ kind: 'price', item, price }))
    changeSubscription(stage.books, subscription, changes, now, 'at once')
  }

const extra =
  (key: string, quantity: number, writing: Partial<Writing> = {}): Shape =>
  ({ books }) => ({ items: [{ price: extraPrice(books, key), quantity }], writing })

const sold =
  (key: string, quantity: number, rest: Partial<Order> = {}): Shape =>
  (stage) => ({ items: [{ price: priceOf(stage, key), quantity }], ...rest })

/** Requests a change that takes effect when it is paid. */
const pending =
  (paidAfterHours: number | null, change: (stage: StoryStage, item: Item) => Change): Act =>
  (stage, subscription, now) => {
    const item = subscription.items[0]
    if (item !== undefined)
      requestChange(stage.books, subscription, [change(stage, item)], now, paidAfterHours)
  }

const toScale = (stage: StoryStage, item: Item): Change => ({
  kind: 'price',
  item,
  price: priceOf(stage, 'scale'),
})
const moreSeats = (_stage: StoryStage, item: Item): Change => ({ kind: 'quantity', item, quantity: 21 })

/** Chosen so that no test looks at the account while the invoice of this hour is a draft. */
export function anchorAfter(now: number, days: number): number {
  return now - (now % daySeconds) + days * daySeconds + hourSeconds + 600
}

/** A start the given number of periods ago, with the next period `days` from now. */
function movedHere(
  price: Price,
  now: number,
  days: number,
  periods: number,
): Pick<Order, 'startDate' | 'anchor'> {
  const anchor = anchorAfter(now, days)
  return { anchor, startDate: periodBoundary(anchor, price.interval ?? 'month', price.count, -periods) }
}

const moved =
  (key: string, quantity: number, days: number, periods: number, rest: Partial<Order> = {}): Shape =>
  (stage, now) => {
    const price = priceOf(stage, key)
    return {
      items: [{ price, quantity }],
      ...movedHere(price, now, days, periods),
      isUnbilled: true,
      ...rest,
    }
  }

const tierStories: Story[] = (
  [
    ['by change', "the provider's"],
    ['in turns', "the provider's"],
    ['any', "the provider's"],
    ['in turns', 'own'],
    ['any', 'own'],
  ] as const
).flatMap(([order, words]) => {
  const writing = { order, words }
  const how = `, ${order}, ${words} words`
  return [
    ...changing(`seats inside a tier${how}`, extra('plateau', 6, writing), seats(11)),
    ...changing(`seats over the end of a tier${how}`, extra('plateau', 6, writing), seats(22)),
    ...changing(`the first units are free${how}`, extra('first-free', 7, writing), seats(19)),
    ...changing(`fewer units, then all free${how}`, extra('first-free', 25, writing), seats(8)),
    ...changing(`free, then paid${how}`, sold('free', 1, { writing }), plan('starter')),
    ...changing(`paid, then free${how}`, sold('starter', 1, { writing }), plan('free')),
    ...changing(`seats up${how}`, sold('team', 5, { writing, mode: 'included' }), seats(9)),
    ...changing(`seats down${how}`, sold('team', 9, { writing: { ...writing, bare: true } }), seats(4)),
  ]
})

const pendingStories: Story[] = [
  ...changing('a change paid after all', sold('business', 1), pending(9, toScale)),
  ...changing('seats paid after all', sold('team', 8, { mode: 'included' }), pending(20, moreSeats)),
  ...changing('a change that expires', sold('business', 1), pending(null, toScale)),
  ...changing(
    'a new item, paid after all',
    sold('business', 1, { mode: 'itemized' }),
    pending(3, (stage) => ({ kind: 'add', price: priceOf(stage, 'support'), quantity: 2 })),
  ),
  ...[1, 4, 7, 10, 13, 16].map(
    (hours): Story => ({
      name: `a change still pending ${hours} hours before the end`,
      begins: (stage) => stage.asOf - 40 * daySeconds,
      play: (stage, now) => {
        const subscription = signUp(stage, now, { ...sold('business', 1)(stage, now), behaviour: steady() })
        stage.books.agenda.add(stage.asOf - hours * hourSeconds, (at) =>
          pending(null, toScale)(stage, subscription, at),
        )
      },
    }),
  ),
]

/** Changes one subscription and bills it on the invoice of another, or on one without a subscription. */
function billedElsewhere(name: string, host: string | null, billing: Billing): Story[] {
  const told = (begins: Story['begins'], suffix: string): Story => ({
    name: `${name}${suffix}`,
    begins,
    play: (stage, now) => {
      const customer = newCustomer(stage, now)
      const behaviour = once(stage, 1, 0.1 + stage.random.next() * 0.2, (subscription, at) => {
        if (isQuiet(subscription, at)) seats(14, billing)(stage, subscription, at)
      })
      startSubscription(stage.books, customer, { ...sold('team', 6)(stage, now), behaviour }, now)
      if (host === null) return
      stage.books.agenda.add(now + 17 * daySeconds, (at) => {
        startSubscription(stage.books, customer, { ...sold(host, 1)(stage, at), behaviour: steady() }, at)
      })
    },
  })
  return [told(leaving(200), ''), told(daysBefore(52), ', lately')]
}

const mergedStories: Story[] = [
  ...billedElsewhere('seats on a bill of their own', null, 'elsewhere'),
  ...billedElsewhere('seats on the bill of another subscription', 'business', 'elsewhere'),
]

const startStories: Story[] = [
  ...beginning('short first period, ordinary line', (stage, now) => ({
    ...sold('team', 6, { writing: { stub: 'ordinary' } })(stage, now),
    anchor: anchorAfter(now, 12),
  })),
  ...beginning('short first period, prorated', (stage, now) => ({
    ...sold('team', 6)(stage, now),
    anchor: anchorAfter(now, 12),
  })),
  ...beginning('short first period of storage', (stage, now) => ({
    ...sold('storage', 23)(stage, now),
    anchor: anchorAfter(now, 9),
  })),
  ...beginning('short first year', (stage, now) => ({
    ...sold('team-year', 6, { writing: { stub: 'ordinary' } })(stage, now),
    anchor: anchorAfter(now, 200),
  })),
  ...beginning('backdated to an anchor, one line', (stage, now) => ({
    ...moved('team', 7, 11, 3, { isUnbilled: false })(stage, now),
  })),
  ...beginning('backdated to an anchor, a line for each period', (stage, now) => ({
    ...moved('business', 1, 11, 3, { isUnbilled: false, mode: 'included' })(stage, now),
  })),
  ...beginning('backdated inside a period, one line', (stage, now) => ({
    ...sold('business', 1)(stage, now),
    anchor: anchorAfter(now, 11),
    startDate: addMonths(now, -2) - 5 * daySeconds,
  })),
  ...beginning('backdated inside a period, flexible', (stage, now) => ({
    ...sold('business', 1, { mode: 'itemized' })(stage, now),
    anchor: anchorAfter(now, 11),
    startDate: addMonths(now, -2) - 5 * daySeconds,
  })),
  ...beginning('moved here, billed at the next renewal', moved('team', 7, 13, 1)),
  ...beginning('moved here after some months', moved('business', 1, 20, 5, { mode: 'included' })),
  ...beginning('moved here, yearly', moved('team-year', 12, 130, 1)),
  ...beginning('moved here, yearly, after two years', moved('business-year', 1, 300, 3)),
  ...beginning('free until the anchor', (stage, now) => ({
    ...sold('business', 1)(stage, now),
    anchor: anchorAfter(now, 14),
    isUnbilled: true,
  })),
]

/** Cancels for a day inside the running period, or inside a later one. */
function leavingOn(name: string, shape: Shape, after: number, isCredited: boolean): Story[] {
  const act: Act = (stage, subscription, now) => {
    if (!isQuiet(subscription, now)) return
    cancelOn(stage.books, subscription, now + after * daySeconds + hourSeconds, now, isCredited)
  }
  const told = (begins: Story['begins'], suffix: string): Story => ({
    name: `${name}${suffix}`,
    begins,
    play: (stage, now) => {
      const behaviour = once(stage, 0, 0.3, (subscription, at) => act(stage, subscription, at))
      signUp(stage, now, { ...shape(stage, now), behaviour })
    },
  })
  return [told(early, ''), told(daysBefore(130), ', lately')]
}

const cancellationStories: Story[] = [
  ...leavingOn('leaves inside the year, credited', sold('business-year', 1), 110, true),
  ...leavingOn('leaves inside the year, not credited', sold('team-year', 8, { mode: 'included' }), 90, false),
  ...leavingOn('leaves inside a later month', sold('team', 8, { writing: { stub: 'ordinary' } }), 100, false),
  ...leavingOn('leaves inside a later month, prorated', sold('team', 8), 100, false),
]

export const unusualStories: Story[] = [
  ...tierStories,
  ...pendingStories,
  ...mergedStories,
  ...startStories,
  ...cancellationStories,
]
