import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { getSyncState, type SyncState } from '#contract/sync.ts'
import { useEndpoint } from '../../client.ts'
import { freshMs } from '../../queries/freshness.ts'
import { refusedText } from './refused-text.ts'

type RefusedConnectionProps = {
  /** The screen where this provider is connected again, and its name. */
  cureOf: (provider: SyncState['refused'][number]) => { to: string; name: string }
}

/** Says that a provider refuses the connection, so that nothing can run. Renders nothing while none does. */
export function RefusedConnection({ cureOf }: RefusedConnectionProps) {
  const { data } = useEndpoint(getSyncState, {}, { staleTime: freshMs.syncLine })
  const [first] = data?.refused ?? []
  if (data === undefined || first === undefined) return null
  const { to, name } = cureOf(first)
  return (
    <Alert color="red" role="alert" title={refusedText(data.refused)}>
      Nothing is synced until it is connected again.{' '}
      <Anchor component={Link} to={to} inherit underline="always">
        Go to {name}
      </Anchor>
    </Alert>
  )
}
