import type { Instant } from '../../instant.ts'
import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import { isGivenBack } from './bill.ts'
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

/** A credit, and the item that it gives back. */
type Freed = { line: InvoiceLine; itemKey: string }

/** Assigns the lines that name no item, change by change in order of time. */
function keysOfBare(
  bare: readonly InvoiceLine[],
  holdings: Holdings,
  subscription: PaymentSubscription,
): Map<InvoiceLine, string> {
  const keys = new Map<InvoiceLine, string>()
  const inTime = [...bare].sort((a, b) => a.periodStart - b.periodStart)
  let freed: Freed[] = []
  for (const [at, lines] of Map.groupBy(inTime, ({ periodStart }) => periodStart)) {
    freed = freed.filter(({ line }) => at - line.periodStart <= sameRequestSeconds)
    let hasStranger = false
    for (const line of lines.filter(isGivenBack)) {
      const itemKey = givenBackOf(line, holdings, subscription)
      keys.set(line, itemKey ?? keyOfPrice(line))
      if (itemKey !== undefined) freed.push({ line, itemKey })
      else hasStranger = true
    }
    const charges = lines.filter((line) => !isGivenBack(line))
    const undone = undoneAmong(charges, freed, holdings)
    for (const [line, itemKey] of undone) keys.set(line, itemKey)
    const isTaken = (itemKey: string) =>
      charges.some((each) => keys.get(each) === itemKey && !undone.has(each))
    const isOpen = (line: InvoiceLine) => (itemKey: string) =>
      hasStranger || freed.some((one) => one.itemKey === itemKey) || isFreeFor(line, itemKey, holdings)
    for (const isFit of [isOfPrice, isOfProduct, () => true]) {
      for (const line of charges.filter((each) => !keys.has(each))) {
        const same = charges.find((each) => keys.has(each) && isOfPrice(each, line))
        const given = freed.find((one) => !isTaken(one.itemKey) && isFit(one.line, line))?.itemKey
        const itemKey =
          (same && keys.get(same)) ??
          createdWith(line, subscription) ??
          (isAlone(line, charges, keys) ? createdThen(line, subscription) : undefined) ??
          renewedAs(line, holdings, subscription, isOpen(line)) ??
          given
        if (itemKey !== undefined) keys.set(line, itemKey)
      }
    }
    for (const line of charges) {
      const itemKey = keys.get(line) ?? stillHolding(line, holdings, subscription) ?? keyOfPrice(line)
      keys.set(line, itemKey)
      if (!undone.has(line)) hold(holdings, line, itemKey)
    }
    freed = freed.filter(({ itemKey }) => !isTaken(itemKey))
  }
  return keys
}

/**
 * The charges that a further change of the same second undid, with their items: a credit of the same price and quantity
 * gives one back, though its item was never sold at this price before.
 */
function undoneAmong(
  charges: readonly InvoiceLine[],
  freed: readonly Freed[],
  holdings: Holdings,
): Map<InvoiceLine, string> {
  const undone = new Map<InvoiceLine, string>()
  for (const { line: credit, itemKey } of freed) {
    const wasSoldAt = holdings
      .get(credit.priceId ?? '')
      ?.some((held) => held.itemKey === itemKey && held.from < credit.periodStart)
    const isOneOfSeveral = freed.some((one) => one.itemKey === itemKey && !isOfPrice(one.line, credit))
    const charge = charges.find(
      (each) => !undone.has(each) && isOfPrice(each, credit) && each.quantity === credit.quantity,
    )
    if (charge && isOneOfSeveral && !wasSoldAt) undone.set(charge, itemKey)
  }
  return undone
}

function isOfPrice(a: InvoiceLine, b: InvoiceLine): boolean {
  return a.priceId !== null && a.priceId === b.priceId
}

function isOfProduct(a: InvoiceLine, b: InvoiceLine): boolean {
  return a.productId !== null && a.productId === b.productId
}

/** The item that held the price, unless it was sold at another since: then the line is for a further item. */
function stillHolding(
  line: InvoiceLine,
  holdings: Holdings,
  subscription: PaymentSubscription,
): string | undefined {
  const itemKey = holderAt(line, holdings, subscription)
  return itemKey !== undefined && isFreeFor(line, itemKey, holdings) ? itemKey : undefined
}

/** Whether an item was not sold at another price when the line began. */
function isFreeFor({ priceId, periodStart: at }: InvoiceLine, itemKey: string, holdings: Holdings): boolean {
  let last: { price: string; from: Instant; until: Instant } | undefined
  for (const [price, list] of holdings)
    for (const { itemKey: key, from, until } of list)
      if (key === itemKey && from < at && from >= (last?.from ?? from)) last = { price, from, until }
  return last === undefined || last.price === priceId || last.until <= at
}

/** The item that a credit gives back: the one of its price or, where none had it then, the only one that it can be. */
function givenBackOf(
  line: InvoiceLine,
  holdings: Holdings,
  subscription: PaymentSubscription,
): string | undefined {
  const { priceId, periodStart: at } = line
  const isHeld = holdings.get(priceId ?? '')?.some(({ from, until }) => from <= at && at < until)
  return (isHeld ? undefined : onlyHolderAt(line, holdings)) ?? holderAt(line, holdings, subscription)
}

/**
 * The only item that was held then and not renewed as it was. A switch that nothing billed leaves a credit of a price that
 * no item was ever billed for.
 */
function onlyHolderAt({ periodStart: at }: InvoiceLine, holdings: Holdings): string | undefined {
  const held = new Set<string>()
  for (const list of holdings.values()) {
    for (const { itemKey, from, until } of list) {
      const isRenewed = list.some((next) => next.itemKey === itemKey && next.from === until)
      if (from <= at && at < until && !isRenewed) held.add(itemKey)
    }
  }
  const [only] = held
  return held.size === 1 ? only : undefined
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

/** The present item that was created at that instant, if only one was: it may have another price since. */
function createdThen({ periodStart }: InvoiceLine, { items }: PaymentSubscription): string | undefined {
  const created = items.filter(({ createdAt }) => Math.abs(createdAt - periodStart) <= sameRequestSeconds)
  return created.length === 1 && created[0] ? created[0].id : undefined
}

/** Whether all charges of the instant that have no item yet are of one price. */
function isAlone(
  line: InvoiceLine,
  charges: readonly InvoiceLine[],
  keys: ReadonlyMap<InvoiceLine, string>,
): boolean {
  return charges.every((each) => keys.has(each) || isOfPrice(each, line) || each === line)
}

/** The item that is billed at the price from the end of the line's period, unless it is newer or was sold otherwise. */
function renewedAs(
  { priceId, periodStart, periodEnd }: InvoiceLine,
  holdings: Holdings,
  { items }: PaymentSubscription,
  isOpen: (itemKey: string) => boolean,
): string | undefined {
  const isNewer = (itemKey: string): boolean =>
    items.some(({ id, createdAt }) => id === itemKey && createdAt > periodStart + sameRequestSeconds)
  return holdings
    .get(priceId ?? '')
    ?.filter(({ from }) => Math.abs(from - periodEnd) <= sameRequestSeconds)
    .find(({ itemKey }) => !isNewer(itemKey) && isOpen(itemKey))?.itemKey
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
  // What begins in the second of a credit is rather what takes the place of the credited.
  const covering = list.findLast(({ from, until }) => from < at && at < until)
  const before = list.findLast(({ from }) => from < at) ?? list.findLast(({ from }) => from === at)
  return (covering ?? before ?? list[0])?.itemKey ?? items.find((item) => item.priceId === priceId)?.id
}
