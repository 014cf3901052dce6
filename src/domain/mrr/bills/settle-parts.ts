import { isPositive } from '../exact/rational.ts'
import { seatsByTier } from '../prices/price-amount.ts'
import type { Charge, Credit } from './bill.ts'
import type { GonePrices } from './gone-prices.ts'
import { compareCharges } from './sort-bills.ts'

/** The lines of an item as its bills have them, one for each tier (R24). */
type Lines = Charge[]

export type SettledParts = {
  charges: Charge[]
  /** Lines that look like charges of nothing and give back what stood before. */
  silentCredits: Charge[]
}

/**
 * Puts the lines of one item together that are one sale: the tiers of a bill (R24), and of a change inside a period those that
 * no credit undoes. Nothing but what the lines say decides, since no order of them is promised.
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

/** Of the lines of a change those that stand: without credits of nothing, and without what a further change undid. */
function settleChange(
  sale: Lines,
  { given: credits, isRenewed }: { given: readonly Credit[]; isRenewed: boolean },
  before: Lines,
  gonePrices: GonePrices,
): { kept: Lines; silent: Lines } {
  const isCredited = (line: Charge): boolean => credits.some((credit) => isOfLine(credit, line))
  const unnamed = before.filter((line) => !isCredited(line))
  // A bill that begins there, or the other tiers given back, leave nothing that a line of 0 could sell.
  const isReplaced = isRenewed || (credits.length > 0 && unnamed.length < before.length)
  const [kept, silent] = withoutSilentCredits(sale, unnamed, gonePrices, isReplaced)
  if (!isTiered(kept[0], gonePrices)) return { kept, silent }
  const undone = [...credits]
  for (const line of before) {
    const closing = undone.findIndex((credit) => isOfLine(credit, line))
    if (closing >= 0) undone.splice(closing, 1)
  }
  // Where no credit names what stood before, all of them close it: the change is one.
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

/** Amounts are rounded down, so that a credit may be a cent more than what it undoes. */
function isOpposite({ line }: Credit, { amountCents }: Charge): boolean {
  return Math.abs(line.amountCents + amountCents) <= 1
}

/**
 * A credit of something that costs nothing is 0, and its words are free. It is told by what stood before, and where tiers are
 * known by the lines that a sale has. `before`: the lines that stood before and that no credit names.
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
  // A change and its own undoing, both of nothing.
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

/** Whether lines can be one sale: a single one, or the tiers of a known price as its quantity reaches them. */
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
    // What costs something is not billed with nothing.
    return tier?.units === quantity && (amountCents !== 0 || !isPositive(tier.amount))
  })
}

/** Whether a price can have a line for each tier: it says so, or where it is gone its regular bills do not deny it. */
function isTiered(line: Charge | undefined, gonePrices: GonePrices): boolean {
  if (line?.price) return line.price.billingScheme === 'tiered'
  const gone = gonePrices.get(line?.priceId ?? '')
  return !gone?.unit || gone.hasTiers || gone.amounts.size < 2
}

/** The tiers of one price as one charge; any other line is a charge of its own. */
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
