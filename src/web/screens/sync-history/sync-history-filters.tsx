import { Group, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { runStatusLabel, runTypeLabels } from '#contract/lists/list-words.ts'
import { jobStatuses, jobTypes, runFilters } from '#contract/sync.ts'
import { CsvButton } from '../../components/list-page/csv-button.tsx'
import { FilterBar } from '../../components/list-page/filters/filter-bar.tsx'
import { FilterChips } from '../../components/list-page/filters/filter-chips.tsx'
import type { FilterField } from '../../components/list-page/filters/filter-field.ts'
import { FilterInputs } from '../../components/list-page/filters/filter-inputs.tsx'
import { PhoneFilters } from '../../components/list-page/filters/phone-filters.tsx'
import type { ListState } from '../../components/list-page/list-state.ts'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'
import type { ListControls } from '../../components/list-page/use-list-state.ts'

/** Runs without changes are left out unless the address asks for them. */
export const historySpec = {
  filters: {
    type: z.enum(jobTypes, 'is not a type of run'),
    status: z.enum(jobStatuses, 'is not a status of a run'),
    errors: z.literal('with', "must be 'with'"),
    startedFrom: runFilters.startedFrom,
    startedTo: runFilters.startedTo,
    unchanged: z.literal('show', "must be 'show'"),
  },
  sorts: [],
}

const fields: readonly FilterField[] = [
  {
    name: 'type',
    label: 'Type',
    kind: 'one',
    options: jobTypes.map((value) => ({ value, label: runTypeLabels[value] })),
  },
  {
    name: 'status',
    label: 'Status',
    kind: 'one',
    options: jobStatuses.map((value) => ({ value, label: runStatusLabel(value) })),
  },
  { name: 'errors', label: 'Errors', kind: 'one', options: [{ value: 'with', label: 'With errors' }] },
  { name: 'startedFrom', label: 'Started from (UTC)', kind: 'day', options: [] },
  { name: 'startedTo', label: 'Started until (UTC)', kind: 'day', options: [] },
]

/** The filters of the address as the server takes them. */
export function historyQuery({ filters }: ListState): Record<string, string> {
  return { ...filters, unchanged: filters['unchanged'] ?? 'hide' }
}

type SyncHistoryToolbarProps = {
  controls: ListControls
  csvHref: string
  refresh: ReactNode
  /** Without any run, there is nothing to choose from. */
  isEmpty: boolean
}

/** What stands above the runs: what is done with them, and which are listed. */
export function SyncHistoryToolbar({ controls, csvHref, refresh, isEmpty }: SyncHistoryToolbarProps) {
  const isNarrow = useIsNarrow()
  const csv = <CsvButton href={csvHref} isOff={isEmpty} />
  if (isNarrow && !isEmpty)
    return (
      <PhoneFilters
        beside={
          <>
            {refresh}
            <FilterChips controls={controls} fields={fields} />
          </>
        }
      >
        <HideUnchanged {...controls} />
        <FilterInputs controls={controls} fields={fields} />
        <Group>{csv}</Group>
      </PhoneFilters>
    )
  return (
    <>
      <Group gap="xs" justify="flex-end">
        {refresh}
        {csv}
      </Group>
      {isEmpty ? null : (
        <Group justify="space-between">
          <FilterBar controls={controls} fields={fields} />
          <HideUnchanged {...controls} />
        </Group>
      )}
    </>
  )
}

function HideUnchanged({ state, change }: ListControls) {
  return (
    <Switch
      label="Hide runs without changes"
      checked={state.filters['unchanged'] !== 'show'}
      onChange={({ currentTarget: { checked } }) => change({ filters: { unchanged: checked ? '' : 'show' } })}
    />
  )
}
