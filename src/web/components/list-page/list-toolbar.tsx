import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DateRange } from '../date-range/date-range.tsx'
import type { DateRangeControls } from '../date-range/use-date-range.ts'
import { CsvButton } from './csv-button.tsx'
import { FilterBar } from './filters/filter-bar.tsx'
import type { FilterField } from './filters/filter-field.ts'
import { fieldsOf, ListSelects, type MainFilter } from './list-selects.tsx'
import { SearchBox } from './search-box.tsx'
import type { ListControls } from './use-list-state.ts'

export type ListToolbarProps = MainFilter & {
  /** Says what the list is for and holds the actions for the whole list. */
  description?: ReactNode
  actions?: ReactNode
  /** Stands between the search and the table. */
  above?: ReactNode
  /** Where the whole list is saved as CSV. */
  csvHref?: string
  controls: ListControls
  searchPlaceholder: string
  /** Says what the search looks at. */
  searchCovers: string
  /** All filters of the list, which appear as chips. */
  filterFields?: readonly FilterField[]
  /** The person's saved views of the list. */
  views?: ReactNode
  /** Chooses the days of the list. */
  range?: DateRangeControls
}

/** What stands above a list on a wide screen; `columnsMenu` chooses its columns, `shownText` says what the filters leave. */
export function ListToolbar({
  columnsMenu,
  shownText,
  ...props
}: ListToolbarProps & { columnsMenu: ReactNode; shownText: string }) {
  const { controls, description, actions, filterFields, range, views } = props
  const hasMenus = filterFields !== undefined || views !== undefined || columnsMenu !== null
  const csv = props.csvHref === undefined ? null : <CsvButton href={props.csvHref} isSmall={hasMenus} />
  return (
    <>
      {hasMenus && description === undefined && actions === undefined ? null : (
        <Group justify="space-between" align="flex-start">
          <Text c="dimmed" flex="1 1 20rem">
            {description}
          </Text>
          <Group gap="xs">
            {actions}
            {hasMenus ? null : csv}
          </Group>
        </Group>
      )}
      <Group align="flex-start" justify="space-between" gap="sm">
        <ListSearch {...props} />
        <Group align="flex-end" gap="sm">
          <ListSelects {...controls} {...props} />
        </Group>
      </Group>
      {props.above}
      {range === undefined ? null : <DateRange controls={range} canCompare={false} />}
      {hasMenus ? (
        <Group justify="space-between" align="flex-start" gap="xs">
          {filterFields === undefined ? null : (
            <FilterBar
              controls={controls}
              fields={filterFields}
              chips={fieldsOf(props).chips}
              shownText={shownText}
            />
          )}
          <Group gap="xs" ml="auto">
            {views}
            {columnsMenu}
            {csv}
          </Group>
        </Group>
      ) : null}
    </>
  )
}

/** The search of a list, on any screen. */
export function ListSearch(props: ListToolbarProps) {
  const { state, change } = props.controls
  return (
    <SearchBox
      search={state.search}
      placeholder={props.searchPlaceholder}
      covers={props.searchCovers}
      onSearch={(search, history) => change({ search }, history)}
    />
  )
}
