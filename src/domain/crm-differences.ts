import type { CrmSubscriptionField, CrmValues } from './crm-record.ts'

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
] as const satisfies readonly CrmSubscriptionField[]
export type ToldField = (typeof toldFields)[number]

/** Texts as in the record; '' for an absent value. */
export type ToldValues = Readonly<Record<ToldField, string>>

/** A value that a push wrote over, and what it wrote. */
export type Difference = { field: ToldField; before: string; after: string }

/** What is kept of the values of a subscription's record. */
export function toldOf(values: CrmValues): ToldValues {
  return Object.fromEntries(toldFields.map((field) => [field, values[field] ?? ''])) as ToldValues
}

/** What differs between the kept values and new ones. A field that was not kept yet is not compared. */
export function differencesOf(told: Partial<ToldValues>, values: CrmValues): Difference[] {
  const now = toldOf(values)
  return toldFields.flatMap((field) => {
    const before = told[field]
    const after = now[field]
    return before === undefined || before === after ? [] : [{ field, before, after }]
  })
}
