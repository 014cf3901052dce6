import { endSubscription, planCancellation, withdrawCancellation } from '../agreements/ending.ts'
import type { Behaviour, BillingMode, Payment, WorldSubscription } from '../model/subscription.ts'
import { type Change, changeInterval, changeSubscription } from '../subscriptions/change.ts'
import type { Order } from '../subscriptions/start.ts'
import {
  during,
  leaving,
  priceOf,
  type Script,
  type Story,
  type StoryStage,
  signUp,
  steady,
} from './stage.ts'

const feedback = ['too_expensive', 'missing_features', 'unused', 'switched_service', null]

/** What ordinary customers buy: price key, weight in percent, and whether it is sold by the seat. */
const offers: [key: string, weight: number, seats: boolean][] = [
  ['starter', 26, false],
  ['starter-year', 6, false],
  ['team', 24, true],
  ['team-year', 8, true],
  ['business', 18, false],
  ['business-year', 8, false],
  ['scale', 6, false],
  ['scale-year', 4, false],
]

const upgrades: Record<string, string> = { starter: 'business', business: 'scale' }
const yearlyPrices: Record<string, string> = {
  starter: 'starter-year',
  team: 'team-year',
  business: 'business-year',
}

export const plain: Story = {
  name: 'plain',
  begins: leaving(2),
  play: (stage, now) => {
    signUp(stage, now, ordinaryOrder(stage))
  },
}

/** Mostly nothing happens, sometimes a change of seats, another plan, or the end. */
function ordinaryOrder(stage: StoryStage): Order {
  const { random } = stage
  const [key, , seats] = random.pick(offers.flatMap((offer) => Array.from({ length: offer[1] }, () => offer)))
  const mode: BillingMode = random.pick(['classic', 'classic', 'included', 'itemized'])
  const quantity = seats ? random.int(2, 40) : 1
  const trial = random.chance(0.15) ? { trialDays: 14 } : {}
  return {
    items: [{ price: priceOf(stage, key), quantity }],
    mode,
    behaviour: ordinary(stage, key, seats),
    ...trial,
  }
}

export function ordinary(stage: StoryStage, key: string, seats: boolean): Behaviour {
  const { random, books } = stage
  const yearly = key.endsWith('-year')
  const often = yearly ? 5 : 1
  const script: Script = (subscription, _period, now) => {
    const part = 0.1 + random.next() * 0.75
    const act = (action: (at: number) => void): void => during(stage, subscription, now, part, action)
    if (random.chance(0.022 * often)) act((at) => leave(stage, subscription, at))
    else if (seats && random.chance(0.1 * often)) act((at) => changeSeats(stage, subscription, at))
    else if (random.chance(0.02)) act((at) => switchPlan(stage, subscription, key, at))
    else if (random.chance(0.008 * often)) {
      act((at) => {
        if (subscription.status === 'active' && subscription.pending.length === 0) {
          endSubscription(books, subscription, at, 'cancellation_requested')
        }
      })
    }
  }
  const pays = (_subscription: WorldSubscription, ordinal: number): Payment => {
    if (ordinal === 0 || random.chance(0.97)) return { kind: 'pays', afterSeconds: 0 }
    return {
      kind: 'fails',
      attempts: random.int(1, 3),
      outcome: random.chance(0.8) ? 'recovers' : 'canceled',
    }
  }
  return { ...steady(script), pays }
}

function changeSeats(stage: StoryStage, subscription: WorldSubscription, now: number): void {
  const item = subscription.items[0]
  if (item === undefined || item.quantity === null) return
  const step = stage.random.int(1, 6) * (stage.random.chance(0.7) ? 1 : -1)
  const quantity = Math.max(1, item.quantity + step)
  if (quantity === item.quantity) return
  const change: Change = { kind: 'quantity', item, quantity }
  changeSubscription(stage.books, subscription, [change], now, stage.random.chance(0.5) ? 'at once' : 'later')
}

function switchPlan(stage: StoryStage, subscription: WorldSubscription, key: string, now: number): void {
  const item = subscription.items[0]
  if (item === undefined) return
  const yearly = yearlyPrices[key]
  const larger = upgrades[key]
  if (item.price !== priceOf(stage, key)) return
  if (yearly !== undefined && stage.random.chance(0.4)) {
    changeInterval(stage.books, subscription, priceOf(stage, yearly), now)
  } else if (larger !== undefined) {
    const change: Change = {
      kind: 'price',
      item,
      price: priceOf(stage, larger),
      replace: stage.random.chance(0.3),
    }
    changeSubscription(stage.books, subscription, [change], now, 'at once')
  }
}

/** Plans to leave at the end of the period; one in ten withdraws. */
function leave(stage: StoryStage, subscription: WorldSubscription, now: number): void {
  if (subscription.status !== 'active' || subscription.pending.length > 0 || subscription.cancelAt !== null)
    return
  planCancellation(stage.books, subscription, now, stage.random.pick(feedback))
  if (stage.random.chance(0.1)) {
    during(stage, subscription, now, 0.5, () => withdrawCancellation(stage.books, subscription))
  }
}
