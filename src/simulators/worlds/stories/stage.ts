import { inlinePrice } from '../catalogue/catalogue.ts'
import type { Books } from '../model/books.ts'
import type { Price, TaxRate } from '../model/offer.ts'
import type { Behaviour, Customer, WorldSubscription } from '../model/subscription.ts'
import type { Random } from '../numbers/random.ts'
import { logCustomer, logPrice } from '../rendering/event-log.ts'
import { renderCard } from '../rendering/render-customer.ts'
import { type Order, startSubscription } from '../subscriptions/start.ts'
import { daySeconds } from '../time/calendar.ts'
import { inventIdentity } from './people.ts'

/** What a story can use: the books, its own random source, and the span of the world. */
export type StoryStage = {
  books: Books
  random: Random
  story: string
  /** Ordinal of the customer, from 0. */
  index: number
  /** When the simulated business began, and the instant at which the world ends. */
  start: number
  asOf: number
}

export type Story = {
  name: string
  /** Unix seconds at which the customer appears. */
  begins(stage: StoryStage): number
  play(stage: StoryStage, now: number): void
}

/** A random time at least `days` before the end; in a short world, within its first third. */
export function leaving(days: number): Story['begins'] {
  return ({ random, start, asOf }) => {
    const latest = Math.max(asOf - days * daySeconds, start + (asOf - start) / 3)
    return start + Math.floor(random.next() * (latest - start))
  }
}

/** Early in the span, so that the renewal of a year falls within it. */
export const early: Story['begins'] = ({ random, start, asOf }) =>
  start + Math.floor(random.next() * Math.max(daySeconds, (asOf - start) * 0.4))

/** This many days before the end, give or take half a day. */
export function daysBefore(days: number): Story['begins'] {
  return ({ random, asOf }) => asOf - Math.floor((days + random.next() - 0.5) * daySeconds)
}

export function priceOf(stage: StoryStage, key: string): Price {
  const price = stage.books.catalogue.prices.get(key)
  if (price === undefined) throw new RangeError(`no price ${key}`)
  return price
}

export function taxRateOf(stage: StoryStage, key: string): TaxRate {
  const rate = stage.books.catalogue.taxRates.get(key)
  if (rate === undefined) throw new RangeError(`no tax rate ${key}`)
  return rate
}

/** A price made for a single deal. */
export function dealPrice(stage: StoryStage, like: string, unitCents: string, now: number): Price {
  const price = inlinePrice((prefix) => stage.books.newId(prefix), priceOf(stage, like), unitCents, now)
  stage.books.inlinePrices.push(price)
  logPrice(stage.books, price)
  return price
}

export function newCustomer(stage: StoryStage, now: number, rest: Partial<Customer> = {}): Customer {
  const { books, random, index } = stage
  const customer: Customer = {
    id: books.newId('cus'),
    story: stage.story,
    ...inventIdentity(random, index),
    country: 'US',
    currency: 'usd',
    created: now,
    balanceCents: 0,
    delinquent: false,
    deletedAt: null,
    discount: null,
    paymentMethod: null,
    invoicePrefix: books.newId('cus').slice(-8).toUpperCase(),
    nextInvoice: 1,
    note: index % 7 === 0 ? `Account #${index}` : null,
    subscriptions: [],
    random,
    ...rest,
  }
  const last4 = String(random.int(1000, 9999))
  customer.paymentMethod = renderCard(
    books.newId('pm'),
    customer,
    random.pick(['visa', 'mastercard', 'amex']),
    last4,
  )
  books.customers.push(customer)
  logCustomer(books, 'created', customer)
  return customer
}

/** A customer with a subscription: the beginning of most stories. */
export function signUp(
  stage: StoryStage,
  now: number,
  order: Order,
  rest: Partial<Customer> = {},
): WorldSubscription {
  const currency = order.items[0]?.price.currency ?? 'usd'
  return startSubscription(stage.books, newCustomer(stage, now, { currency, ...rest }), order, now)
}

export type Script = (subscription: WorldSubscription, period: number, now: number) => void

/** Pays every invoice at once, and calls the script when a paid period begins. */
export function steady(script: Script = () => {}): Behaviour {
  return { pays: () => ({ kind: 'pays', afterSeconds: 0 }), onPeriod: script }
}

/** Pays at once, and acts once, at a fraction (0 to 1) of the given period. */
export function once(
  stage: StoryStage,
  period: number,
  part: number,
  action: (s: WorldSubscription, now: number) => void,
): Behaviour {
  return steady((subscription, current, now) => {
    if (current === period) during(stage, subscription, now, part, (at) => action(subscription, at))
  })
}

/** Acts at a fraction (0 to 1) of what is left of the shortest running period. */
export function during(
  stage: StoryStage,
  subscription: WorldSubscription,
  now: number,
  part: number,
  action: (now: number) => void,
): void {
  const end = Math.min(...subscription.items.map((item) => item.periodEnd))
  stage.books.agenda.add(now + Math.floor((end - now) * part), action)
}

/**
 * Acts a minute before the next renewal of an active subscription, provided that this run reaches its invoice or
 * changes may stay pending.
 */
export function beforeRenewal(
  stage: StoryStage,
  subscription: WorldSubscription,
  now: number,
  action: (now: number) => void,
): void {
  const end = Math.min(...subscription.items.map((item) => item.periodEnd))
  stage.books.agenda.add(Math.max(now, end - 60), (at) => {
    const isBilledInTime = stage.books.hasPending || end + daySeconds <= stage.books.until
    if (isBilledInTime && subscription.status === 'active') action(at)
  })
}
