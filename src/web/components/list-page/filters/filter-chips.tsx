import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ListControls } from '../use-list-state.ts'
import { chipText, type FilterField } from './filter-field.ts'

type FilterChipsProps = { controls: ListControls; fields: readonly FilterField[] }

/** A chip with several values takes several lines on a phone. */
const wraps = { label: { whiteSpace: 'normal', textAlign: 'left', lineHeight: 1.35 } } as const

/** A chip for each filter that is set, which takes it away. */
export function FilterChips({ controls: { state, change }, fields }: FilterChipsProps) {
  const set = fields.flatMap((field) => {
    const text = state.filters[field.name]
    return text === undefined ? [] : [{ field, words: chipText(field, text) }]
  })
  const clear = () => change({ filters: Object.fromEntries(fields.map(({ name }) => [name, ''])) })
  return (
    <>
      {set.map(({ field, words }) => (
        <Button
          key={field.name}
          size="compact-sm"
          variant="light"
          maw="100%"
          h="auto"
          mih={26}
          styles={wraps}
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`Remove the filter ${words}`}
          onClick={() => change({ filters: { [field.name]: '' } })}
        >
          {words}
        </Button>
      ))}
      {set.length > 1 ? (
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      ) : null}
    </>
  )
}
