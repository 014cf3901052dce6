/** Rebuilds the ledgers of an account of a million invoices, made as it goes and never all in memory. */
import { defaultPolicy } from '#domain/mrr/policy.ts'
import { rebuildCustomer } from '#domain/mrr/rebuild-customer.ts'
import type { PaymentPrice, PaymentProduct } from '#domain/payments.ts'
import { toCoupon } from '#server/providers/stripe/from-stripe/coupon.ts'
import { toInvoice } from '#server/providers/stripe/from-stripe/invoice.ts'
import { toPrice } from '#server/providers/stripe/from-stripe/price.ts'
import { toProduct } from '#server/providers/stripe/from-stripe/product.ts'
import { type Joins, toSubscription } from '#server/providers/stripe/from-stripe/subscription.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'

const asOf = Date.parse('2026-11-20T12:00:00Z') / 1000
/** Customers per lap: their lives repeat under other ids until there are enough invoices. */
const customersPerLap = 200
const sizes = [10_000, 100_000, 1_000_000]
const sampleEvery = 50

type Customer = { id: string; subscriptions: string[]; invoices: string[] }
type Account = {
  customers: Customer[]
  prices: Map<string, PaymentPrice>
  products: Map<string, PaymentProduct>
  joins: Joins
}

/** Seconds spent on each part, and what was made. */
type Times = {
  invoices: number
  subscriptions: number
  events: number
  parse: number
  map: number
  engine: number
  rssMb: number
}

/** One line of figures: seconds per part and size, the engine against JSON.parse, peak memory and growth. */
export function run(): object {
  const account = makeAccount()
  measure(account, 20_000)
  const runs = sizes.map((size) => measure(account, size))
  const perInvoice = runs.map(({ engine, invoices }) => engine / invoices)
  const largest = runs.at(-1)
  return {
    bench: 'rebuild',
    runs: runs.map((times) => ({
      ...times,
      parse: rounded(times.parse),
      map: rounded(times.map),
      engine: rounded(times.engine),
      rssMb: rounded(times.rssMb),
    })),
    engineToParse: rounded((largest?.engine ?? 0) / (largest?.parse ?? 1)),
    mapToParse: rounded((largest?.map ?? 0) / (largest?.parse ?? 1)),
    peakRssMb: rounded(process.resourceUsage().maxRSS / 1024),
    growthPerInvoice: rounded((perInvoice.at(-1) ?? 0) / (perInvoice[0] ?? 1)),
  }
}

function makeAccount(): Account {
  const { world } = generateWorld({ seed: 7, customers: customersPerLap, months: 24, asOf })
  const prices = new Map(world.prices.map((price) => [price.id, toPrice(price)]))
  const coupons = new Map(world.coupons.map((coupon) => [coupon.id, toCoupon(coupon)]))
  const products = new Map(world.products.map((product) => [product.id, toProduct(product)]))
  const customers = new Map<string, Customer>()
  const customerOf = (object: { [key: string]: unknown }): Customer => {
    const id = String(object['customer'])
    const customer = customers.get(id) ?? { id, subscriptions: [], invoices: [] }
    customers.set(id, customer)
    return customer
  }
  for (const object of world.subscriptions) customerOf(object).subscriptions.push(JSON.stringify(object))
  for (const object of world.invoices) customerOf(object).invoices.push(JSON.stringify(object))
  return { customers: [...customers.values()], prices, products, joins: { coupons, prices } }
}

function measure(account: Account, invoicesMax: number): Times {
  const times: Times = { invoices: 0, subscriptions: 0, events: 0, parse: 0, map: 0, engine: 0, rssMb: 0 }
  for (let made = 0; times.invoices < invoicesMax; made++) {
    const customer = account.customers[made % account.customers.length]
    if (!customer) break
    measureCustomer(account, customer, Math.floor(made / account.customers.length), times)
    if (made % sampleEvery === 0) times.rssMb = Math.max(times.rssMb, process.memoryUsage.rss() / 2 ** 20)
  }
  return times
}

function measureCustomer(account: Account, customer: Customer, lap: number, times: Times): void {
  // By way of bytes, so that no parser has to put the pieces of a replaced text together first.
  const renamed = (text: string): string => Buffer.from(text.replaceAll('"sub_', `"sub_${lap}x`)).toString()
  const invoiceTexts = customer.invoices.map(renamed)
  const subscriptionTexts = customer.subscriptions.map(renamed)
  const started = performance.now()
  const invoiceObjects = invoiceTexts.map((text) => JSON.parse(text))
  const parsed = performance.now()
  const objects = subscriptionTexts.map((text) => JSON.parse(text))
  const mapping = performance.now()
  const subscriptions = objects.map((object) => toSubscription(object, account.joins))
  const invoices = invoiceObjects.map((object) => toInvoice(object, account.joins))
  const mapped = performance.now()
  const { events } = rebuildCustomer({
    customerId: customer.id,
    subscriptions,
    invoices,
    prices: account.prices,
    products: account.products,
    policy: defaultPolicy,
    asOf,
  })
  const rebuilt = performance.now()
  times.invoices += invoices.length
  times.subscriptions += subscriptions.length
  times.events += events.length
  times.parse += (parsed - started) / 1000
  times.map += (mapped - mapping) / 1000
  times.engine += (rebuilt - mapped) / 1000
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
