import { Badge } from '@mantine/core'

/** Says whether a key reads live or test data, as its first characters tell. Renders nothing for others. */
export function ModeBadge({ shownKey }: { shownKey: string | null }) {
  const mode = /^[sr]k_(?:org_)?(live|test)_/.exec(shownKey ?? '')?.[1]
  if (mode === undefined) return null
  return (
    <Badge variant="light" color={mode === 'live' ? 'green' : 'yellow'}>
      {mode === 'live' ? 'Live data' : 'Test data'}
    </Badge>
  )
}
