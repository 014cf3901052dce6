import { isPositive } from '../exact/rational.ts'
import { seatsByTier } from '../prices/price-amount.ts'
import type { Charge, Credit } from './bill.ts'
import type { GonePrices } from './gone-prices.ts'
import { compareCharges } from './sort-bills.ts'

/** The lines of an item as on its bills, one for each tier (R24). */
type Lines = Charge[]

export type SettledParts = {
  charges: Charge[]
  /** Lines of 0 that look like charges but give back the previous terms. */
  silentCredits: Charge[]
}

/**
 * Joins the lines of one item that form one sale: the tiers of a bill (R24), and, for a change inside a period, the lines
 * that no credit undoes. Only their content decides, since no order is promised.
 */
export function settleParts(
  lines: readonly Charge[],
  credits: readonly Credit[],
  gonePrices: GonePrices,
): SettledParts {
  const settled: SettledParts = { charges: [], silentCredits: [] }
  for (const [itemKey, ofItem] of Map.groupBy(lines, (line) => line.itemKey)) {
    const ofSale = Map.groupBy([...ofItem].sort(compareCharges), saleKeyOf)
    const sold: Lines[] = []
    for (const sale of ofSale.values()) {
      const [first] = sale
      if (!first) continue
      if (first.isProration) {
        const given = credits.filter((credit) => credit.itemKey === itemKey && isSameChange(credit, first))
        const before = sold.findLast(([line]) => (line?.at ?? 0) < first.at) ?? []
        const isRenewed = ofItem.some(({ at, isProration }) => at === first.at && !isProration)
        const { kept, silent } = settleChange(sale, { given, isRenewed }, before, gonePrices)
        settled.silentCredits.push(...silent)
        settled.charges.push(...joined(kept, gonePrices))
        sold.push(kept)
      } else {
        settled.charges.push(...joined(sale, gonePrices))
        sold.push(sale)
      }
    }
  }
  return settled
}

/** Lines that begin and end together on one invoice. */
function saleKeyOf({ invoice, at, until, isProration }: Charge): string {
  return `${invoice.id} ${at} ${until} ${isProration}`
}

function isSameChange(credit: Credit, { invoice, at }: Charge): boolean {
  return credit.invoice.id === invoice.id && credit.at === at
}

/** The lines of a change that remain after removing credits of 0 and what a further change undid. */
function settleChange(
  sale: Lines,
  { given: credits, isRenewed }: { given: readonly Credit[]; isRenewed: boolean },
  before: Lines,
  gonePrices: GonePrices,
): { kept: Lines; silent: Lines } {
  const isCredited = (line: Charge): boolean => credits.some((credit) => isOfLine(credit, line))
  const unnamed = before.filter((line) => !isCredited(line))
  // A bill that starts here, or a credit for the other tiers, leaves no reason to read a line of 0 as a sale.
  const isReplaced = isRenewed || (credits.length > 0 && unnamed.length < before.length)
  const [kept, silent] = withoutSilentCredits(sale, unnamed, gonePrices, isReplaced)
  if (!isTiered(kept[0], gonePrices)) return { kept, silent }
  const undone = [...credits]
  for (const line of before) {
    const closing = undone.findIndex((credit) => isOfLine(credit, line))
    if (closing >= 0) undone.splice(closing, 1)
  }
  // If no credit names the previous lines, the credits together close all of them: the change is a single one.
  if (undone.length === credits.length) return { kept, silent }
  const left = [...kept]
  for (const credit of undone) {
    const index = left.findIndex((line) => isOfLine(credit, line) && isOpposite(credit, line))
    if (index >= 0 && left.length > 1) left.splice(index, 1)
  }
  return { kept: left, silent }
}

function isOfLine({ line, quantity }: Credit, { priceId, quantity: units }: Charge): boolean {
  return line.priceId === priceId && quantity === units
}

/** Amounts are rounded down, so a credit may exceed the line that it undoes by a cent. */
function isOpposite({ line }: Credit, { amountCents }: Charge): boolean {
  return Math.abs(line.amountCents + amountCents) <= 1
}

/**
 * A credit for something free is 0, and its text is arbitrary. We recognise it by the previous lines and, for known
 * tiers, by the lines that a sale has. `before`: the previous lines that no credit names.
 */
function withoutSilentCredits(
  sale: Lines,
  before: Lines,
  gonePrices: GonePrices,
  isReplaced: boolean,
): [Lines, Lines] {
  const kept = [...sale]
  const silent: Lines = []
  const take = (line: Charge): void => {
    kept.splice(kept.indexOf(line), 1)
    silent.push(line)
  }
  const isFree = ({ amountCents, quantity }: Charge): boolean => amountCents === 0 && quantity > 0
  for (const line of before) {
    if (isOneSale(kept, gonePrices) && !(isReplaced && kept.length === 1)) break
    const credit = kept.find(
      (each) => isFree(each) && each.priceId === line.priceId && each.quantity === line.quantity,
    )
    if (credit && (kept.length > 1 || isReplaced)) take(credit)
  }
  // A free change together with its own reversal.
  for (const line of [...kept]) {
    if (isOneSale(kept, gonePrices)) break
    const twin = kept.find((each) => each !== line && isFree(each) && isFree(line) && isTwin(each, line))
    if (twin && kept.includes(line) && kept.length > 2) {
      take(line)
      take(twin)
    }
  }
  return [kept, silent]
}

function isTwin(a: Charge, b: Charge): boolean {
  return a.priceId === b.priceId && a.quantity === b.quantity
}

/** Whether lines can form one sale: a single line, or the tiers of a known price that its quantity reaches. */
function isOneSale(lines: Lines, gonePrices: GonePrices): boolean {
  const [first] = lines
  if (!first || lines.length === 1) return true
  if (!isTiered(first, gonePrices) || lines.some(({ priceId }) => priceId !== first.priceId)) return false
  const seats = lines.filter(({ quantity }) => quantity > 0).sort((a, b) => a.quantity - b.quantity)
  const sum = seats.reduce((total, { quantity }) => total + quantity, 0)
  const expected = first.price && seatsByTier(first.price, sum)?.sort((a, b) => a.units - b.units)
  if (expected?.length !== seats.length) return false
  return seats.every(({ quantity, amountCents }, index) => {
    const tier = expected[index]
    // A line of 0 cannot bill a tier that costs money.
    return tier?.units === quantity && (amountCents !== 0 || !isPositive(tier.amount))
  })
}

/** Whether a price can have a line for each tier: it says so, or, if it was deleted, its regular bills allow it. */
function isTiered(line: Charge | undefined, gonePrices: GonePrices): boolean {
  if (line?.price) return line.price.billingScheme === 'tiered'
  const gone = gonePrices.get(line?.priceId ?? '')
  return !gone?.unit || gone.hasTiers || gone.amounts.size < 2
}

/** Joins the tiers of one price into one charge; any other line stays a charge of its own. */
function joined(lines: Lines, gonePrices: GonePrices): Charge[] {
  const charges: Charge[] = []
  for (const ofPrice of Map.groupBy(lines, ({ priceId }) => priceId).values()) {
    const [first, ...others] = ofPrice
    if (!first) continue
    if (isTiered(first, gonePrices)) charges.push(others.reduce(withLine, first))
    else charges.push(...ofPrice)
  }
  return charges
}

function withLine(charge: Charge, line: Charge): Charge {
  return {
    ...charge,
    lines: [...charge.lines, ...line.lines],
    quantity: charge.quantity + line.quantity,
    amountCents: charge.amountCents + line.amountCents,
    discountCents: charge.discountCents + line.discountCents,
    discountIds: [...new Set([...charge.discountIds, ...line.discountIds])],
    inclusiveTaxCents: charge.inclusiveTaxCents + line.inclusiveTaxCents,
  }
}
