import { endSubscription } from '../agreements/ending.ts'
import { voidInvoice } from '../billing/collection.ts'
import type { Behaviour, Payment, WorldSubscription } from '../model/subscription.ts'
import { logSubscription } from '../rendering/event-log.ts'
import { daySeconds, hourSeconds } from '../time/calendar.ts'
import { daysBefore, during, leaving, priceOf, type Story, type StoryStage, signUp, steady } from './stage.ts'

/** Pays every invoice before the one with this ordinal, at which the card fails. */
function failsAt(ordinal: number, outcome: Extract<Payment, { kind: 'fails' }>['outcome']): Behaviour {
  const pays = (_subscription: WorldSubscription, current: number): Payment =>
    current === ordinal ? { kind: 'fails', attempts: 2, outcome } : { kind: 'pays', afterSeconds: 0 }
  return { ...steady(), pays }
}

function failing(name: string, begins: Story['begins'], key: string, behaviour: () => Behaviour): Story {
  return {
    name,
    begins,
    play: (stage, now) => {
      signUp(stage, now, { items: [{ price: priceOf(stage, key) }], behaviour: behaviour() })
    },
  }
}

/** Pays invoices by bank transfer, or ignores them. */
function byInvoice(name: string, begins: Story['begins'], payment: (ordinal: number) => Payment): Story {
  return {
    name,
    begins,
    play: (stage, now) => {
      const behaviour: Behaviour = { ...steady(), pays: (_subscription, ordinal) => payment(ordinal) }
      signUp(stage, now, { items: [{ price: priceOf(stage, 'scale') }], sendInvoice: true, behaviour })
    },
  }
}

/** Pauses collection for two periods: the subscription continues, but its invoices ask for no money. */
function pausing(behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void'): Story {
  return {
    name: `collection paused, ${behavior}`,
    begins: leaving(200),
    play: (stage, now) => {
      const behaviour = steady((subscription, period, at) => {
        if (period !== 2 && period !== 4) return
        during(stage, subscription, at, 0.5, () => {
          subscription.pauseCollection = period === 2 ? { behavior, resumesAt: null } : null
          logSubscription(stage.books, 'updated', subscription)
        })
      })
      signUp(stage, now, { items: [{ price: priceOf(stage, 'business') }], behaviour })
    },
  }
}

/** Never pays the first invoice, which is voided after twenty days. */
function voiding(name: string, begins: Story['begins']): Story {
  return {
    name,
    begins,
    play: (stage, now) => {
      const behaviour: Behaviour = { ...steady(), pays: () => ({ kind: 'ignores' }) }
      const items = [{ price: priceOf(stage, 'business') }]
      const subscription = signUp(stage, now, { items, sendInvoice: true, behaviour })
      stage.books.agenda.add(now + 20 * daySeconds, (at) => revoke(stage, subscription, at))
    },
  }
}

/** Falls within the hour in which the invoice of a renewal is a draft. */
const halfAnHour = hourSeconds / 2

export const paymentStories: Story[] = [
  failing('past due now', daysBefore(66), 'business', () => failsAt(2, 'stays')),
  failing('late, but pays', leaving(150), 'business', () => failsAt(2, 'recovers')),
  failing('card fails for good', leaving(150), 'scale', () => failsAt(3, 'canceled')),
  failing('unpaid', daysBefore(110), 'business', () => failsAt(2, 'unpaid')),
  failing('first payment fails, expires', leaving(10), 'business', () => failsAt(0, 'canceled')),
  failing('first payment succeeds later', leaving(10), 'business', () => failsAt(0, 'recovers')),
  failing(
    'incomplete now',
    ({ asOf }) => asOf - 5 * hourSeconds,
    'team',
    () => failsAt(0, 'canceled'),
  ),
  byInvoice('invoices paid after three weeks', leaving(150), () => ({
    kind: 'pays',
    afterSeconds: 21 * daySeconds,
  })),
  byInvoice('invoices paid late', leaving(150), (ordinal) => ({
    kind: 'pays',
    afterSeconds: ordinal === 1 ? 30 * daySeconds + 3 * daySeconds : 5 * daySeconds,
  })),
  byInvoice('invoice open now', daysBefore(12), () => ({ kind: 'ignores' })),
  pausing('void'),
  pausing('keep_as_draft'),
  pausing('mark_uncollectible'),
  voiding('first invoice voided', leaving(100)),
  voiding('first invoice voided, lately', daysBefore(27)),
  {
    name: 'draft at the very end',
    begins: ({ asOf, random }) => asOf - random.int(1, 11) * 28 * daySeconds - halfAnHour,
    play: (stage, now) => {
      const items = [{ price: priceOf(stage, 'newsletter-week'), quantity: 20 }]
      signUp(stage, now, { items, behaviour: steady() })
    },
  },
]

/** Undoes a deal: the invoice is voided and the subscription ends. */
function revoke(stage: StoryStage, subscription: WorldSubscription, now: number): void {
  const invoice = stage.books.invoices.find((one) => one.id === subscription.latestInvoice?.id)
  if (invoice === undefined) return
  voidInvoice(stage.books, invoice, now)
  // A void invoice proves nothing (R26).
  subscription.facts = []
  endSubscription(stage.books, subscription, now, 'cancellation_requested')
}
