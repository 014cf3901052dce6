import type { PaymentInvoice, PaymentPrice } from '../../payments.ts'
import { type Cadence, cadenceOfPeriod, isExactPeriod, isOddCadence } from '../exact/interval.ts'
import {
  compare,
  isPositive,
  over,
  type Rational,
  rationalOfDecimal,
  times,
  whole,
} from '../exact/rational.ts'
import { countsAsBill } from './bill.ts'

/** What the regular bills show of a price that was deleted or that names no amount (R12, R13). */
export type GonePrice = {
  /** How often it was billed. */
  cadence: Cadence | undefined
  /** What a whole period cost at each quantity, in minor units before discounts. */
  amounts: ReadonlyMap<number, number>
  /** What a unit costs; undefined when bills of several quantities disagree, as with tiers or packages. */
  unit: Rational | undefined
  /** Whether one of its bills had several lines, one for each tier. */
  hasTiers: boolean
}

/** By price id; a price that appears only on bills for parts of a period is left out. */
export type GonePrices = ReadonlyMap<string, GonePrice>

type Bill = {
  from: number
  to: number
  quantity: number
  amountCents: number
  lines: number
  units: (string | null)[]
}

/**
 * Reads the regular bills of deleted prices from all invoices of a customer, because a price is the same in each
 * subscription. Bills for a part of a period say nothing about a whole one.
 */
export function gonePricesOf(
  invoices: readonly PaymentInvoice[],
  prices: ReadonlyMap<string, PaymentPrice>,
): GonePrices {
  const bills = new Map<string, Bill[]>()
  for (const invoice of invoices) {
    if (!countsAsBill(invoice)) continue
    for (const [priceId, ofInvoice] of billsOf(invoice, prices)) {
      bills.set(priceId, [...(bills.get(priceId) ?? []), ...ofInvoice])
    }
  }
  return new Map([...bills].map(([priceId, list]) => [priceId, goneOf(list)]))
}

/** The regular lines of an invoice by price; the tiers of one item count as one bill. */
function billsOf(
  invoice: PaymentInvoice,
  prices: ReadonlyMap<string, PaymentPrice>,
): Iterable<[string, Bill[]]> {
  const sales = new Map<string, Map<string, Bill>>()
  for (const line of invoice.lines) {
    const { priceId, isProration, isSubscriptionItem, price = prices.get(priceId ?? '') } = line
    if (priceId === null || isProration || !isSubscriptionItem || tellsAmount(price, invoice.currency))
      continue
    const { subscriptionId, subscriptionItemId, periodStart: from, periodEnd: to } = line
    const key = [subscriptionId, subscriptionItemId, from, to].join(' ')
    const ofPrice = sales.get(priceId) ?? new Map<string, Bill>()
    sales.set(priceId, ofPrice)
    const bill = ofPrice.get(key) ?? { from, to, quantity: 0, amountCents: 0, lines: 0, units: [] }
    bill.quantity += line.quantity ?? 0
    bill.amountCents += line.amountCents
    bill.lines += 1
    bill.units.push(line.unitAmountDecimal)
    ofPrice.set(key, bill)
  }
  return [...sales].map(([priceId, ofPrice]) => [priceId, [...ofPrice.values()]])
}

/** Whether the price alone determines what a period costs in a currency. */
function tellsAmount(price: PaymentPrice | undefined, currency: string): boolean {
  if (!price?.interval || price.currency !== currency) return false
  return price.billingScheme === 'per_unit' && price.unitAmountDecimal !== null
}

function goneOf(bills: readonly Bill[]): GonePrice {
  const likeliest = likeliestCadence(bills)
  // A single bill for a number of weeks or days may be a shortened first period.
  const cadence = likeliest && bills.length === 1 && isOddCadence(likeliest) ? undefined : likeliest
  const whole = wholeBills(bills, cadence)
  return {
    cadence,
    amounts: new Map(whole.map(({ quantity, amountCents }) => [quantity, amountCents])),
    unit: unitOf(whole),
    hasTiers: bills.some(({ lines }) => lines > 1),
  }
}

/** The bills of whole periods: exact ones if there are any, because a first or last period can be a few days short. */
function wholeBills(bills: readonly Bill[], cadence: Cadence | undefined): Bill[] {
  const near = bills.filter(
    ({ amountCents, from, to }) => amountCents > 0 && isOf(cadence, cadenceOfPeriod(from, to)),
  )
  const exact = near.filter(({ from, to }) => cadence && isExactPeriod(from, to, cadence))
  return exact.length > 0 ? exact : near
}

function isOf(a: Cadence | undefined, b: Cadence | undefined): boolean {
  return a?.interval === b?.interval && a?.count === b?.count
}

/**
 * The one unit price that all bills share; undefined if a bill has several lines or states a unit that contradicts its
 * amount.
 */
function unitOf(bills: readonly Bill[]): Rational | undefined {
  let unit: Rational | undefined
  for (const { quantity, amountCents, lines, units } of bills) {
    if (quantity < 1 || lines > 1) return undefined
    const own = over(whole(amountCents), whole(quantity))
    const said = units[0] == null ? undefined : rationalOfDecimal(units[0])
    const isSaidSo = !said || compare(times(said, whole(quantity)), whole(amountCents)) === 0
    if (!isSaidSo || (unit && compare(unit, own) !== 0)) return undefined
    unit = own
  }
  return unit && isPositive(unit) ? unit : undefined
}

/**
 * How often a price was billed. Months and years win over weeks and days, which a shortened first period can suggest
 * (R35); then the majority of bills wins, then the longest period.
 */
export function likeliestCadence(periods: readonly { from: number; to: number }[]): Cadence | undefined {
  const seen = new Map<string, { cadence: Cadence; count: number; length: number }>()
  for (const { from, to } of periods) {
    const cadence = cadenceOfPeriod(from, to)
    if (!cadence) continue
    const key = `${cadence.count} ${cadence.interval}`
    const known = seen.get(key)
    seen.set(key, { cadence, count: (known?.count ?? 0) + 1, length: to - from })
  }
  const [best] = [...seen.values()].sort(
    (a, b) =>
      Number(isOddCadence(a.cadence)) - Number(isOddCadence(b.cadence)) ||
      b.count - a.count ||
      b.length - a.length,
  )
  return best?.cadence
}
