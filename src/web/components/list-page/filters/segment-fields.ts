import type { FilterOptions } from '#contract/lists/filter-options.ts'
import { joinValues } from '#domain/value-list.ts'
import { type FilterField, withoutValue } from './filter-field.ts'

const none: FilterOptions = { statuses: [], products: [], currencies: [], intervals: [] }

/** The months of the first payment of the customer. */
export const firstPaidFields: readonly FilterField[] = [
  { name: 'firstPaidFrom', label: 'First paid from', kind: 'month', options: [] },
  { name: 'firstPaidTo', label: 'First paid until', kind: 'month', options: [] },
]

/** The filters by what a subscription is, which lists of subscriptions and events share. */
export function segmentFields(known: FilterOptions | undefined): FilterField[] {
  const { products, currencies, intervals } = known ?? none
  return [
    {
      name: 'product',
      label: 'Product',
      kind: 'several',
      options: products.map((value) => ({ value: joinValues([value]), label: value ?? 'No product' })),
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
    {
      name: 'isMatched',
      label: 'Company in HubSpot',
      kind: 'one',
      options: [
        { value: 'true', label: 'Matched' },
        { value: 'false', label: 'Not matched' },
      ],
    },
    { name: 'plan', label: 'Plan', kind: 'id', options: [] },
    { name: 'size', label: 'Size', kind: 'id', options: [] },
    { name: 'customerId', label: 'Customer', kind: 'id', options: [] },
    ...firstPaidFields,
  ]
}
