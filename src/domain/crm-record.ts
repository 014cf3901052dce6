import { decimalOfCents, minorDigits, moneyText } from './currency.ts'
import { changeTypes, mrrStatuses } from './event.ts'
import { dayOfInstant, type Instant, isoOfInstant } from './instant.ts'
import type { Receipt } from './mrr/receipts/receipt.ts'
import { billingIntervalLabel, labelOf, subscriptionStatuses } from './subscription.ts'

/** The two kinds of record that we keep in the CRM. */
export const crmKinds = ['subscription', 'event'] as const
export type CrmKind = (typeof crmKinds)[number]

/**
 * What a run did with a record: here for an import or a recount, in the CRM for a push. The last two are of a record of
 * which a push wrote or removed associations and nothing else.
 */
export const changeKinds = ['added', 'changed', 'removed', 'linked', 'unlinked'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** What a push did with an association. */
export const linkChanges = ['linked', 'unlinked'] as const
export type LinkChange = (typeof linkChanges)[number]

/** The fields of a subscription's record whose values are kept to be compared: none of a person, the weightiest first. */
export const toldFields = [
  'status',
  'mrr',
  'currency',
  'quantity',
  'productName',
  'billingInterval',
  'nextRenewalOn',
  'cancelAt',
  'endedAt',
  'trialEnd',
  'periodEnd',
  'convertedMrr',
  'convertedCurrency',
] as const
export type ToldField = (typeof toldFields)[number]

/** Texts as in the record, '' for an absent value. A record of an earlier version may lack a field. */
export type ToldValues = Readonly<Partial<Record<ToldField, string>>>

/**
 * A record that a run changed. The record of a subscription has its id. `told`: what a push wrote over and what it wrote;
 * absent where that is not known.
 */
export type ChangedRecord = {
  id: string
  subscriptionId: string
  change: ChangeKind
  told?: { before: ToldValues; after: ToldValues } | null
}

/** At most this many records of each kind are kept of a run: enough to see what it was about, and bounded in a first import. */
export const runRecordsMax = 200

/** The records that ours are associated with. */
export const crmTargets = ['company', 'contact', 'subscription'] as const
export type CrmTarget = (typeof crmTargets)[number]

/** Values as plain text: decimals with a point, instants in ISO 8601, days as YYYY-MM-DD; '' for an absent value. */
export type CrmValues<Field extends string = string> = Readonly<Record<Field, string>>

type Customer = { id: string | null; name: string | null; email: string | null }

export type CrmSubscriptionSource = {
  id: string
  status: string
  mrrCents: number
  currency: string
  quantity: number | null
  productName: string | null
  billingIntervalDays: number | null
  createdAt: Instant
  periodStart: Instant | null
  periodEnd: Instant | null
  nextRenewalOn: string | null
  trialEnd: Instant | null
  cancelAt: Instant | null
  endedAt: Instant | null
  unsupportedReason: string | null
  receipt: Receipt | null
  customer: Customer
  url: string
}

/** Statuses that a record may show: the known ones, and 'other' for any that the payment provider adds later. */
export const crmStatuses = [...subscriptionStatuses, 'other'] as const

/** The fields of a subscription's record, each with the source of its value. */
export function valuesOfSubscription(source: CrmSubscriptionSource) {
  const known: readonly string[] = subscriptionStatuses
  return {
    subscriptionId: source.id,
    name: [source.productName ?? 'Subscription', source.customer.name ?? source.customer.email]
      .filter((part) => part !== null)
      .join(' · '),
    status: known.includes(source.status) ? source.status : 'other',
    statusText: labelOf(source.status),
    mrr: decimalOfCents(source.mrrCents, source.currency),
    currency: source.currency.toUpperCase(),
    quantity: textOrEmpty(source.quantity),
    productName: source.productName ?? '',
    billingInterval:
      source.billingIntervalDays === null ? '' : billingIntervalLabel(source.billingIntervalDays),
    startedAt: instantText(source.createdAt),
    periodStart: instantText(source.periodStart),
    periodEnd: instantText(source.periodEnd),
    nextRenewalOn: source.nextRenewalOn ?? '',
    trialEnd: instantText(source.trialEnd),
    cancelAt: instantText(source.cancelAt),
    endedAt: instantText(source.endedAt),
    ...customerValues(source.customer),
    // What is not counted has nothing to add up.
    receipt: source.unsupportedReason === null ? receiptLine(source.receipt) : '',
    note: source.unsupportedReason ?? '',
    url: source.url,
  } satisfies CrmValues
}
export type CrmSubscriptionField = keyof ReturnType<typeof valuesOfSubscription>

export type CrmEventSource = {
  id: string
  subscriptionId: string
  invoiceId: string | null
  occurredAt: Instant
  mrrStatus: string
  changeType: string
  previousMrrCents: number
  currentMrrCents: number
  mrrChangeCents: number
  currency: string
  previousQuantity: number
  currentQuantity: number
  productName: string | null
  paymentMethod: string | null
  receipt: Receipt | null
  customer: Customer
  subscriptionUrl: string
  invoiceUrl: string | null
}

export const crmMrrStatuses = mrrStatuses
export const crmChangeTypes = changeTypes

/** Fields whose values are codes. */
const coded: readonly string[] = ['status', 'mrrStatus', 'changeType'] satisfies (
  | CrmSubscriptionField
  | CrmEventField
)[]

/** The value of a field as people read it: a code in words, and all else as it is. */
export function valueLabel(field: string, value: string): string {
  return coded.includes(field) ? labelOf(value) : value
}

/** The fields of an event's record, each with the source of its value. */
export function valuesOfEvent(source: CrmEventSource) {
  const { currency } = source
  const change = decimalOfCents(source.mrrChangeCents, currency)
  const signed = source.mrrChangeCents > 0 ? `+${change}` : change
  return {
    eventId: source.id,
    name: `${labelOf(source.mrrStatus)} ${signed} ${currency.toUpperCase()} · ${dayOfInstant(source.occurredAt)}`,
    occurredAt: isoOfInstant(source.occurredAt),
    mrrStatus: source.mrrStatus,
    changeType: source.changeType,
    previousMrr: decimalOfCents(source.previousMrrCents, currency),
    currentMrr: decimalOfCents(source.currentMrrCents, currency),
    mrrChange: change,
    currency: currency.toUpperCase(),
    previousQuantity: String(source.previousQuantity),
    currentQuantity: String(source.currentQuantity),
    productName: source.productName ?? '',
    paymentMethod: source.paymentMethod ?? '',
    subscriptionId: source.subscriptionId,
    invoiceId: source.invoiceId ?? '',
    ...customerValues(source.customer),
    receipt: receiptLine(source.receipt),
    subscriptionUrl: source.subscriptionUrl,
    invoiceUrl: source.invoiceUrl ?? '',
  } satisfies CrmValues
}
export type CrmEventField = keyof ReturnType<typeof valuesOfEvent>

function customerValues(customer: Customer) {
  return {
    customerId: customer.id ?? '',
    customerName: customer.name ?? '',
    customerEmail: customer.email ?? '',
  }
}

function textOrEmpty(value: number | null): string {
  return value === null ? '' : String(value)
}

function instantText(value: Instant | null): string {
  return value === null ? '' : isoOfInstant(value)
}

/** One line that explains the MRR: '2 for 2000.00 less 100.00 discount per year = 158.33 USD a month'. */
export function receiptLine(receipt: Receipt | null): string {
  if (receipt === null) return ''
  const { currency } = receipt
  const parts = receipt.parts.map((part) => {
    const discount = part.discount === '0' ? '' : ` less ${amountText(part.discount, currency)} discount`
    const tax = part.inclusiveTax === '0' ? '' : ` less ${amountText(part.inclusiveTax, currency)} tax`
    const every = part.intervalCount === 1 ? part.interval : `${part.intervalCount} ${part.interval}s`
    return `${part.quantity} for ${amountText(part.gross, currency)}${discount}${tax} per ${every}`
  })
  const total = `${moneyText(receipt.mrrCents, currency)} a month`
  return parts.length === 0 ? total : `${parts.join(' + ')} = ${total}`
}

/** An exact fraction of minor units in major units, as screens write it: '200/3' usd is '0.6666…', '25/2' is '0.125'. */
function amountText(fraction: string, currency: string): string {
  const [top = '0', bottom = '1'] = fraction.split('/')
  const hundredths = BigInt(top) * 100n
  const [shown, rest] = [hundredths / BigInt(bottom), hundredths % BigInt(bottom)]
  const whole = decimalOfCents(Number(shown / 100n), currency)
  if (shown % 100n === 0n && rest === 0n) return whole
  const more = String(shown % 100n).padStart(2, '0')
  const point = minorDigits(currency) === 0 ? '.' : ''
  return `${whole}${point}${rest === 0n ? more.replace(/0$/, '') : `${more}…`}`
}

/** A value that a push wrote over, and what it wrote. `currency` is that of an amount, before and after. */
export type Difference = {
  field: ToldField
  before: string
  after: string
  currency: { before: string; after: string } | null
}

/** What is kept of the values of a subscription's record. */
export function toldOf(values: CrmValues): ToldValues {
  return Object.fromEntries(toldFields.map((field) => [field, values[field] ?? '']))
}

/** The amounts, with the field that names their currency. */
const currencyOf: Partial<Record<ToldField, ToldField>> = {
  mrr: 'currency',
  convertedMrr: 'convertedCurrency',
}

/** What differs between two kept records. A field that one of them lacks is not compared. */
export function differencesOf(before: ToldValues, after: ToldValues): Difference[] {
  return toldFields.flatMap((field) => {
    const [was, is] = [before[field], after[field]]
    if (was === undefined || is === undefined || was === is) return []
    const named = currencyOf[field]
    const currency = named === undefined ? null : { before: before[named] ?? '', after: after[named] ?? '' }
    return [{ field, before: was, after: is, currency }]
  })
}

/** What the fields of records are called, in the order in which people read those that changed. */
export const fieldLabels = {
  status: 'Status',
  mrr: 'MRR',
  currency: 'Currency',
  quantity: 'Quantity',
  productName: 'Product',
  billingInterval: 'Billing interval',
  periodStart: 'Period start',
  periodEnd: 'Period end',
  nextRenewalOn: 'Next renewal',
  cancelAt: 'Cancellation',
  endedAt: 'End',
  trialEnd: 'Trial end',
  convertedMrr: 'Converted MRR',
  convertedCurrency: 'Converted currency',
  note: 'Note',
  occurredAt: 'Event date',
  mrrStatus: 'Event type',
  changeType: 'Change type',
  previousMrr: 'Previous MRR',
  currentMrr: 'Current MRR',
  mrrChange: 'MRR change',
  previousQuantity: 'Previous quantity',
  currentQuantity: 'Current quantity',
  paymentMethod: 'Payment method',
  invoiceId: 'Invoice',
} as const
