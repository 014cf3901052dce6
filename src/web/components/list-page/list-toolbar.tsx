import { Group, NativeSelect } from '@mantine/core'
import { perPageChoices } from './list-state.ts'
import { SearchBox } from './search-box.tsx'
import type { ListControls } from './use-list-state.ts'

export type FilterChoice = { value: string; label: string }

type ListToolbarProps = ListControls & {
  searchPlaceholder: string
  searchCovers: string
  filterName: string
  filterLabel: string
  filterChoices: FilterChoice[]
}

/** Shows the search, filter and page size of a list. */
export function ListToolbar(props: ListToolbarProps) {
  const { state, change, filterName } = props
  const chosen = state.filters[filterName] ?? ''
  const isOffered = props.filterChoices.some(({ value }) => value === chosen)
  const choices = isOffered
    ? props.filterChoices
    : [...props.filterChoices, { value: chosen, label: labelOf(chosen, props.filterChoices) }]
  return (
    <Group align="flex-start" justify="space-between" gap="sm">
      <SearchBox
        search={state.search}
        placeholder={props.searchPlaceholder}
        covers={props.searchCovers}
        onSearch={(search, history) => change({ search }, history)}
      />
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={props.filterLabel}
          value={chosen}
          data={choices}
          onChange={(event) => change({ filters: { [filterName]: event.currentTarget.value } })}
        />
        <NativeSelect
          label="Per page"
          value={String(state.perPage)}
          data={perPageChoices.map(String)}
          onChange={(event) => change({ perPage: Number(event.currentTarget.value) })}
        />
      </Group>
    </Group>
  )
}

/** The address may name several values, or one that is not offered. */
function labelOf(chosen: string, choices: readonly FilterChoice[]): string {
  const values = chosen.split(',')
  const labels = values.flatMap((value) => choices.find((one) => one.value === value)?.label ?? [])
  return labels.length === values.length ? labels.join(' or ') : 'Others'
}
