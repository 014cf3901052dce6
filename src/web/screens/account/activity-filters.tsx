import { type ActivityOptions, listActivityOptions } from '#contract/audit.ts'
import { activityFilters } from '#contract/lists/list-filters.ts'
import { useEndpoint } from '../../client.ts'
import { FilterBar } from '../../components/list-page/filters/filter-bar.tsx'
import { FilterChips } from '../../components/list-page/filters/filter-chips.tsx'
import type { FilterField } from '../../components/list-page/filters/filter-field.ts'
import { FilterInputs } from '../../components/list-page/filters/filter-inputs.tsx'
import { PhoneFilters } from '../../components/list-page/filters/phone-filters.tsx'
import { PrintedFilters } from '../../components/list-page/filters/printed-filters.tsx'
import type { ListSpec } from '../../components/list-page/list-state.ts'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'
import type { ListControls } from '../../components/list-page/use-list-state.ts'

export const activitySpec: ListSpec = { filters: activityFilters, sorts: [] }

type ActivityFiltersProps = { controls: ListControls; totalCount: number | undefined }

/** Filters the activity by who did it, what was done, and on which days. */
export function ActivityFilters({ controls, totalCount }: ActivityFiltersProps) {
  const isNarrow = useIsNarrow()
  const options = useEndpoint(listActivityOptions, {}, { staleTime: 0 })
  const fields = fieldsOf(options.data)
  const shown = totalCount === undefined ? {} : { shownText: `Show ${totalCount.toLocaleString('en-US')}` }
  return (
    <>
      <PrintedFilters state={controls.state} fields={fields} />
      {isNarrow ? (
        <PhoneFilters beside={<FilterChips controls={controls} fields={fields} />} {...shown}>
          <FilterInputs controls={controls} fields={fields} />
        </PhoneFilters>
      ) : (
        <FilterBar controls={controls} fields={fields} {...shown} />
      )}
    </>
  )
}

function fieldsOf(known: ActivityOptions | undefined): FilterField[] {
  const { people = [], actions = [], hasDeleted = false, hasNobody = false } = known ?? {}
  return [
    {
      name: 'personId',
      label: 'Who',
      kind: 'one',
      options: [
        ...people.map(({ personId, address }) => ({ value: personId, label: address })),
        ...(hasDeleted ? [{ value: 'deleted', label: 'Deleted accounts' }] : []),
        ...(hasNobody ? [{ value: 'nobody', label: 'Tributary' }] : []),
      ],
    },
    {
      name: 'action',
      label: 'What',
      kind: 'several',
      options: actions.map(({ action, description }) => ({ value: action, label: description })),
    },
    { name: 'from', label: 'From (UTC)', kind: 'day', options: [] },
    { name: 'to', label: 'Until (UTC)', kind: 'day', options: [] },
  ]
}
