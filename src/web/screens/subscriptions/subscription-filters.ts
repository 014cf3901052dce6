import type { FilterOptions } from '#contract/lists/filter-options.ts'
import { subscriptionFilters } from '#contract/lists/list-filters.ts'
import { subscriptionSorts } from '#contract/subscriptions.ts'
import { labelOf } from '#domain/subscription.ts'
import { counted } from '../../components/counted.ts'
import type { FilterField } from '../../components/list-page/filters/filter-field.ts'
import {
  amountFields,
  grouped,
  segmentFields,
  yesOrNo,
} from '../../components/list-page/filters/segment-fields.ts'
import type { ListSpec, ListState } from '../../components/list-page/list-state.ts'

export const subscriptionSpec: ListSpec = { filters: subscriptionFilters, sorts: subscriptionSorts }

/** The filters as chips and in the form; those with counts have them from the whole list. */
export function subscriptionFields(known: FilterOptions | undefined): FilterField[] {
  const status: FilterField = {
    name: 'status',
    label: 'Status',
    kind: 'several',
    options: (known?.statuses ?? []).map(({ status, count }) => ({
      value: status,
      label: `${labelOf(status)} (${count.toLocaleString('en-US')})`,
      chip: labelOf(status),
    })),
  }
  const renews: FilterField = {
    name: 'renewsWithinDays',
    label: 'Renews',
    kind: 'one',
    options: [7, 30, 90].map((days) => ({ value: String(days), label: `Within ${counted(days, 'day')}` })),
  }
  return [
    ...grouped('Subscription', [status, ...amountFields('mrr', 'MRR', known)]),
    ...segmentFields(known),
    ...grouped('Subscription', [renews, yesOrNo('isCanceling', 'Cancellation', ['Planned', 'Not planned'])]),
    ...grouped('In HubSpot', [
      yesOrNo('isStale', 'Freshness in HubSpot', ['Late', 'Not late']),
      yesOrNo('isBehind', 'Changed since its sync', ['Yes', 'No']),
    ]),
    ...grouped('Dates', [
      { name: 'from', label: 'Created from', kind: 'day', options: [], span: { of: 'Created', end: 'From' } },
      { name: 'to', label: 'Created until', kind: 'day', options: [], span: { of: 'Created', end: 'Until' } },
    ]),
  ]
}

/** The query of the calls that sum. */
export function filterQuery({ search, filters }: ListState) {
  return { search, ...filters }
}

/** The query of the calls that list and export, without page and page size. */
export function subscriptionQuery(state: ListState) {
  const { sort, order } = state
  return { ...filterQuery(state), sort: subscriptionSorts.find((one) => one === sort), order }
}
