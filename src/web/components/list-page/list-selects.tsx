import { NativeSelect } from '@mantine/core'
import type { FilterField } from './filters/filter-field.ts'
import { perPageChoices } from './list-state.ts'
import type { ListControls } from './use-list-state.ts'

export type FilterChoice = { value: string; label: string }

/** The filter that stands beside the search. */
export type MainFilter = {
  /** Its name in the address. */
  filterName: string
  filterLabel: string
  filterChoices: FilterChoice[]
}

/** The filters of a list: the main one, and the others, each once; and what chips are for, in the words of the form. */
export function fieldsOf(main: MainFilter & { filterFields?: readonly FilterField[] }) {
  const options = main.filterChoices.filter(({ value }) => value !== '')
  const own: FilterField = { name: main.filterName, label: main.filterLabel, kind: 'several', options }
  const offered = main.filterFields ?? []
  const others = offered.filter(({ name }) => name !== own.name)
  const all = [own, ...others]
  return { all, others, chips: others.length === offered.length ? all : offered }
}

type ListSelectsProps = ListControls & MainFilter

/** Chooses a list's main filter and page size. */
export function ListSelects({ state, change, filterName, filterLabel, filterChoices }: ListSelectsProps) {
  const chosen = state.filters[filterName] ?? ''
  const isOffered = filterChoices.some(({ value }) => value === chosen)
  const choices = isOffered
    ? filterChoices
    : [...filterChoices, { value: chosen, label: labelOf(chosen, filterChoices) }]
  return (
    <>
      <NativeSelect
        label={filterLabel}
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
    </>
  )
}

/** The address may name several values, or one that is not offered. */
function labelOf(chosen: string, choices: readonly FilterChoice[]): string {
  const values = chosen.split(',')
  const labels = values.flatMap((value) => choices.find((one) => one.value === value)?.label ?? [])
  return labels.length === values.length ? labels.join(' or ') : 'Others'
}
