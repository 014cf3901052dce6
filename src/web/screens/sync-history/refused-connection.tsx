import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { getSyncState } from '#contract/sync.ts'
import { useEndpoint } from '../../client.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'

/** Says that a connection is refused: then nothing is even sent, so no record is failing. */
export function RefusedConnection() {
  const { data: sync } = useEndpoint(getSyncState, {}, { staleTime: freshMs.syncLine })
  if (sync?.state !== 'refused') return null
  return (
    <Alert color="red" title="A connection was refused">
      Nothing is synced until it is connected again.{' '}
      <Anchor component={Link} to={paths.dataSync} inherit underline="always">
        Go to Data Sync
      </Anchor>
    </Alert>
  )
}
