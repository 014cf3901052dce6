import { customerSorts } from '#contract/customers/customers.ts'
import type { FilterOptions } from '#contract/lists/filter-options.ts'
import { customerFilters } from '#contract/lists/list-filters.ts'
import { labelOf } from '#domain/subscription.ts'
import type { FilterField } from '../../components/list-page/filters/filter-field.ts'
import {
  amountFields,
  boughtFields,
  firstPaidFields,
  grouped,
} from '../../components/list-page/filters/segment-fields.ts'
import type { ListSpec } from '../../components/list-page/list-state.ts'

export const customerSpec: ListSpec = { filters: customerFilters, sorts: customerSorts }

export const matchChoices = [
  { value: '', label: 'All Customers' },
  { value: 'true', label: 'Matched' },
  { value: 'false', label: 'Not Matched' },
  { value: 'ignored', label: 'Ignored' },
]

/** The filters as chips and in the form. */
export function customerFields(known: FilterOptions | undefined): FilterField[] {
  const match: FilterField = {
    name: 'isMatched',
    label: 'Match',
    kind: 'one',
    options: matchChoices.filter(({ value }) => value !== ''),
  }
  const status: FilterField = {
    name: 'status',
    label: 'Subscription status',
    kind: 'several',
    options: (known?.statuses ?? []).map(({ status }) => ({ value: status, label: labelOf(status) })),
    note: 'One subscription must have the status, product, currency and interval that you choose.',
  }
  return [
    ...grouped('Customer', [
      match,
      ...amountFields('mrr', 'MRR', known),
      { name: 'payingOn', label: 'Paying on', kind: 'day', options: [] },
      ...firstPaidFields,
    ]),
    ...grouped('Subscription', [status, ...boughtFields(known)]),
  ]
}
