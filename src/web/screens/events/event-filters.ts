import { transactionSorts } from '#contract/events.ts'
import type { FilterOptions } from '#contract/lists/filter-options.ts'
import { eventFilters } from '#contract/lists/list-filters.ts'
import type { DayRange } from '#domain/date-range.ts'
import { mrrStatuses } from '#domain/event.ts'
import { labelOf } from '#domain/subscription.ts'
import type { FilterField } from '../../components/list-page/filters/filter-field.ts'
import {
  amountFields,
  grouped,
  segmentFields,
  yesOrNo,
} from '../../components/list-page/filters/segment-fields.ts'
import type { ListSpec, ListState } from '../../components/list-page/list-state.ts'

/** The days of the list are those of the date range, which screens share. */
const { from, to, ...filters } = eventFilters

export const eventSpec: ListSpec = { filters, sorts: transactionSorts }

const types = mrrStatuses.map((value) => ({ value, label: labelOf(value) }))

export const typeChoices = [{ value: '', label: 'All Types' }, ...types]

/** The filters as chips and in the form. */
export function eventFields(known: FilterOptions | undefined): FilterField[] {
  return [
    ...grouped('Event', [
      { name: 'mrrStatus', label: 'Event type', kind: 'several', options: types },
      ...amountFields('change', 'MRR change', known),
      {
        name: 'customersPay',
        label: 'Customers pay',
        kind: 'one',
        options: [
          { value: 'more', label: 'More than before the days' },
          { value: 'less', label: 'Less than before the days' },
        ],
      },
    ]),
    ...segmentFields(known),
    ...grouped('In HubSpot', [yesOrNo('isBehind', 'Changed since its sync', ['Yes', 'No'])]),
  ]
}

/** The query of the calls that list and sum, without page and page size. */
export function eventQuery({ search, filters }: ListState, { from, to }: DayRange) {
  return { search, ...filters, from: from ?? undefined, to: to ?? undefined }
}
