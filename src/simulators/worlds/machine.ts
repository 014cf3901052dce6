import { changesOf } from './agreements/history.ts'
import { createCatalogue, launch } from './catalogue/catalogue.ts'
import type { Truth } from './expected/truth.ts'
import type { Books, UnitOfParts } from './model/books.ts'
import type { GeneratedWorld, WorldObject } from './model/stripe-object.ts'
import { createIdMaker, createRandom } from './numbers/random.ts'
import { eventSeconds, logCoupon, logPrice, logProduct } from './rendering/event-log.ts'
import { renderAccount } from './rendering/render-account.ts'
import { renderCoupon, renderPrice, renderProduct } from './rendering/render-catalogue.ts'
import { renderCustomer } from './rendering/render-customer.ts'
import { renderPaymentIntent } from './rendering/render-intent.ts'
import { renderInvoice, renderInvoicePayment } from './rendering/render-invoice.ts'
import { renderSubscription } from './rendering/render-subscription.ts'
import { plain } from './stories/plain.ts'
import { castStories } from './stories/roster.ts'
import type { Story, StoryStage } from './stories/stage.ts'
import { Agenda } from './time/agenda.ts'
import { addMonths, daySeconds } from './time/calendar.ts'

export type MachineOptions = {
  /** The same seed and sizes give the same account, byte for byte. */
  seed: number
  /** Customers that have arrived by `asOf`; 300 by default. */
  customers?: number
  /** Months of history before `asOf`; 24 by default. */
  months?: number
  /** Unix seconds of the instant for which the account is made. */
  asOf: number
  /** The stories that customers play, in turn; a believable mixture by default. */
  stories?: readonly Story[]
  /**
   * Lets changes wait for an invoice that comes after a run. Readers that look at different times then date such
   * changes differently, so comparisons of ledgers must allow for that.
   */
  hasPending?: boolean
  /** The unit amount that lines for part of a period name; none by default. */
  unitOfParts?: UnitOfParts
}

/** A simulated billing provider with its customers; the caller moves its time forward. */
export type Machine = {
  /** Lets everything happen up to an instant (Unix seconds); throws a RangeError if that is in the past. */
  runTo(asOf: number): void
  /** Simulated now, Unix seconds. */
  now(): number
  /** The account as it is now; later runs do not change this result. */
  snapshot(): { world: GeneratedWorld; truth: Truth }
}

/** The random stream for how bills are written, so that it does not disturb what customers do. */
const lots = 0xb111

/** A machine at the beginning of its history; call `runTo(options.asOf)` to reach the instant of its options. */
export function createMachine(options: MachineOptions): Machine {
  const { seed, customers = 300, months = 24, asOf } = options
  const books = openBooks(options, addMonths(asOf, -months))
  const cast = castStories(customers, createRandom(seed, 0), options.stories)
  for (const [index, story] of cast.entries()) enter(books, story, stageFor(books, seed, asOf, story, index))
  books.agenda.add(Math.max(books.opened, asOf - 15 * daySeconds), (now) => logLaunch(books, now))
  keepArriving(books, seed, asOf, customers, Math.ceil((asOf - books.opened) / customers))
  return {
    runTo: (until) => runTo(books, until),
    now: () => books.now,
    snapshot: () => ({ world: snapshotWorld(books), truth: snapshotTruth(books) }),
  }
}

/** Moves a machine's time on by some seconds. */
export function advance(machine: Machine, seconds: number): void {
  machine.runTo(machine.now() + seconds)
}

function openBooks(options: MachineOptions, opened: number): Books {
  const { seed, hasPending = false, unitOfParts = 'empty' } = options
  const newId = createIdMaker(seed)
  const accountId = newId('acct')
  const catalogue = createCatalogue(newId, opened - 10 * daySeconds)
  return {
    accountId,
    opened,
    agenda: new Agenda(),
    catalogue,
    inlinePrices: [],
    customers: [],
    subscriptions: new Map(),
    invoices: [],
    events: [],
    now: opened - 10 * daySeconds,
    until: opened - 10 * daySeconds,
    hasPending,
    unitOfParts,
    lots: createRandom(seed, lots),
    newId,
  }
}

function stageFor(books: Books, seed: number, asOf: number, story: Story, index: number): StoryStage {
  return { books, random: createRandom(seed, index + 1), story: story.name, index, start: books.opened, asOf }
}

function enter(books: Books, story: Story, stage: StoryStage): void {
  const begins = story.begins(stage)
  const at = begins >= books.opened ? begins : books.opened + stage.random.int(0, daySeconds)
  books.agenda.add(at, (now) => story.play(stage, now))
}

/** New ordinary customers keep arriving after `asOf`, at the same pace as before. */
function keepArriving(books: Books, seed: number, asOf: number, index: number, every: number): void {
  books.agenda.add(asOf + every, (now) => {
    plain.play(stageFor(books, seed, now, plain, index), now)
    keepArriving(books, seed, now, index + 1, every)
  })
}

function runTo(books: Books, until: number): void {
  if (until < books.now) throw new RangeError('simulated time does not run backwards')
  const fresh = books.customers.length === 0 && books.events.length === 0
  books.until = until
  if (fresh) logCatalogue(books)
  for (let entry = books.agenda.takeDue(until); entry !== undefined; entry = books.agenda.takeDue(until)) {
    books.now = entry.at
    entry.run(entry.at)
  }
  books.now = until
  books.events = books.events.filter((event) => Number(event.created) >= until - eventSeconds)
}

function logCatalogue(books: Books): void {
  const { products, prices, coupons } = books.catalogue
  for (const product of products.values()) logProduct(books, product)
  for (const price of prices.values()) logPrice(books, price)
  for (const coupon of coupons.values()) logCoupon(books, coupon)
}

function logLaunch(books: Books, now: number): void {
  const { product, price, coupon } = launch(books.catalogue, (prefix) => books.newId(prefix), now)
  logProduct(books, product)
  logPrice(books, price)
  logCoupon(books, coupon)
}

function snapshotWorld(books: Books): GeneratedWorld {
  const { catalogue, customers, invoices } = books
  const payments = invoices.map(renderInvoicePayment).filter((payment) => payment !== null)
  const intents = invoices.map(renderPaymentIntent).filter((intent) => intent !== null)
  const cards = customers.filter((one) => one.deletedAt === null).map((one) => one.paymentMethod)
  return {
    as_of: new Date(books.now * 1000).toISOString().replace('.000Z', 'Z'),
    account: renderAccount(books.accountId, books.opened),
    customers: customers.map(renderCustomer),
    products: [...catalogue.products.values()].map(renderProduct),
    prices: [...catalogue.prices.values(), ...books.inlinePrices].map((price) => renderPrice(price, true)),
    inline_prices: books.inlinePrices.map((price) => price.id),
    coupons: [...catalogue.coupons.values()].map(renderCoupon),
    payment_methods: cards.filter((card): card is WorldObject => card !== null),
    subscriptions: [...books.subscriptions.values()].map((one) => renderSubscription(one, books.now)),
    invoices: invoices.map((invoice) => renderInvoice(invoice, books.accountId)),
    invoice_payments: payments,
    payment_intents: intents,
    events: [...books.events],
  }
}

function snapshotTruth(books: Books): Truth {
  const subscriptions = [...books.subscriptions.values()].map((subscription) => {
    const { id, customer, currency, status, canceledAt, endedAt } = subscription
    const changes = changesOf(subscription, books.now)
    return {
      id,
      story: customer.story,
      customer: customer.id,
      currency,
      status,
      changes,
      canceledAt,
      endedAt,
    }
  })
  return { asOf: books.now, subscriptions }
}
