import { type FilterOptions, listedProductsMax } from '#contract/lists/filter-options.ts'
import { joinValues } from '#domain/value-list.ts'
import { type FilterField, withoutValue } from './filter-field.ts'

const none = { products: [], currencies: [], intervals: [] }

/** A filter by what is so or is not, in words for each. */
export function yesOrNo(name: string, label: string, [yes, no]: [string, string]): FilterField {
  const options = [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ]
  return { name, label, kind: 'one', options }
}

export const companyField = yesOrNo('isMatched', 'Company in HubSpot', ['Matched', 'Not matched'])

/** The months of the first payment of the customer. */
export const firstPaidFields: readonly FilterField[] = [
  { name: 'firstPaidFrom', label: 'First paid from', kind: 'month', options: [] },
  { name: 'firstPaidTo', label: 'First paid until', kind: 'month', options: [] },
]

/** The currency in which amounts are compared, where some are in another one. */
export function comparedIn(known: FilterOptions | undefined): string | undefined {
  const currency = known?.reportingCurrency
  return known?.currencies.some((one) => one !== currency) ? currency : undefined
}

/** A filter by an amount, from one value to another. Before its currency is known, only chips take it away. */
export function amountFields(
  name: 'mrr' | 'change',
  label: string,
  known: FilterOptions | undefined,
): FilterField[] {
  const currency = known?.reportingCurrency
  const hasOthers = comparedIn(known) !== undefined
  const amount: Omit<FilterField, 'name' | 'label'> = {
    kind: 'amount',
    options: [],
    isSigned: name === 'change',
    ...(currency !== undefined && { currency }),
    ...(hasOthers && { note: 'What has no exchange rate is left out.' }),
  }
  return [
    { name: `${name}From`, label: `${label} at least`, span: { of: label, end: 'At least' }, ...amount },
    { name: `${name}To`, label: `${label} at most`, span: { of: label, end: 'At most' }, ...amount },
  ]
}

/** Puts filters below one heading of the form. */
export const grouped = (group: string, fields: readonly FilterField[]): FilterField[] =>
  fields.map((field) => ({ ...field, group }))

/** The filters by what a subscription is now. */
export function boughtFields(known: FilterOptions | undefined): FilterField[] {
  const { products, currencies, intervals } = known ?? none
  return [
    {
      name: 'product',
      label: 'Product',
      kind: 'several',
      options: products.map((value) => ({ value: joinValues([value]), label: value ?? 'No product' })),
      ...(products.filter((name) => name !== null).length >= listedProductsMax && {
        note: `The first ${listedProductsMax} are listed. The search of the list finds the others.`,
      }),
    },
    {
      name: 'currency',
      label: 'Currency',
      kind: 'several',
      options: currencies.map((value) => ({ value, label: value.toUpperCase() })),
    },
    {
      name: 'interval',
      label: 'Billing interval',
      kind: 'several',
      options: intervals.map(({ days, label }) => ({
        value: days === null ? withoutValue : String(days),
        label,
      })),
    },
  ]
}

/** The filters that lists of subscriptions and events share. */
export function segmentFields(known: FilterOptions | undefined): FilterField[] {
  return [
    ...grouped('Subscription', boughtFields(known)),
    ...grouped('In HubSpot', [
      companyField,
      yesOrNo('isInHubspot', 'Record', ['In HubSpot', 'Not in HubSpot']),
      yesOrNo('isFailing', 'Sync to HubSpot', ['Failing', 'Not failing']),
    ]),
    { name: 'plan', label: 'Plan', kind: 'id', options: [] },
    { name: 'size', label: 'Size', kind: 'id', options: [] },
    { name: 'customerId', label: 'Customer', kind: 'id', options: [] },
    ...firstPaidFields,
  ]
}
