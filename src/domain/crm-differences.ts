import type { CrmSubscriptionField, CrmValues } from './crm-record.ts'
import type { CrmConvertedField } from './reporting/crm-converted.ts'

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
] as const satisfies readonly (CrmSubscriptionField | CrmConvertedField<'subscription'>)[]
export type ToldField = (typeof toldFields)[number]

/** Texts as in the record, '' for an absent value. A record of an earlier version may lack a field. */
export type ToldValues = Readonly<Partial<Record<ToldField, string>>>

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
