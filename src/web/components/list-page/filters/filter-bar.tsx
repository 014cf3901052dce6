import { Group } from '@mantine/core'
import type { ListControls } from '../use-list-state.ts'
import { FilterChips } from './filter-chips.tsx'
import type { FilterField } from './filter-field.ts'
import { FilterMenu } from './filter-menu.tsx'

type FilterBarProps = {
  controls: ListControls
  fields: readonly FilterField[]
  /** What chips are for, if also for a filter that stands elsewhere. */
  chips?: readonly FilterField[]
  /** What the filters leave: 'Show 305'. */
  shownText?: string
}

/** Shows a list's filters: one chip for each that is set, and a button to set others. */
export function FilterBar({ controls, fields, chips = fields, ...menu }: FilterBarProps) {
  return (
    <Group gap="xs">
      <FilterMenu controls={controls} fields={fields} {...menu} />
      <FilterChips controls={controls} fields={chips} />
    </Group>
  )
}
