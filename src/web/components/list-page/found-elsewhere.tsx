import { Anchor, Button, Group } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import type { SearchHit } from '#contract/lists/search.ts'
import { pathOfFound } from '../found-record.ts'
import { useListAddress } from './list-address.ts'

type NoHitsProps = {
  /** What was searched for; '' where nothing was. */
  search: string
  hits: readonly SearchHit[]
  onClear: () => void
  children: ReactNode
}

/** What stands below an empty list: after a search, what that was and the way back, and then what else the list says. */
export function NoHits({ search, hits, onClear, children }: NoHitsProps) {
  if (search === '') return children
  const clear = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    // The button goes with the answer, and the next search begins in the field.
    currentTarget.closest('main')?.querySelector<HTMLElement>('input[type="search"]')?.focus()
    onClear()
  }
  return (
    <>
      <div style={{ overflowWrap: 'anywhere' }}>
        Nothing in this list fits “{search}”.{' '}
        <Anchor component="button" type="button" inherit onClick={clear}>
          Clear search
        </Anchor>
      </div>
      {children}
      <FoundElsewhere search={search} hits={hits} />
    </>
  )
}

/** Opens the records whose id or number was searched for in a list that does not have them. */
function FoundElsewhere({ search, hits }: { search: string; hits: readonly SearchHit[] }) {
  const from = useListAddress()
  if (hits.length === 0) return null
  return (
    <Group justify="center" gap="xs" mt="xs">
      {hits.map((hit) => (
        <Button
          key={`${hit.kind} ${hit.id}`}
          component={Link}
          to={pathOfFound(hit)}
          state={from}
          variant="default"
          h="auto"
          py={6}
          styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.3 } }}
        >
          {labelOf(hit, search)}
        </Button>
      ))}
    </Group>
  )
}

function labelOf({ kind, title }: SearchHit, search: string): string {
  if (kind === 'customer') return `Open customer ${title}`
  return kind === 'invoice' ? `Open invoice ${search} of ${title}` : `Open subscription of ${title}`
}
