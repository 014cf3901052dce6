import { at, type Finding, listAt, tally, verdict } from './ask.ts'
import type { StripeAccount } from './stripe-account.ts'

const daySeconds = 86_400
const daysOf: Readonly<Record<string, number>> = { day: 1, week: 7, month: 28, year: 365 }

type Line = {
  amount: number
  quantity: number
  isProration: boolean
  unit: unknown
  item: string
  price: unknown
  seconds: number
}

/** What lines of invoices say about a part of a period, and in which order the lines of a tiered price stand. */
export function askLines(account: StripeAccount): Finding[] {
  const invoices = account.invoices.map((invoice) =>
    listAt(invoice, 'lines', 'data').map((line) => readLine(account, line)),
  )
  const lines = invoices.flat()
  const prorations = lines.filter(({ isProration }) => isProration)
  const short = lines.filter((line) => !line.isProration && isShort(line))
  return [
    unitFinding('What is the unit amount of a proration?', prorations),
    unitFinding('What is the unit amount of a short period that is no proration?', short),
    orderFinding(invoices),
  ]
}

function readLine({ prices }: StripeAccount, line: unknown): Line {
  const parents = [
    at(line, 'parent', 'subscription_item_details'),
    at(line, 'parent', 'invoice_item_details'),
  ]
  const price = at(line, 'pricing', 'price_details', 'price')
  return {
    amount: Number(at(line, 'amount')),
    quantity: Number(at(line, 'quantity') ?? 0),
    isProration: parents.some((parent) => at(parent, 'proration') === true),
    unit: at(line, 'pricing', 'unit_amount_decimal'),
    item: String(at(parents[0], 'subscription_item') ?? ''),
    price: prices.get(String(typeof price === 'string' ? price : at(price, 'id'))),
    seconds: Number(at(line, 'period', 'end')) - Number(at(line, 'period', 'start')),
  }
}

/** Shorter than nine tenths of the price's interval; months are taken as their shortest. */
function isShort({ item, price, seconds, amount }: Line): boolean {
  const days = daysOf[String(at(price, 'recurring', 'interval'))]
  const count = Number(at(price, 'recurring', 'interval_count'))
  return item !== '' && amount !== 0 && days !== undefined && seconds < days * count * daySeconds * 0.9
}

function unitFinding(question: string, lines: readonly Line[]): Finding {
  const words = lines.flatMap((line) => unitWord(line) ?? [])
  return {
    question,
    answer: verdict(words),
    evidence: `${lines.length} lines: ${tally(words) || 'none clear'}`,
  }
}

/** Which of the three readings holds; undefined if two of them give the same figure. */
function unitWord({ amount, quantity, unit, price }: Line): string | undefined {
  if (unit === null || unit === undefined) return 'null'
  const given = Math.abs(Number(unit))
  const isCharged = quantity !== 0 && Math.abs(given * quantity - Math.abs(amount)) < 1
  const isListed =
    given === Number(at(price, 'unit_amount_decimal') ?? at(price, 'unit_amount') ?? Number.NaN)
  if (isCharged && isListed) return undefined
  return isCharged
    ? 'amount divided by quantity'
    : isListed
      ? 'the unit amount of the price'
      : 'another amount'
}

function orderFinding(invoices: readonly Line[][]): Finding {
  const words = invoices.flatMap((lines) => {
    const tiered = lines.filter(
      ({ isProration, price, amount }) =>
        isProration && amount !== 0 && at(price, 'billing_scheme') === 'tiered',
    )
    const byItem = Map.groupBy(tiered, ({ item, price }) => item || String(at(price, 'id')))
    return [...byItem.values()].flatMap((ofItem) => orderWord(ofItem) ?? [])
  })
  return {
    question: 'In which order do the credits and charges of a tiered item stand?',
    answer: verdict(words),
    evidence: `${words.length} changes: ${tally(words) || 'none with several lines'}`,
  }
}

function orderWord(lines: readonly Line[]): string | undefined {
  const signs = lines.map(({ amount }) => (amount < 0 ? '-' : '+')).join('')
  if (signs.length < 4 || !/-/.test(signs) || !/\+/.test(signs)) return undefined
  if (/^-+\++$/.test(signs)) return 'credits first'
  if (/^\++-+$/.test(signs)) return 'charges first'
  return /^(?:-\+)+$|^(?:\+-)+$/.test(signs) ? 'alternating' : 'in another order'
}
