import type { Books } from '../model/books.ts'
import type { Price } from '../model/offer.ts'
import type { DraftLine, Item, RatedLine, WorldSubscription } from '../model/subscription.ts'
import { decimalText, fraction } from '../numbers/rational.ts'
import { dateInWords } from '../time/calendar.ts'

/** A line for an item over a period, with the description that invoices use. */
export function draftLine(
  kind: DraftLine['kind'],
  item: Item,
  rated: RatedLine,
  start: number,
  end: number,
): DraftLine {
  const name = item.price.product.name
  const words =
    kind === 'trial'
      ? `Trial period for ${name}`
      : `${rated.quantity} × ${name}${rated.note} (at ${priceInWords(item.price, rated.unit)})`
  return {
    kind,
    item,
    itemId: item.id,
    subscription: item.subscription,
    price: item.price,
    description: words,
    amount: rated.amount,
    quantity: rated.quantity,
    unit: rated.unit,
    listed: { unit: rated.unit, note: rated.note },
    start,
    end,
    discounts: [],
    isCredit: false,
    credited: null,
    invoiceItem: null,
    taxCents: 0,
  }
}

/** Decimals of an amount in the provider's answers. Source: docs.stripe.com/api/prices/object. */
const decimals = 12

export type Span = {
  start: number
  end: number
}

/** A prorated line for an item; `rated.unit` is the unit amount of its price. */
export function partLine(books: Books, item: Item, rated: RatedLine, { start, end }: Span): DraftLine {
  const line = draftLine('proration', item, rated, start, end)
  if (books.unitOfParts !== 'listed') line.unit = null
  if (books.unitOfParts === 'charged' && line.quantity !== 0)
    line.unit = decimalText(fraction(line.amount, line.quantity), decimals)
  return line
}

/** A one-off charge on an invoice of the subscription. */
export function oneOffLine(
  subscription: Pick<WorldSubscription, 'id'>,
  price: Price,
  cents: number,
  id: string,
  at: number,
): DraftLine {
  return {
    kind: 'one_off',
    item: null,
    itemId: null,
    subscription: subscription.id,
    price,
    description: price.product.name,
    amount: cents,
    quantity: 1,
    unit: String(cents),
    listed: { unit: String(cents), note: '' },
    start: at,
    end: at,
    discounts: [],
    isCredit: false,
    credited: null,
    invoiceItem: id,
    taxCents: 0,
  }
}

/** 'Unused time on …' for a credit, 'Remaining time on …' for the charge that replaces it. */
export function prorationWords({ quantity, price, listed }: DraftLine, credit: boolean, at: number): string {
  const many = quantity > 1 ? `${quantity} × ` : ''
  return `${credit ? 'Unused' : 'Remaining'} time on ${many}${price.product.name}${listed.note} after ${dateInWords(at)}`
}

function priceInWords(price: Price, unit: string | null): string {
  const symbol = { usd: '$', eur: '€', jpy: '¥' }[price.currency] ?? `${price.currency} `
  const amount = price.currency === 'jpy' ? (unit ?? '') : (Number(unit ?? 0) / 100).toFixed(2)
  const every = price.count === 1 ? price.interval : `every ${price.count} ${price.interval}s`
  return `${symbol}${amount} / ${every}`
}
