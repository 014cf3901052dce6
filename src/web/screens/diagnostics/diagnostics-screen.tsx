import { Stack, Tabs, Text } from '@mantine/core'
import { SyncObstacles } from '../../components/runs/sync-obstacles.tsx'
import { useIsManager, useObstacles } from '../../queries/session.ts'
import { MessagePage } from '../../ui/message-page.tsx'
import { CheckTab } from './check-tab.tsx'
import { ManualTab } from './manual-tab.tsx'
import { useSamples } from './use-samples.ts'

/** /diagnostics shows owners and admins whether HubSpot holds the expected associations. */
export function DiagnosticsScreen() {
  if (!useIsManager()) {
    return <MessagePage title="Diagnostics" text="This is for owners and admins of the organization." />
  }
  return <Tools />
}

function Tools() {
  const samples = useSamples()
  return (
    <Stack>
      <Text c="dimmed">
        The associations of your records in HubSpot, as they are and as they should be. An association is a
        link in HubSpot from a subscription or event to its company, contact or subscription.
      </Text>
      <SyncObstacles
        obstacles={useObstacles()}
        withoutHubspot="Associations are read and made in HubSpot, so nothing can be checked or fixed"
        withoutObjects="Associations belong to the custom objects, so nothing can be checked or fixed"
      />
      <Tabs defaultValue="check" keepMounted>
        <Tabs.List mb="md">
          <Tabs.Tab value="check">Check &amp; Fix Associations</Tabs.Tab>
          <Tabs.Tab value="manual">Manual Association Testing</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="check">
          <CheckTab />
        </Tabs.Panel>
        <Tabs.Panel value="manual">
          <ManualTab samples={samples} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
