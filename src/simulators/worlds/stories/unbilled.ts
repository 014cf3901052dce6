import { attachCoupon, attachCustomerCoupon, removeCoupons } from '../agreements/coupons.ts'
import type { WorldSubscription } from '../model/subscription.ts'
import { type Change, changeInterval, changeSubscription, isQuiet } from '../subscriptions/change.ts'
import type { Order } from '../subscriptions/start.ts'
import { daysBefore, leaving, once, priceOf, type Story, type StoryStage, signUp } from './stage.ts'

type Act = (stage: StoryStage, subscription: WorldSubscription, now: number) => void
type Shape = (stage: StoryStage) => Omit<Order, 'behaviour'>

const team: Shape = (stage) => ({ items: [{ price: priceOf(stage, 'team'), quantity: 8 }] })
const one =
  (key: string, rest: Partial<Order> = {}): Shape =>
  (stage) => ({ items: [{ price: priceOf(stage, key) }], ...rest })

/** Plays a change that no invoice shows, once long before the end and once in the last period. */
function unbilled(name: string, shape: Shape, act: Act): Story[] {
  const told = (begins: Story['begins'], suffix: string): Story => ({
    name: `${name}${suffix}`,
    begins,
    play: (stage, now) => {
      const behaviour = once(stage, 1, 0.2 + stage.random.next() * 0.2, (subscription, at) => {
        if (isQuiet(subscription, at)) act(stage, subscription, at)
      })
      signUp(stage, now, { ...shape(stage), behaviour })
    },
  })
  return [told(leaving(200), ''), told(daysBefore(45), ', lately')]
}

/** Changes without prorations: nothing is billed before the next renewal. */
function silently(changes: (stage: StoryStage, subscription: WorldSubscription) => Change[]): Act {
  return (stage, subscription, now) => {
    changeSubscription(stage.books, subscription, changes(stage, subscription), now, 'never')
  }
}

const seats = (quantity: number): Act =>
  silently((_stage, { items }) => items.map((item) => ({ kind: 'quantity', item, quantity })))
const plan = (key: string, replace: boolean): Act =>
  silently((stage, { items }) =>
    items.map((item) => ({ kind: 'price', item, price: priceOf(stage, key), replace })),
  )
const addOn = silently((stage) => [{ kind: 'add', price: priceOf(stage, 'support'), quantity: 2 }])
const lessSupport = silently((stage, { items }) =>
  items.flatMap((item) => (item.price === priceOf(stage, 'support') ? [{ kind: 'remove', item }] : [])),
)
const coupon =
  (key: string): Act =>
  (stage, subscription, now) =>
    attachCoupon(stage.books, subscription, key, now)
const couponOnItem: Act = (stage, subscription, now) =>
  attachCoupon(stage.books, subscription, 'FRIENDS25', now, subscription.items[0])
const couponOfCustomer: Act = (stage, { customer }, now) =>
  attachCustomerCoupon(stage.books, customer, 'PARTNER10', now)

const withSupport: Shape = (stage) => ({
  items: [{ price: priceOf(stage, 'business') }, { price: priceOf(stage, 'support') }],
})

export const unbilledStories: Story[] = [
  ...unbilled('more seats, no proration', team, seats(13)),
  ...unbilled('fewer seats, no proration', team, seats(3)),
  ...unbilled('no seats at all, no proration', team, seats(0)),
  ...unbilled(
    'seats under a coupon, no proration',
    (stage) => ({ ...team(stage), coupon: 'FRIENDS25' }),
    seats(12),
  ),
  ...unbilled('blocks of storage, no proration', one('storage'), seats(31)),
  ...unbilled('contacts, no proration', one('contacts', { mode: 'itemized' }), seats(44)),
  ...unbilled('packs of messages, no proration', one('messages'), seats(450)),
  ...unbilled('larger plan, no proration', one('starter'), plan('scale', false)),
  ...unbilled('to the free plan, no proration', one('starter'), plan('free', false)),
  ...unbilled('an add-on comes, no proration', one('business'), addOn),
  ...unbilled('an add-on goes, no proration', withSupport, lessSupport),
  ...unbilled('to yearly, no credit', one('business'), (stage, subscription, now) => {
    changeInterval(stage.books, subscription, priceOf(stage, 'business-year'), now, false)
  }),
  ...unbilled('coupon for ever, put on inside a period', team, coupon('PARTNER10')),
  ...unbilled('coupon once, put on inside a period', team, coupon('WELCOME20')),
  ...unbilled('coupon for months, put on inside a period', team, coupon('THIRD-12M')),
  ...unbilled('amount off, put on inside a period', withSupport, coupon('TENOFF-6M')),
  ...unbilled('a free month, put on inside a period', one('business'), coupon('KEEP100')),
  ...unbilled('sponsored inside a period', one('starter'), coupon('SPONSORED')),
  ...unbilled(
    'a second coupon inside a period',
    one('business', { coupon: 'PARTNER10' }),
    coupon('FRIENDS25'),
  ),
  ...unbilled('coupon on an item inside a period', withSupport, couponOnItem),
  ...unbilled('coupon of the customer inside a period', one('business'), couponOfCustomer),
  ...unbilled(
    'coupon taken off inside a period',
    one('scale', { coupon: 'PARTNER10' }),
    (_stage, subscription) => removeCoupons(subscription),
  ),
]

/** Changes that replace an item by another before any bill shows it. */
export const successorStories: Story[] = [
  ...unbilled(
    'larger plan as a new item, no proration',
    one('business', { mode: 'included' }),
    plan('scale', true),
  ),
]
