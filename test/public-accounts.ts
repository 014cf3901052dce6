/**
 * Accounts from public reports and documents, with invented names, and their ledgers by the rule book. Each file in
 * `test/public-accounts/` names its source.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Details = {
  invoice_item?: string
  proration?: boolean
  proration_details?: unknown
  subscription?: string
}

type Line = {
  id: string
  amount: number
  quantity: number | null
  parent: { type: string; subscription_item_details?: Details | null; invoice_item_details?: Details | null }
  pricing: { unit_amount_decimal: string | null; price_details: { price: string } } | null
}

type Document = {
  as_of: string
  prices?: { id: string; unit_amount_decimal: string | null }[]
  subscriptions: { items: { data: { price: { id: string; unit_amount_decimal: string | null } }[] } }[]
  invoices: { lines: { data: Line[] } }[]
}

type Row = Record<string, unknown>

export type PublicAccount = {
  name: string
  world: Document
  expected: {
    rules: string[]
    source: string
    events: (Row & { subscriptionId: string; occurredAt: string })[]
    subscriptions: (Row & { subscriptionId: string; currentMrr: number; quantity: number })[]
    currentMrr: Record<string, number>
  }
}

const folder = join(import.meta.dirname, 'public-accounts')

export const publicAccounts: readonly PublicAccount[] = readdirSync(folder)
  .sort()
  .map((file) => ({
    name: file.replace(/\.json$/, ''),
    ...JSON.parse(readFileSync(join(folder, file), 'utf8')),
  }))

/** One account at several moments, in reading order; the last gives the expected end state. */
export const publicSequences: readonly (readonly string[])[] = [
  ['backdated-and-not-charged-read-before', 'backdated-and-not-charged'],
  ['cancellation-date-inside-the-year-read-before', 'cancellation-date-inside-the-year'],
  ['intro-price-of-one-item-running', 'intro-price-of-one-item'],
  ['price-rise-still-scheduled', 'price-rise-put-on-before-the-renewal'],
  ['pending-change-not-paid', 'pending-change-expired'],
  ['pending-change-not-paid', 'pending-change-paid'],
]

export function publicAccount(name: string): PublicAccount {
  const account = publicAccounts.find((one) => one.name === name)
  if (!account) throw new Error(`no account ${name}`)
  return account
}

/** The known forms in which Stripe writes the same lines. The ledger must be the same in each. */
export const forms: Record<string, (world: Document) => Document> = {
  'as reported': (world) => world,
  'no unit on parts of a period': (world) => onParts(world, () => null),
  'the unit of the part': (world) =>
    onParts(world, ({ amount, quantity }) => (quantity ? String(amount / quantity) : null)),
  'the unit of the price': (world) => {
    const units = new Map<string, string | null>()
    for (const price of world.prices ?? []) units.set(price.id, price.unit_amount_decimal)
    for (const { items } of world.subscriptions)
      for (const { price } of items.data) units.set(price.id, price.unit_amount_decimal)
    return onParts(world, (line) => units.get(line.pricing?.price_details.price ?? '') ?? null)
  },
  'prorations as invoice items': (world) => eachLine(world, underInvoiceItem),
  'prorations as subscription items': (world) => eachLine(world, underSubscriptionItem),
  'invoices and lines the other way round': (world) => {
    const copy = structuredClone(world)
    for (const { lines } of copy.invoices) lines.data.reverse()
    copy.invoices.reverse()
    return copy
  },
}

function detailsOf({ parent }: Line): Details {
  return parent.subscription_item_details ?? parent.invoice_item_details ?? {}
}

function onParts(world: Document, unitOf: (line: Line) => string | null): Document {
  return eachLine(world, (line) =>
    detailsOf(line).proration && line.pricing
      ? { ...line, pricing: { ...line.pricing, unit_amount_decimal: unitOf(line) } }
      : line,
  )
}

function eachLine(world: Document, change: (line: Line) => Line): Document {
  const invoices = world.invoices.map((invoice) => ({
    ...invoice,
    lines: { ...invoice.lines, data: invoice.lines.data.map(change) },
  }))
  return { ...world, invoices }
}

function underInvoiceItem(line: Line): Line {
  const { proration, ...details } = detailsOf(line)
  if (!proration) return line
  const own = { invoice_item: `ii_${line.id}`, proration_details: null, ...details, proration }
  const parent = { type: 'invoice_item_details', invoice_item_details: own, subscription_item_details: null }
  return { ...line, parent }
}

function underSubscriptionItem(line: Line): Line {
  const { proration, ...details } = detailsOf(line)
  if (!proration) return line
  const own = { ...details, proration }
  const parent = {
    type: 'subscription_item_details',
    subscription_item_details: own,
    invoice_item_details: null,
  }
  return { ...line, parent }
}
