import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { perPageChoices } from './list-state.ts'
import type { ListControls } from './use-list-state.ts'

export type FilterChoice = { value: string; label: string }

type ListToolbarProps = ListControls & {
  searchPlaceholder: string
  filterLabel: string
  filterChoices: FilterChoice[]
}

/** Shows the search, filter and page size of a list. */
export function ListToolbar(props: ListToolbarProps) {
  const { state, change } = props
  return (
    <Group align="flex-end" justify="space-between" gap="sm">
      <SearchBox
        search={state.search}
        placeholder={props.searchPlaceholder}
        onSubmit={(search) => change({ search })}
      />
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={props.filterLabel}
          value={state.filter}
          data={props.filterChoices}
          onChange={(event) => change({ filter: event.currentTarget.value })}
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

type SearchBoxProps = { search: string; placeholder: string; onSubmit: (search: string) => void }

function SearchBox({ search, placeholder, onSubmit }: SearchBoxProps) {
  const [typed, setTyped] = useState(search)
  const [shown, setShown] = useState(search)
  // Back and forward change the search; the field shows it and keeps the focus.
  if (shown !== search) {
    setShown(search)
    setTyped(search)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(typed.trim())
  }
  return (
    <search style={{ flex: '1 1 240px', maxWidth: 420 }}>
      <form onSubmit={submit}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            type="search"
            flex={1}
            aria-label={placeholder}
            placeholder={placeholder}
            leftSection={<IconSearch size={16} aria-hidden />}
            maxLength={200}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default">
            Search
          </Button>
        </Group>
      </form>
    </search>
  )
}
