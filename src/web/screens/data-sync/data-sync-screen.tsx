import { Alert, Grid, Stack, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { DataSyncTabs } from '../../components/data-sync-tabs.tsx'
import { useConnectionStatus } from '../../queries/connection-status.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useObjectsAwaited } from '../../queries/hubspot-objects.ts'
import { useIsManager } from '../../queries/session.ts'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { Unread } from '../../ui/problems/unread.tsx'
import { HubspotCard } from './hubspot-card.tsx'
import { ManualSyncCard } from './manual-sync-card.tsx'
import { SettingsCard } from './settings-card.tsx'
import { StripeCard } from './stripe-card.tsx'
import { useHubspotReturn } from './use-hubspot-return.ts'
import { useManualSync } from './use-manual-sync.ts'

/** /data-sync shows both connections, the sync settings, and runs that a person starts. */
export function DataSyncScreen() {
  const { status, isPending, unread, retryRead } = useConnectionStatus({
    staleTime: freshMs.connectionOnDataSync,
    refetchOnWindowFocus: true,
  })
  const sync = useManualSync()
  const isManager = useIsManager()
  const areObjectsAwaited = useObjectsAwaited(status.hubspot.dbConnected)
  const consent = useHubspotReturn()
  // The answers decide the content of the cards, and so the place of everything below them.
  if (isPending || areObjectsAwaited) {
    return (
      <DataSyncTabs current="data-sync">
        <PageSpinner />
      </DataSyncTabs>
    )
  }
  const areBothConnected = status.hubspot.dbConnected && status.stripe.dbConnected
  return (
    <DataSyncTabs current="data-sync">
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack component="section" aria-label="Integration Management">
            <Title order={2} size="h4">
              Integration Management
            </Title>
            <Unread what="The status of the connections" error={unread} onRetry={retryRead} />
            {areBothConnected ? null : (
              <Alert
                role="note"
                color="yellow"
                icon={<IconAlertTriangle aria-hidden />}
                title="Setup Required"
              >
                {isManager
                  ? 'You need to connect both HubSpot and Stripe before you can sync data.'
                  : 'Both HubSpot and Stripe have to be connected before you can sync data. Ask an owner or admin.'}
              </Alert>
            )}
            <HubspotCard connection={status.hubspot} consent={consent} isBusy={sync.isBusy} />
            <StripeCard connection={status.stripe} isBusy={sync.isBusy} />
            {areBothConnected ? <SettingsCard /> : null}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <ManualSyncCard
            sync={sync}
            hasHubspot={status.hubspot.dbConnected}
            hasStripe={status.stripe.dbConnected}
          />
        </Grid.Col>
      </Grid>
    </DataSyncTabs>
  )
}
