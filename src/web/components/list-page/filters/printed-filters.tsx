import { Text } from '@mantine/core'
import type { ListState } from '../list-state.ts'
import { chipText, type FilterField } from './filter-field.ts'

type PrintedFiltersProps = { state: ListState; fields: readonly FilterField[] }

/** Says on paper what a list is narrowed by, where neither fields nor chips are. */
export function PrintedFilters({ state: { search, filters }, fields }: PrintedFiltersProps) {
  const set = fields.flatMap((field) => {
    const text = filters[field.name]
    return text === undefined ? [] : [chipText(field, text)]
  })
  const words = [...(search === '' ? [] : [`Search: ${search}`]), ...set]
  if (words.length === 0) return null
  return (
    <Text size="sm" className="printed-only">
      {words.join('. ')}
    </Text>
  )
}
