import type { ReceiptAnswer, ReceiptPartAnswer } from '#contract/receipt.ts'
import { type ItemPair, isChanged, isInProportion, pairsOf } from './compare-receipts.ts'
import { formatExact } from './exact-amount.ts'
import { nameOf, periodOf } from './steps.ts'

/** More items than these are for the table to tell. */
const toldMax = 3

/**
 * Says what changed between two receipts of a subscription, a sentence for each item; null where they leave room for doubt,
 * and where the whole subscription began or ended.
 */
export function differenceInWords(before: ReceiptAnswer, after: ReceiptAnswer): string | null {
  if (before.parts.length === 0 || after.parts.length === 0) return null
  const pairs = pairsOf(before, after)
  const changed = pairs.filter(isChanged)
  const isClear = new Set(changed.map(({ name }) => name)).size === changed.length
  if (changed.length === 0 || changed.length > toldMax || !isClear) return null
  const sentences = changed.map((pair) => sentenceOf(pair, pairs.length === 1, after.currency))
  return sentences.every((sentence) => sentence !== null) ? sentences.join(' ') : null
}

function sentenceOf({ name, before, after }: ItemPair, isOnly: boolean, currency: string): string | null {
  if (before === undefined) return `${name} was added.`
  if (after === undefined) return `${name} was removed.`
  const phrases = phrasesOf(before, after, currency)
  if (phrases === null || phrases.length === 0) return null
  const text = phrases.join(', ')
  if (!isOnly) return `${name}: ${text}.`
  // A sentence that begins with a name keeps its letters.
  return before.productId === after.productId
    ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
    : `${text}.`
}

/** Null where an unknown product or price may have changed as well. */
function phrasesOf(before: ReceiptPartAnswer, after: ReceiptPartAnswer, currency: string): string[] | null {
  const phrases: string[] = []
  const isOtherProduct = before.productId !== after.productId
  const isOtherPeriod = before.months !== after.months
  const isOtherQuantity = before.quantity !== after.quantity
  if (isOtherProduct) {
    const isKnown = before.productId !== null && after.productId !== null
    if (!isKnown || nameOf(before) === nameOf(after)) return null
    phrases.push(`${nameOf(after)} in place of ${nameOf(before)}`)
  }
  if (isOtherPeriod) phrases.push(`billed ${rhythmOf(after)} in place of ${rhythmOf(before)}`)
  if (isOtherQuantity) phrases.push(`quantity ${count(after)} in place of ${count(before)}`)
  if (!isOtherProduct && !isOtherPeriod && before.gross !== after.gross) {
    const money = ({ gross }: ReceiptPartAnswer) => formatExact(gross, currency)
    const isOtherPrice = before.priceId !== after.priceId
    if (isOtherQuantity && isOtherPrice && !isInProportion(before, after)) {
      if (before.priceId === null || after.priceId === null) return null
      phrases.push('at another price')
    } else if (!isOtherQuantity || !isInProportion(before, after))
      phrases.push(`full amount ${money(after)} in place of ${money(before)} per ${periodOf(after)}`)
  }
  return [...phrases, ...discountPhrases(before, after, currency), ...taxPhrases(before, after, currency)]
}

function discountPhrases(before: ReceiptPartAnswer, after: ReceiptPartAnswer, currency: string): string[] {
  const money = (part: ReceiptPartAnswer) => formatExact(part.discount, currency)
  if (before.discount === '0' && after.discount === '0') return []
  if (after.discount === '0') return ['without the discount']
  if (before.discount === '0') return [`with a discount of ${money(after)} per ${periodOf(after)}`]
  // A percentage follows the price.
  if (before.gross !== after.gross || before.months !== after.months || before.discount === after.discount)
    return before.discountIds.length > 0 &&
      after.discountIds.length > 0 &&
      before.discountIds.join() !== after.discountIds.join()
      ? ['with another discount']
      : []
  return [`discount of ${money(after)} in place of ${money(before)} per ${periodOf(after)}`]
}

function taxPhrases(before: ReceiptPartAnswer, after: ReceiptPartAnswer, currency: string): string[] {
  const money = (part: ReceiptPartAnswer) => formatExact(part.inclusiveTax, currency)
  if (before.inclusiveTax === after.inclusiveTax) return []
  if (after.inclusiveTax === '0') return ['without tax in the price']
  if (before.inclusiveTax === '0') return [`with tax of ${money(after)} in the price`]
  const isSameBase = (['gross', 'discount', 'months'] as const).every(
    (field) => before[field] === after[field],
  )
  return isSameBase ? [`tax of ${money(after)} in place of ${money(before)} in the price`] : []
}

const adverbs: Record<string, string> = { day: 'daily', week: 'weekly', month: 'monthly', year: 'annually' }

function rhythmOf({ interval, intervalCount }: ReceiptPartAnswer): string {
  if (interval === 'month' && intervalCount === 3) return 'quarterly'
  return intervalCount === 1
    ? (adverbs[interval] ?? `every ${interval}`)
    : `every ${intervalCount} ${interval}s`
}

const count = ({ quantity }: ReceiptPartAnswer) => quantity.toLocaleString('en-US')
