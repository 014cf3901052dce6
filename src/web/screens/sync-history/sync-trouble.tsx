import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { getSyncStatus } from '#contract/sync.ts'
import { useEndpoint } from '../../client.ts'
import { FailedRun } from '../../components/runs/failed-run.tsx'
import { RefusedConnection } from '../../components/runs/refused-connection.tsx'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useRefusedProviders } from '../../queries/refused-providers.ts'
import { useIsManager } from '../../queries/session.ts'
import { SyncNow } from './sync-now.tsx'

/** Says why nothing reaches HubSpot: a refused connection, or a run that failed whole. Then no single record is failing. */
export function SyncTrouble() {
  const { data: status } = useEndpoint(getSyncStatus, {}, { staleTime: freshMs.records })
  const refused = useRefusedProviders()
  // It may be another account.
  const isRenewed = status?.lastSync?.problem === 'reconnected'
  const verb = useIsManager() ? 'Reconnect on' : 'Go to'
  return (
    <>
      <RefusedConnection refused={refused} cureOf={() => ({ to: paths.dataSync, name: 'Data Sync', verb })} />
      <FailedRun
        title="The last import from Stripe failed, so changes since then may be missing here"
        outcome={status?.lastImport ?? null}
        cure={
          <Button component={Link} to={paths.dataSync} variant="default">
            Go to Data Sync
          </Button>
        }
      />
      <FailedRun
        title={`The last sync to HubSpot failed${isRenewed ? '' : ', so changes since then may be missing there'}`}
        outcome={status?.lastSync ?? null}
        cure={status === undefined ? null : <SyncNow status={status} />}
      />
    </>
  )
}
