/**
 * Rebuilds the ledgers of an account with 1 million invoices as the import does, receipts included. The account is
 * generated on the fly and never entirely in memory.
 */
import { defaultPolicy } from '#domain/mrr/exact/policy.ts'
import { toCoupon } from '#server/providers/stripe/from-stripe/coupon.ts'
import { toInvoice } from '#server/providers/stripe/from-stripe/invoice.ts'
import { toPrice } from '#server/providers/stripe/from-stripe/price.ts'
import { toProduct } from '#server/providers/stripe/from-stripe/product.ts'
import { toSubscription } from '#server/providers/stripe/from-stripe/subscription.ts'
import type { Catalog } from '#server/store/payments/customer-objects.ts'
import { type CountedCustomer, rebuildOne } from '#server/work/ledger/rebuild-one.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'

const asOf = Date.parse('2026-11-20T12:00:00Z') / 1000
/** Customers per lap: each lap repeats their lives under other ids until there are enough invoices. */
const customersPerLap = 200
/** Sizes in invoices, each ten times the previous one. Small sizes finish quickly, so they run several times. */
const sizes = [
  { invoices: 10_000, times: 9 },
  { invoices: 100_000, times: 3 },
  { invoices: 1_000_000, times: 1 },
]
const warmUpInvoices = 50_000
const sampleEvery = 50

/** The engine may take at most as long as JSON.parse of the same invoices. */
const engineToParseMax = 1
const peakRssMbMax = 300
/**
 * Time per invoice at one size divided by that at a tenth of it: 1 means linear growth, the rest allows for the machine.
 */
const growthMax = 1.5

type Customer = { id: string; subscriptions: string[]; invoices: string[] }
type Account = { customers: Customer[]; catalog: Catalog }

/** Seconds spent on each part, and the number of results. */
type Times = {
  invoices: number
  subscriptions: number
  events: number
  receiptParts: number
  parse: number
  map: number
  engine: number
  rssMb: number
}

/**
 * One line of figures: seconds per part and size, the engine compared with JSON.parse, peak memory, growth, and exceeded
 * limits.
 */
export function run() {
  const account = makeAccount()
  measure(account, warmUpInvoices)
  const runs = sizes.map(({ invoices, times }) => typical(account, invoices, times))
  const perInvoice = runs.map(({ engine, invoices }) => engine / invoices)
  const growth = perInvoice
    .slice(1)
    .map((seconds, index) => rounded(seconds / (perInvoice[index] ?? seconds)))
  const largest = runs.at(-1)
  const engineToParse = rounded((largest?.engine ?? 0) / (largest?.parse ?? 1))
  const peakRssMb = rounded(process.resourceUsage().maxRSS / 1024)
  const broken = [
    ...(engineToParse > engineToParseMax ? [`engineToParse is over ${engineToParseMax}`] : []),
    ...(peakRssMb >= peakRssMbMax ? [`peakRssMb is not under ${peakRssMbMax}`] : []),
    ...(growth.some((factor) => factor > growthMax) ? [`growth is over ${growthMax}`] : []),
  ]
  return {
    bench: 'rebuild',
    runs: runs.map((times) => ({
      ...times,
      parse: rounded(times.parse),
      map: rounded(times.map),
      engine: rounded(times.engine),
      rssMb: rounded(times.rssMb),
    })),
    engineToParse,
    mapToParse: rounded((largest?.map ?? 0) / (largest?.parse ?? 1)),
    peakRssMb,
    growth,
    broken,
  }
}

/** The median run by the engine's time. */
function typical(account: Account, invoices: number, times: number): Times {
  const runs = Array.from({ length: times }, () => measure(account, invoices))
  runs.sort((a, b) => a.engine - b.engine)
  return runs[Math.floor(times / 2)] ?? measure(account, invoices)
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
  return { customers: [...customers.values()], catalog: { prices, products, coupons } }
}

function measure(account: Account, invoicesMax: number): Times {
  const times: Times = {
    invoices: 0,
    subscriptions: 0,
    events: 0,
    receiptParts: 0,
    parse: 0,
    map: 0,
    engine: 0,
    rssMb: 0,
  }
  for (let made = 0; times.invoices < invoicesMax; made++) {
    const customer = account.customers[made % account.customers.length]
    if (!customer) break
    measureCustomer(account, customer, Math.floor(made / account.customers.length), times)
    if (made % sampleEvery === 0) times.rssMb = Math.max(times.rssMb, process.memoryUsage.rss() / 2 ** 20)
  }
  return times
}

function measureCustomer(account: Account, customer: Customer, lap: number, times: Times): void {
  // Through bytes, so that no parser must first flatten a replaced string.
  const renamed = (text: string): string => Buffer.from(text.replaceAll('"sub_', `"sub_${lap}x`)).toString()
  const invoiceTexts = customer.invoices.map(renamed)
  const subscriptionTexts = customer.subscriptions.map(renamed)
  const started = performance.now()
  const invoiceObjects = invoiceTexts.map((text) => JSON.parse(text))
  const parsed = performance.now()
  const objects = subscriptionTexts.map((text) => JSON.parse(text))
  const mapping = performance.now()
  const subscriptions = objects.map((object) => toSubscription(object, account.catalog))
  const invoices = invoiceObjects.map((object) => toInvoice(object, account.catalog))
  const mapped = performance.now()
  const rebuilt = rebuildOne(
    {
      id: customer.id,
      paymentMethod: null,
      discounts: [],
      subscriptions,
      readAt: new Map(),
      askedAfter: new Map(),
      invoices,
      observations: [],
    },
    account.catalog,
    defaultPolicy,
    asOf,
  )
  const receiptParts = partsOfReceipts(rebuilt)
  const ended = performance.now()
  times.invoices += invoices.length
  times.subscriptions += subscriptions.length
  times.events += rebuilt.events.length
  times.receiptParts += receiptParts
  times.parse += (parsed - started) / 1000
  times.map += (mapped - mapping) / 1000
  times.engine += (ended - mapped) / 1000
}

/** Reads every receipt, so that lazy computation cannot skip any. */
function partsOfReceipts({ events, figures }: CountedCustomer): number {
  return [...events, ...figures].reduce((sum, { receipt }) => {
    if (receipt === null) throw new Error('A figure has no receipt')
    return sum + receipt.parts.length
  }, 0)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
