import type { ReceiptAnswer, ReceiptPartAnswer } from '#contract/receipt.ts'
import { formatMoney } from '../../../components/figures/format-money.ts'
import { formatExact, readFraction } from './exact-amount.ts'
import { nameOf, negated, periodOf } from './steps.ts'

/** One fact on both sides of a change. */
export type ComparedFact = { name: string; before: string; after: string; isChanged: boolean }

/** One item on both sides of a change; a side without it is undefined. */
export type ItemPair = {
  key: string
  name: string
  before: ReceiptPartAnswer | undefined
  after: ReceiptPartAnswer | undefined
}

type ComparedItem = { key: string; name: string; facts: ComparedFact[] }

export type Comparison = {
  /** The items that differ. */
  items: ComparedItem[]
  /** How many items are the same on both sides. */
  sameItems: number
  mrr: ComparedFact
}

/** Puts the items of two receipts of a subscription side by side, and keeps what differs. */
export function compareReceipts(before: ReceiptAnswer, after: ReceiptAnswer): Comparison {
  const pairs = pairsOf(before, after)
  const changed = pairs.filter(isChanged)
  return {
    items: changed.map((pair) => ({ key: pair.key, name: pair.name, facts: factsOf(pair, after.currency) })),
    sameItems: pairs.length - changed.length,
    mrr: fact('MRR', formatMoney(before.mrr, before.currency), formatMoney(after.mrr, after.currency)),
  }
}

/** Pairs the items of two receipts. The only item of each side is one pair, also where it was put in place of the other. */
export function pairsOf(before: ReceiptAnswer, after: ReceiptAnswer): ItemPair[] {
  const [one, other] = [before.parts[0], after.parts[0]]
  if (one && other && before.parts.length === 1 && after.parts.length === 1)
    return [{ key: other.itemId, name: nameOf(other), before: one, after: other }]
  // The newer name comes last, and stays.
  const names = new Map([...before.parts, ...after.parts].map((part) => [part.itemId, nameOf(part)]))
  return [...names].map(([key, name]) => ({
    key,
    name,
    before: partOf(before, key),
    after: partOf(after, key),
  }))
}

function partOf({ parts }: ReceiptAnswer, id: string): ReceiptPartAnswer | undefined {
  return parts.find(({ itemId }) => itemId === id)
}

const compared = ['productId', 'quantity', 'gross', 'discount', 'inclusiveTax', 'months'] as const

/** Whether an item differs in anything that a reader would call a change. */
export function isChanged({ before, after }: ItemPair): boolean {
  return compared.some((field) => before?.[field] !== after?.[field])
}

/** Whether the full amount grew or fell as the quantity did, so that a unit costs the same. */
export function isInProportion(before: ReceiptPartAnswer, after: ReceiptPartAnswer): boolean {
  const [one, other] = [readFraction(before.gross), readFraction(after.gross)]
  return one.top * other.bottom * BigInt(after.quantity) === other.top * one.bottom * BigInt(before.quantity)
}

/** Whether a reader could ask if a unit has another price, and the answer is certain. */
function hasSameUnitPrice({ before, after }: ItemPair): boolean {
  if (!before?.quantity || !after?.quantity) return false
  return before.quantity !== after.quantity && before.months === after.months && isInProportion(before, after)
}

function perUnit({ gross, quantity }: ReceiptPartAnswer, currency: string): string {
  const { top, bottom } = readFraction(gross)
  return formatExact(`${top}/${bottom * BigInt(quantity)}`, currency)
}

function factsOf(pair: ItemPair, currency: string): ComparedFact[] {
  const { before, after } = pair
  const both = (name: string, textOf: (part: ReceiptPartAnswer) => string) =>
    fact(name, before ? textOf(before) : none, after ? textOf(after) : none)
  const taken = (exact: string, part: ReceiptPartAnswer) =>
    exact === '0' ? none : `${formatExact(negated(exact), currency)} per ${periodOf(part)}`
  const product = both('Product', nameOf)
  const lessened = [
    both('Discount', (part) => taken(part.discount, part)),
    both('Tax included in the price', (part) => taken(part.inclusiveTax, part)),
  ]
  return [
    ...(before && after && product.isChanged ? [product] : []),
    both('Full amount', (part) => `${formatExact(part.gross, currency)} per ${periodOf(part)}`),
    both('Quantity', ({ quantity }) => quantity.toLocaleString('en-US')),
    ...(hasSameUnitPrice(pair) ? [both('Price per unit', (part) => perUnit(part, currency))] : []),
    ...lessened.filter((each) => each.before !== none || each.after !== none),
  ]
}

const none = 'None'

function fact(name: string, before: string, after: string): ComparedFact {
  return { name, before, after, isChanged: before !== after }
}
