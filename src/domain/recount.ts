import {
  type CrmEventSource,
  type CrmKind,
  type CrmSubscriptionSource,
  fieldLabels,
  valuesOfEvent,
  valuesOfSubscription,
} from './crm-record.ts'

/** The fields of an event that a recount compares. */
export type CountedEvent = Omit<CrmEventSource, 'customer' | 'subscriptionUrl' | 'invoiceUrl' | 'receipt'> & {
  customerId: string | null
}

/** The fields of a subscription that a recount compares. */
export type CountedSubscription = Pick<
  CrmSubscriptionSource,
  | 'id'
  | 'mrrCents'
  | 'currency'
  | 'quantity'
  | 'productName'
  | 'billingIntervalDays'
  | 'periodStart'
  | 'periodEnd'
  | 'nextRenewalOn'
  | 'unsupportedReason'
> & { customerId: string }

/** All subscriptions and events of some customers. */
export type CountedLedger = {
  subscriptions: readonly CountedSubscription[]
  events: readonly CountedEvent[]
}

type Values = Readonly<Record<string, string>>

/** A subscription or event with changed figures, by the fields of its CRM record. */
export type RecordChange = {
  kind: CrmKind
  sourceId: string
  customerId: string
  /** For an event, the subscription that it belongs to. */
  subscriptionId: string
  currency: string
  /** Names no person, because it is kept for good. */
  label: string
  /** The changed fields, or all of them; null if the record did not exist before, or no longer exists. */
  before: Values | null
  after: Values | null
}

/** A customer's total in one currency, if it or any of its events changed. */
export type CustomerChange = {
  customerId: string
  currency: string
  mrrBeforeCents: number
  mrrAfterCents: number
}

export type LedgerChanges = { records: RecordChange[]; customers: CustomerChange[] }

/** The differences between two counts of the same customers: figures, not the words of receipts. */
export function changesBetween(before: CountedLedger, after: CountedLedger): LedgerChanges {
  const records = [
    ...recordChanges(
      'subscription',
      before.subscriptions.map(ofSubscription),
      after.subscriptions.map(ofSubscription),
    ),
    ...recordChanges('event', before.events.map(ofEvent), after.events.map(ofEvent)),
  ]
  return { records, customers: customerChanges(before, after, records) }
}

type Counted = Omit<RecordChange, 'kind' | 'before' | 'after'> & { values: Values }

function recordChanges(kind: CrmKind, before: readonly Counted[], after: readonly Counted[]): RecordChange[] {
  const known = new Map(before.map((one) => [one.sourceId, one]))
  const found = new Map(after.map((one) => [one.sourceId, one]))
  return [...new Set([...known.keys(), ...found.keys()])].flatMap((id): RecordChange[] => {
    const [was, is] = [known.get(id), found.get(id)]
    const named = is ?? was
    if (!named) return []
    const { values: _, ...record } = named
    if (!was || !is) return [{ ...record, kind, before: was?.values ?? null, after: is?.values ?? null }]
    const fields = Object.keys(is.values).filter((field) => was.values[field] !== is.values[field])
    if (fields.length === 0) return []
    return [{ ...record, kind, before: picked(was.values, fields), after: picked(is.values, fields) }]
  })
}

function picked(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(fields.map((field) => [field, values[field] ?? '']))
}

const nobody = { id: null, name: null, email: null }

function ofEvent({ customerId, ...event }: CountedEvent): Counted {
  const source = { ...event, customer: nobody, subscriptionUrl: '', invoiceUrl: null, receipt: null }
  const values = valuesOfEvent(source)
  const { occurredAt, mrrStatus, changeType, previousMrr, currentMrr, mrrChange } = values
  const { previousQuantity, currentQuantity, productName, paymentMethod, invoiceId } = values
  return {
    sourceId: event.id,
    subscriptionId: event.subscriptionId,
    customerId: customerId ?? '',
    currency: event.currency,
    label: values.name,
    values: {
      ...{ occurredAt, mrrStatus, changeType, previousMrr, currentMrr, mrrChange },
      ...{ previousQuantity, currentQuantity, productName, paymentMethod, invoiceId },
    },
  }
}

/** Fields that no recount changes. */
const sameAnyway = { status: '', createdAt: 0, trialEnd: null, cancelAt: null, endedAt: null, url: '' }

function ofSubscription({ customerId, ...figures }: CountedSubscription): Counted {
  const values = valuesOfSubscription({ ...sameAnyway, ...figures, customer: nobody, receipt: null })
  const { mrr, quantity, productName, billingInterval, periodStart, periodEnd, nextRenewalOn, note } = values
  return {
    sourceId: figures.id,
    subscriptionId: figures.id,
    customerId,
    currency: figures.currency,
    label: values.name,
    values: { mrr, quantity, productName, billingInterval, periodStart, periodEnd, nextRenewalOn, note },
  }
}

function customerChanges(
  before: CountedLedger,
  after: CountedLedger,
  records: readonly RecordChange[],
): CustomerChange[] {
  const [was, is] = [mrrOf(before), mrrOf(after)]
  const withEvents = new Set(records.flatMap((record) => (record.kind === 'event' ? keyOf(record) : [])))
  const keys = new Set([...was.keys(), ...is.keys(), ...withEvents])
  const changed = [...keys].filter((key) => was.get(key) !== is.get(key) || withEvents.has(key))
  return changed.map((key) => {
    const [customerId = '', currency = ''] = key.split('\n')
    return { customerId, currency, mrrBeforeCents: was.get(key) ?? 0, mrrAfterCents: is.get(key) ?? 0 }
  })
}

const keyOf = ({ customerId, currency }: { customerId: string; currency: string }) =>
  `${customerId}\n${currency}`

/** Current MRR by customer and currency. */
function mrrOf({ subscriptions }: CountedLedger): Map<string, number> {
  const sums = new Map<string, number>()
  for (const one of subscriptions) sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0) + one.mrrCents)
  return sums
}

const fieldOrder = Object.keys(fieldLabels)

/** Sorts changed fields in the order in which people read them. */
export function byFieldOrder(one: string, other: string): number {
  return fieldOrder.indexOf(one) - fieldOrder.indexOf(other)
}

/** The name of a changed field, as people read it. */
export function recountFieldLabel(field: string): string {
  const labels: Readonly<Record<string, string>> = fieldLabels
  return labels[field] ?? field
}
