import type { ReceiptAnswer, ReceiptPartAnswer } from '#contract/receipt.ts'
import { formatMoney } from '../../../components/figures/format-money.ts'
import { discountsText } from './discount-text.ts'
import { formatExact, monthlyFactor } from './exact-amount.ts'

/** One row of a sum. */
export type ReceiptStep = { key: string; text: string; amount: string; rules: string[]; isResult: boolean }

const ofDiscount = new Set(['R4', 'R5', 'R6', 'R7'])
const ofTax = new Set(['R9'])
const ofInterval = new Set(['R1', 'R2'])
/** Said of the lines of an item, and not of its price. */
const ofLines = new Set(['R20'])

/** Lists the steps of a receipt, from the price of each item to the MRR, one row for each. */
export function stepsOf(receipt: ReceiptAnswer): ReceiptStep[] {
  const { parts, currency, sum, rounding, mrr } = receipt
  const steps = parts.flatMap((part) => stepsOfPart(part, currency))
  const result = (key: string, text: string, amount: string, rules: string[] = []): ReceiptStep => ({
    key,
    text,
    amount,
    rules: rules.filter((rule) => receipt.rules.includes(rule)),
    isResult: true,
  })
  if (parts.length > 1) steps.push(result('sum', 'All items', formatExact(sum, currency), ['R14']))
  if (rounding !== '0') {
    steps.push({
      ...result('rounding', 'Rounding', formatExact(rounding, currency), ['R28']),
      isResult: false,
    })
  }
  const atEnd = parts.length === 0 ? reasonsForNothing(receipt.rules) : []
  return [...steps, result('mrr', 'MRR', formatMoney(mrr, currency), atEnd)]
}

/** The rules that say why nothing is left to count: what happened first, otherwise what was left out. */
function reasonsForNothing(rules: readonly string[]): string[] {
  const happened = ['R10', 'R11', 'R16', 'R17', 'R18'].filter((rule) => rules.includes(rule))
  return happened.length > 0 ? happened : ['R12', 'R14', 'R23', 'R26', 'R33', 'R34']
}

function stepsOfPart(part: ReceiptPartAnswer, currency: string): ReceiptStep[] {
  const every = periodOf(part)
  const within = (rules: ReadonlySet<string>) => part.rules.filter((rule) => rules.has(rule))
  const step = (
    name: string,
    text: string,
    amount: string,
    rules: string[],
    isResult = false,
  ): ReceiptStep => ({
    key: `${part.itemId} ${name}`,
    text,
    amount: formatExact(amount, currency),
    rules,
    isResult,
  })
  const taken = [
    ...(part.discount === '0'
      ? []
      : [step('discount', discountsText(part, currency), negated(part.discount), within(ofDiscount))]),
    ...(part.inclusiveTax === '0'
      ? []
      : [step('tax', 'Tax included in the price', negated(part.inclusiveTax), within(ofTax))]),
  ]
  const named = new Set([...ofInterval, ...ofLines, ...(taken.length > 0 ? [...ofDiscount, ...ofTax] : [])])
  const name = nameOf(part)
  const rest = part.rules.filter((rule) => !named.has(rule))
  // The rule beside it is called 'Proration ignored', and the amount of this row is what counts.
  const whole = rest.includes('R12') ? 'whole ' : ''
  return [
    step(
      'gross',
      `${part.quantity.toLocaleString('en-US')} × ${name}, per ${whole}${every}`,
      part.gross,
      rest,
    ),
    ...taken,
    ...(taken.length === 0 ? [] : [step('net', `Left per ${every}`, part.net, [])]),
    step(
      'monthly',
      part.months === '1' ? 'Per month' : `Per month: ${monthlyFactor(part.months)}`,
      part.monthly,
      within(ofInterval),
      true,
    ),
  ]
}

/** What an item is called. */
export function nameOf({ productName, productId, itemId }: ReceiptPartAnswer): string {
  return productName ?? productId ?? itemId
}

/** The billing period of an item: 'month', '2 weeks'. */
export function periodOf({ interval, intervalCount }: ReceiptPartAnswer): string {
  return intervalCount === 1 ? interval : `${intervalCount} ${interval}s`
}

/** The exact amount with the other sign. */
export function negated(exact: string): string {
  return exact.startsWith('-') ? exact.slice(1) : `-${exact}`
}
