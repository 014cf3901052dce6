import { attachCoupon, removeCoupons } from '../agreements/coupons.ts'
import {
  endSubscription,
  pauseSubscription,
  planCancellation,
  withdrawCancellation,
} from '../agreements/ending.ts'
import { extraPrice, extraPrices } from '../catalogue/extra-prices.ts'
import { oneOffLine } from '../lines/draft-lines.ts'
import type { Price } from '../model/offer.ts'
import type { Behaviour, Customer, Item, Payment, WorldSubscription } from '../model/subscription.ts'
import type { Random } from '../numbers/random.ts'
import { logSubscription } from '../rendering/event-log.ts'
import {
  type Change,
  changeInterval,
  changeSubscription,
  isChangeable,
  isQuiet,
} from '../subscriptions/change.ts'
import { cancelOn } from '../subscriptions/dated-cancellation.ts'
import { requestChange } from '../subscriptions/pending-update.ts'
import { resumeSubscription } from '../subscriptions/resuming.ts'
import { type Order, startSubscription } from '../subscriptions/start.ts'
import { daySeconds } from '../time/calendar.ts'
import { during, leaving, newCustomer, priceOf, type Story, type StoryStage, taxRateOf } from './stage.ts'
import { beginningOf, isSameInterval } from './wild-beginnings.ts'

type Act = (stage: StoryStage, subscription: WorldSubscription, now: number) => void

const currencies = ['usd', 'usd', 'eur', 'jpy', 'kwd']
const countries: Record<string, string> = { usd: 'US', eur: 'DE', jpy: 'JP', kwd: 'KW' }
const percents = ['WELCOME20', 'LAUNCH50-3M', 'THIRD-12M', 'PARTNER10', 'FRIENDS25', 'SPONSORED', 'KEEP100']
const amountsByCurrency: Record<string, string[]> = {
  usd: ['FIVEOFF', 'TENOFF-6M', 'BIGHUG'],
  eur: ['EIGHT-EURO'],
  jpy: ['YEN300-4M'],
}
const taxes: Record<string, string[]> = { usd: ['sales'], eur: ['vat', 'moms'], jpy: ['jct'], kwd: ['vat'] }

/** Any price, any change and any coupon, at any time and in any order. */
export const wild: Story = {
  name: 'anything goes',
  begins: leaving(30),
  play: (stage, now) => {
    const { random } = stage
    const currency = random.pick(currencies)
    const customer = newCustomer(stage, now, { currency, country: countries[currency] ?? 'US' })
    for (const key of extraPrices) extraPrice(stage.books, key)
    for (let count = random.pick([1, 1, 1, 2, 3]); count > 0; count--) {
      const at = now + (count - 1) * random.int(0, 60 * daySeconds)
      stage.books.agenda.add(at, (then) => begin(stage, customer, then))
    }
  },
}

function begin(stage: StoryStage, customer: Customer, now: number): void {
  if (customer.deletedAt !== null) return
  const order = orderOf(stage, customer)
  startSubscription(stage.books, customer, { ...order, ...beginningOf(stage, order, now) }, now)
}

function orderOf(stage: StoryStage, { currency }: Customer): Order {
  const { random } = stage
  const isMixed = random.chance(0.2)
  const first = random.pick(recurring(stage, currency))
  const items: Order['items'] = [{ price: first, quantity: random.int(1, 40) }]
  const others = recurring(stage, currency).filter((price) => isMixed || isSameInterval(price, first))
  for (let more = random.pick([0, 0, 0, 1, 2]); more > 0; more--) {
    const price = random.pick(others)
    if (items.every((one) => one.price !== price)) items.push({ price, quantity: random.int(1, 9) })
  }
  const isMetered =
    currency === 'usd' && first.interval === 'month' && first.count === 1 && random.chance(0.2)
  if (isMetered) items.push({ price: priceOf(stage, 'api') })
  const flexible = random.pick(['included', 'itemized'] as const)
  const isUneven = items.some(({ price }) => !isSameInterval(price, first))
  const tax = random.pick(taxes[currency] ?? [])
  return {
    items,
    mode: isUneven ? flexible : random.pick(['classic', flexible]),
    behaviour: behaviourOf(
      stage,
      items.some(({ price }) => price.interval === 'day' || price.interval === 'week'),
    ),
    sendInvoice: random.chance(0.1),
    ...(random.chance(0.3) && { coupon: anyCoupon(random, currency, isUneven || isMetered) }),
    ...(random.chance(0.3) && { taxRate: taxRateOf(stage, tax) }),
    ...(random.chance(0.15) && {
      trialDays: random.int(3, 30),
      onTrialEnd: random.pick(['convert', 'convert', 'pause', 'cancel'] as const),
    }),
    ...(currency === 'usd' &&
      random.chance(0.1) && { setupFee: { price: priceOf(stage, 'onboarding'), cents: 25_000 } }),
  }
}

/**
 * An amount off applies to the whole invoice: with usage, or items billed separately, each invoice spreads it
 * differently.
 */
function anyCoupon(random: Random, currency: string, isUneven: boolean): string {
  const amounts = isUneven ? [] : (amountsByCurrency[currency] ?? [])
  return random.pick([...percents, ...amounts])
}

function recurring(stage: StoryStage, currency: string): Price[] {
  return [...stage.books.catalogue.prices.values()].filter(
    (price) => price.currency === currency && price.interval !== null && !price.metered,
  )
}

function behaviourOf(stage: StoryStage, isOften: boolean): Behaviour {
  const { random } = stage
  // This is a setting of the account, not of the invoice. With short periods the next draft may reveal it an hour
  // early.
  const atLast = isOften ? 'canceled' : random.pick(['canceled', 'unpaid'] as const)
  const pays = (_subscription: WorldSubscription, ordinal: number): Payment => {
    if (random.chance(0.95)) return { kind: 'pays', afterSeconds: 0 }
    const outcome = random.chance(0.5) ? 'recovers' : ordinal === 0 ? 'canceled' : atLast
    return { kind: 'fails', attempts: random.int(1, 3), outcome }
  }
  return {
    pays,
    onPeriod: (subscription, _period, now) => {
      const isOften = subscription.items.some(
        ({ price }) => price.interval === 'day' || price.interval === 'week',
      )
      if (!random.chance(isOften ? 0.08 : 0.45)) return
      const act = random.pick(acts)
      during(stage, subscription, now, random.next(), (at) => {
        if (isQuiet(subscription, at)) act(stage, subscription, at)
      })
    },
    onEnd: ({ customer }, now) => {
      if (random.chance(0.4))
        stage.books.agenda.add(now + random.int(2, 90) * daySeconds, (at) => begin(stage, customer, at))
    },
  }
}

const change =
  (make: (stage: StoryStage, subscription: WorldSubscription, item: Item) => Change[]): Act =>
  (stage, subscription, now) => {
    const { books, random } = stage
    const billing = random.pick(['at once', 'later', 'elsewhere', 'never', 'when paid'] as const)
    const item = stage.random.pick(subscription.items.filter(({ price }) => !price.metered))
    const changes = make(stage, subscription, item)
    if (changes.length === 0) return
    if (billing === 'when paid')
      requestChange(books, subscription, changes, now, random.chance(0.6) ? random.int(1, 22) : null)
    else if (billing === 'at once' || isTaxTold(subscription))
      changeSubscription(books, subscription, changes, now, billing)
  }

/** Lines of 0 reveal no inclusive tax rate, so a later charge has an unknown tax until its first bill. */
function isTaxTold({ taxRate, items }: WorldSubscription): boolean {
  const isTaxed = ({ debit }: Item): boolean =>
    debit?.parts.some(
      (part) => part.discounts.reduce((left, { amount }) => left - amount, part.grossCents) > 0,
    ) ?? false
  return taxRate?.inclusive !== true || items.some(isTaxed)
}

const seats = change(({ random }, _subscription, item) => [
  { kind: 'quantity', item, quantity: random.int(1, 40) },
])

const plan = change((stage, subscription, item) => {
  const { random } = stage
  const price = unsold(stage, subscription, item)
  if (price === undefined) return []
  return [{ kind: 'price', item, price, quantity: random.int(1, 20), replace: random.chance(0.3) }]
})

const items = change((stage, subscription, item) => {
  const isLast = subscription.items.filter(({ price }) => !price.metered).length < 2
  if (!isLast && stage.random.chance(0.6)) return [{ kind: 'remove', item }]
  const price = unsold(stage, subscription, item)
  return price === undefined ? [] : [{ kind: 'add', price, quantity: 3 }]
})

/** A price of the item's interval that the subscription does not have yet; undefined if it has them all. */
function unsold(stage: StoryStage, subscription: WorldSubscription, item: Item): Price | undefined {
  const held = subscription.items.map(({ price }) => price)
  const free = recurring(stage, subscription.currency).filter(
    (price) => isSameInterval(price, item.price) && !held.includes(price),
  )
  return free.length > 0 ? stage.random.pick(free) : undefined
}

const interval: Act = (stage, subscription, now) => {
  const item = subscription.items[0]
  if (item === undefined || item.price.metered) return
  const others = recurring(stage, subscription.currency).filter(
    (price) => !isSameInterval(price, item.price) && price.interval !== 'day' && price.interval !== 'week',
  )
  changeInterval(stage.books, subscription, stage.random.pick(others), now, stage.random.chance(0.5))
}

/** Adds no second coupon after a billed amount off: a one-off charge may have carried part of the first. */
const coupon: Act = (stage, subscription, now) => {
  const billed = subscription.items
    .flatMap(({ debit }) => debit?.parts ?? [])
    .flatMap((part) => part.discounts)
  if (billed.some(({ discount }) => discount.coupon.amountOff !== null)) return
  const isUneven = subscription.items.some(
    ({ periodEnd, price }) => price.metered || periodEnd !== subscription.items[0]?.periodEnd,
  )
  const key = anyCoupon(stage.random, subscription.currency, isUneven)
  const isOnItem = stage.random.chance(0.2)
  const item = isOnItem ? subscription.items.find(({ price }) => !price.metered) : undefined
  attachCoupon(stage.books, subscription, key, now, item)
}

const leave: Act = (stage, subscription, now) => {
  planCancellation(stage.books, subscription, now, 'unused')
  if (stage.random.chance(0.4))
    during(stage, subscription, now, 0.5, () => withdrawCancellation(stage.books, subscription))
}

const stop: Act = (stage, subscription, now) =>
  endSubscription(stage.books, subscription, now, 'cancellation_requested')

const pause: Act = (stage, subscription, now) => {
  pauseSubscription(stage.books, subscription, now)
  if (stage.random.chance(0.6))
    stage.books.agenda.add(now + stage.random.int(1, 50) * daySeconds, (at) =>
      resumeSubscription(stage.books, subscription, at),
    )
}

const holdCollection: Act = (stage, subscription, now) => {
  if (subscription.items.some(({ unshown }) => unshown)) return
  const isOwing = stage.books.invoices.some(
    (one) => one.subscription === subscription && one.status === 'open',
  )
  if (isOwing) return
  const behavior = stage.random.pick(['keep_as_draft', 'mark_uncollectible', 'void'] as const)
  subscription.pauseCollection = { behavior, resumesAt: null }
  stage.books.agenda.add(now + stage.random.int(10, 70) * daySeconds, () => {
    subscription.pauseCollection = null
    logSubscription(stage.books, 'updated', subscription)
  })
}

const charge: Act = (stage, subscription, now) => {
  if (subscription.currency !== 'usd') return
  const id = stage.books.newId('ii')
  subscription.pending.push(oneOffLine(subscription, priceOf(stage, 'onboarding'), 25_000, id, now))
}

const uncoupon: Act = (_stage, subscription) => removeCoupons(subscription)

/** Cancels for a day inside a period; the bill for the last part has no amount off and no tax in odd cents. */
const leaveOn: Act = (stage, subscription, now) => {
  if (!isChangeable(subscription, now)) return
  const endsAt = now + stage.random.int(1, 100) * daySeconds + stage.random.int(0, daySeconds)
  cancelOn(stage.books, subscription, endsAt, now, stage.random.chance(0.5))
}

const acts: readonly Act[] = [
  ...[seats, seats, seats, seats, plan, plan, items, items, interval],
  ...[coupon, coupon, uncoupon, leave, leaveOn, stop, pause, holdCollection, charge],
]
