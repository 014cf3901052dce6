import { Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import type { SearchHit } from '#contract/lists/search.ts'
import { pathOfFound } from '../found-record.ts'
import { useListAddress } from './list-address.ts'

/** Opens the records whose id or number was searched for in a list that does not have them. */
export function FoundElsewhere({ search, hits }: { search: string; hits: readonly SearchHit[] }) {
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
