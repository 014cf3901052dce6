import { Group, Switch } from '@mantine/core'
import { z } from 'zod'
import { jobStatuses, jobTypes } from '#contract/sync.ts'
import { FilterBar } from '../../components/list-page/filters/filter-bar.tsx'
import type { FilterField } from '../../components/list-page/filters/filter-field.ts'
import type { ListState } from '../../components/list-page/list-state.ts'
import type { ListControls } from '../../components/list-page/use-list-state.ts'
import { runStatusLabel, runTypeLabels } from '../../components/run-badge.tsx'

/** Runs without changes are left out unless the address asks for them. */
export const historySpec = {
  filters: {
    type: z.enum(jobTypes, 'is not a type of run'),
    status: z.enum(jobStatuses, 'is not a status of a run'),
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
]

/** The filters of the address as the server takes them. */
export function historyQuery({ filters }: ListState): Record<string, string> {
  return { ...filters, unchanged: filters['unchanged'] ?? 'hide' }
}

/** Chooses which runs are listed. */
export function SyncHistoryFilters({ controls }: { controls: ListControls }) {
  const { state, change } = controls
  return (
    <Group justify="space-between">
      <FilterBar controls={controls} fields={fields} />
      <Switch
        label="Hide runs without changes"
        checked={state.filters['unchanged'] !== 'show'}
        onChange={({ currentTarget: { checked } }) =>
          change({ filters: { unchanged: checked ? '' : 'show' } })
        }
      />
    </Group>
  )
}
