import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { SyncState } from '#contract/sync.ts'
import { refusedText } from './refused-text.ts'

type RefusedConnectionProps = {
  refused: SyncState['refused']
  /** The screen where this provider is connected again, and its name; `verb` begins the link. */
  cureOf: (provider: SyncState['refused'][number]) => { to: string; name: string; verb?: string }
}

/** Says that a provider refuses the connection, so that nothing can run. Renders nothing while none does. */
export function RefusedConnection({ refused, cureOf }: RefusedConnectionProps) {
  const [first] = refused
  if (first === undefined) return null
  const { to, name, verb = 'Go to' } = cureOf(first)
  return (
    <Alert color="red" role="alert" title={refusedText(refused)}>
      Nothing is synced until it is connected again.{' '}
      <Anchor component={Link} to={to} inherit underline="always">
        {verb} {name}
      </Anchor>
    </Alert>
  )
}
