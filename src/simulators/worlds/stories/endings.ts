import {
  deleteCustomer,
  endSubscription,
  pauseSubscription,
  planCancellation,
  withdrawCancellation,
} from '../agreements/ending.ts'
import { issueInvoice } from '../billing/issue-invoice.ts'
import { creditLines } from '../lines/proration.ts'
import type { BillingMode, WorldSubscription } from '../model/subscription.ts'
import { logCustomer } from '../rendering/event-log.ts'
import { isChangeable } from '../subscriptions/change.ts'
import { startSubscription } from '../subscriptions/start.ts'
import { daySeconds } from '../time/calendar.ts'
import {
  daysBefore,
  during,
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

function ending(
  name: string,
  key: string,
  mode: BillingMode,
  period: number,
  act: Act,
  begins = leaving(200),
): Story {
  return {
    name,
    begins,
    play: (stage, now) => {
      const part = 0.2 + stage.random.next() * 0.5
      const behaviour = once(stage, period, part, (subscription, at) => act(stage, subscription, at))
      signUp(stage, now, { items: [{ price: priceOf(stage, key) }], mode, behaviour })
    },
  }
}

const plan: Act = (stage, subscription, now) =>
  planCancellation(stage.books, subscription, now, 'too_expensive')
const stop: Act = (stage, subscription, now) =>
  endSubscription(stage.books, subscription, now, 'cancellation_requested')
const vanish: Act = (stage, subscription, now) => deleteCustomer(stage.books, subscription.customer, now)

export const endingStories: Story[] = [
  ending('leaves at the end of the period, classic', 'business', 'classic', 3, plan),
  ending('leaves at the end of the period, flexible', 'business', 'itemized', 3, plan),
  ending('leaves a year early', 'business-year', 'classic', 0, plan, early),
  ending('plans to leave now, classic', 'starter-year', 'classic', 0, plan, daysBefore(300)),
  ending('plans to leave now, flexible', 'team-year', 'included', 0, plan, daysBefore(290)),
  ending('leaves at once', 'scale', 'classic', 2, stop),
  ending('leaves at once with a credit', 'business-year', 'classic', 0, stopWithCredit, early),
  ending('thinks better of it', 'business', 'classic', 2, (stage, subscription, now) => {
    plan(stage, subscription, now)
    during(stage, subscription, now, 0.5, () => withdrawCancellation(stage.books, subscription))
  }),
  ending('pauses the subscription', 'business', 'included', 3, (stage, subscription, now) => {
    pauseSubscription(stage.books, subscription, now)
  }),
  ending('deleted customer', 'business', 'classic', 3, vanish),
  ending('deleted customer, lately', 'starter', 'included', 3, vanish, daysBefore(115)),
  {
    name: 'leaves and returns',
    begins: leaving(300),
    play: (stage, now) => {
      const behaviour = once(stage, 2, 0.5, (subscription, at) => stop(stage, subscription, at))
      const returning = {
        ...behaviour,
        onEnd: (one: WorldSubscription, at: number) => comeBack(stage, one, at),
      }
      signUp(stage, now, { items: [{ price: priceOf(stage, 'starter') }], behaviour: returning })
    },
  },
  {
    name: 'two subscriptions, one ends',
    begins: leaving(250),
    play: (stage, now) => {
      const customer = newCustomer(stage, now)
      const keep = { items: [{ price: priceOf(stage, 'business') }], behaviour: steady() }
      startSubscription(stage.books, customer, keep, now)
      stage.books.agenda.add(now + 45 * daySeconds, (at) => {
        const behaviour = once(stage, 2, 0.4, (subscription, then) => plan(stage, subscription, then))
        const items = [{ price: priceOf(stage, 'team'), quantity: 6 }]
        startSubscription(stage.books, customer, { items, behaviour, mode: 'itemized' }, at)
      })
    },
  },
  {
    name: 'three subscriptions',
    begins: leaving(200),
    play: (stage, now) => {
      const customer = newCustomer(stage, now)
      for (const [n, key] of ['starter', 'support', 'newsletter-week'].entries()) {
        stage.books.agenda.add(now + n * 20 * daySeconds, (at) => {
          startSubscription(
            stage.books,
            customer,
            { items: [{ price: priceOf(stage, key) }], behaviour: steady() },
            at,
          )
        })
      }
    },
  },
  {
    name: 'new name and e-mail, lately',
    begins: daysBefore(60),
    play: (stage, now) => {
      const { customer } = signUp(stage, now, {
        items: [{ price: priceOf(stage, 'starter') }],
        behaviour: steady(),
      })
      stage.books.agenda.add(now + 52 * daySeconds, () => {
        customer.name = `${customer.name ?? 'Nameless'} (formerly)`
        customer.email = `renamed.${stage.index}@campus.example`
        logCustomer(stage.books, 'updated', customer)
      })
    },
  },
  {
    name: 'a customer who never bought',
    begins: leaving(5),
    play: (stage, now) => {
      newCustomer(stage, now)
    },
  },
]

function comeBack(stage: StoryStage, former: WorldSubscription, now: number): void {
  stage.books.agenda.add(now + stage.random.int(10, 90) * daySeconds, (at) => {
    const items = [{ price: priceOf(stage, 'business') }]
    startSubscription(stage.books, former.customer, { items, behaviour: steady(), mode: 'itemized' }, at)
  })
}

/** Ends at once and credits the unused rest to the customer's balance. */
function stopWithCredit(stage: StoryStage, subscription: WorldSubscription, now: number): void {
  if (!isChangeable(subscription, now)) return
  const lines = subscription.items.flatMap((item) => creditLines(stage.books, subscription, item, now))
  issueInvoice(stage.books, {
    subscription,
    reason: 'subscription_update',
    lines,
    at: now,
    beginsPeriod: false,
    effects: () => [],
  })
  stop(stage, subscription, now)
}
