import type { Instant } from '../../instant.ts'
import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import { belongsTo } from './line-owner.ts'

/** Finds the subscription item that a line belongs to. Prorations that are invoice items name only a price. */
type ItemKeys = (line: InvoiceLine) => string

/** An item that was sold at a price during a stretch of time. */
type Holding = { itemKey: string; from: Instant; until: Instant }

type Holdings = Map<string, Holding[]>

/**
 * Finds each line's item. Prices move between items: a credit without an item goes to the one that held its price, a charge
 * to one created, renewed or credited with it, or is an item of its own.
 */
export function itemKeysOf(subscription: PaymentSubscription, invoices: readonly PaymentInvoice[]): ItemKeys {
  const holdings: Holdings = new Map()
  const bare: InvoiceLine[] = []
  for (const invoice of invoices) {
    for (const line of invoice.lines) {
      if (!belongsTo(line, invoice, subscription)) continue
      const { subscriptionItemId: itemId } = line
      if (itemId === null) bare.push(line)
      else if (!isGivenBack(line)) hold(holdings, line, itemId)
    }
  }
  const keys = keysOfBare(bare, holdings, subscription)
  return (line) => line.subscriptionItemId ?? keys.get(line) ?? keyOfPrice(line)
}

function keyOfPrice({ priceId, productId }: InvoiceLine): string {
  return `price:${priceId ?? productId ?? 'unknown'}`
}

function isGivenBack({ isProration, isCredit, amountCents }: InvoiceLine): boolean {
  return isProration && (isCredit === true || amountCents < 0)
}

function hold(
  holdings: Holdings,
  { priceId, periodStart: from, periodEnd: until }: InvoiceLine,
  itemKey: string,
) {
  if (priceId === null) return
  const list = holdings.get(priceId)
  if (list) list.push({ itemKey, from, until })
  else holdings.set(priceId, [{ itemKey, from, until }])
}

/** Assigns the lines that name no item, change by change in order of time. */
function keysOfBare(
  bare: readonly InvoiceLine[],
  holdings: Holdings,
  subscription: PaymentSubscription,
): Map<InvoiceLine, string> {
  const keys = new Map<InvoiceLine, string>()
  const inTime = [...bare].sort((a, b) => a.periodStart - b.periodStart)
  let freed: { line: InvoiceLine; itemKey: string }[] = []
  for (const [at, lines] of Map.groupBy(inTime, ({ periodStart }) => periodStart)) {
    freed = freed.filter(({ line }) => at - line.periodStart <= sameRequestSeconds)
    for (const line of lines.filter(isGivenBack)) {
      const itemKey = holderAt(line, holdings, subscription) ?? keyOfPrice(line)
      keys.set(line, itemKey)
      freed.push({ line, itemKey })
    }
    const charges = lines.filter((line) => !isGivenBack(line))
    const isTaken = (itemKey: string) => charges.some((each) => keys.get(each) === itemKey)
    for (const isFit of [isOfPrice, isOfProduct, () => true]) {
      for (const line of charges.filter((each) => !keys.has(each))) {
        const same = charges.find((each) => keys.has(each) && isOfPrice(each, line))
        const itemKey =
          (same && keys.get(same)) ??
          createdWith(line, subscription) ??
          renewedAs(line, holdings) ??
          freed.find((one) => !isTaken(one.itemKey) && isFit(one.line, line))?.itemKey
        if (itemKey !== undefined) keys.set(line, itemKey)
      }
    }
    for (const line of charges) {
      const itemKey = keys.get(line) ?? holderAt(line, holdings, subscription) ?? keyOfPrice(line)
      keys.set(line, itemKey)
      hold(holdings, line, itemKey)
    }
    freed = freed.filter(({ itemKey }) => !isTaken(itemKey))
  }
  return keys
}

function isOfPrice(a: InvoiceLine, b: InvoiceLine): boolean {
  return a.priceId !== null && a.priceId === b.priceId
}

function isOfProduct(a: InvoiceLine, b: InvoiceLine): boolean {
  return a.productId !== null && a.productId === b.productId
}

/** The present item that was created for the line: an earlier one of the same price may be gone. */
function createdWith(
  { priceId, periodStart }: InvoiceLine,
  { items }: PaymentSubscription,
): string | undefined {
  return items.find(
    (item) => item.priceId === priceId && Math.abs(item.createdAt - periodStart) <= sameRequestSeconds,
  )?.id
}

/** The item that is billed at the price from the end of the line's period. */
function renewedAs({ priceId, periodEnd }: InvoiceLine, holdings: Holdings): string | undefined {
  return holdings.get(priceId ?? '')?.find(({ from }) => Math.abs(from - periodEnd) <= sameRequestSeconds)
    ?.itemKey
}

/**
 * The item that held the price when the line's period began: the last to get it before then, otherwise the first after.
 */
function holderAt(
  { priceId, periodStart: at }: InvoiceLine,
  holdings: Holdings,
  { items }: PaymentSubscription,
): string | undefined {
  const list = [...(holdings.get(priceId ?? '') ?? [])].sort((a, b) => a.from - b.from)
  const covering = list.findLast(({ from, until }) => from <= at && at < until)
  const before = list.findLast(({ from }) => from <= at)
  return (covering ?? before ?? list[0])?.itemKey ?? items.find((item) => item.priceId === priceId)?.id
}
