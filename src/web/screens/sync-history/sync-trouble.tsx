import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { getSyncState, getSyncStatus } from '#contract/sync.ts'
import { useEndpoint } from '../../client.ts'
import { FailedRun } from '../../components/runs/failed-run.tsx'
import { refusedText } from '../../components/runs/refused-text.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'

/** Says why nothing reaches HubSpot: a refused connection, or a sync that failed whole. Then no single record is failing. */
export function SyncTrouble() {
  const { data: sync } = useEndpoint(getSyncState, {}, { staleTime: freshMs.syncLine })
  const { data: status } = useEndpoint(getSyncStatus, {}, { staleTime: freshMs.records })
  if (sync?.state === 'refused')
    return (
      <Alert color="red" title={refusedText(sync)}>
        Nothing is synced until it is connected again.{' '}
        <Anchor component={Link} to={paths.dataSync} inherit underline="always">
          Go to Data Sync
        </Anchor>
      </Alert>
    )
  return (
    <FailedRun
      title="The last sync to HubSpot failed, so changes since then may be missing there"
      outcome={status?.lastSync ?? null}
    />
  )
}
