import { Anchor, Card, List, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { getCurrentUser } from '#contract/account.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { stepSpelled } from '#contract/setup.ts'
import { counted } from '../../components/counted.ts'
import { ManagersNote } from '../../components/managers-note.tsx'
import { paths } from '../../paths.ts'
import { useManagers } from '../../queries/organization-owners.ts'
import { StepIndicator } from './step-indicator.tsx'

type Progress = NonNullable<ResponseOf<typeof getCurrentUser>['setupProgress']>

/** Shows a member how far the setup has come and who can finish it. It saves nothing. */
export function MemberSetup({ progress }: { progress: Progress | null }) {
  return (
    <Stack maw={860} mx="auto" w="100%">
      <Title order={2} size="h3">
        Account Setup
      </Title>
      {progress === null ? null : (
        <StepIndicator current={stepSpelled(progress.currentStep)} progress={progress} />
      )}
      <Card withBorder padding="lg">
        <Stack>
          <Title order={3}>The setup is not finished yet</Title>
          {progress === null ? null : <Facts progress={progress} />}
          <WhoCanFinish />
          <Text size="sm">
            <Anchor component={Link} to={paths.dataSync} size="sm" underline="always">
              Data Sync
            </Anchor>{' '}
            imports once Stripe is connected, and syncs once both are.
          </Text>
        </Stack>
      </Card>
    </Stack>
  )
}

function Facts({ progress }: { progress: Progress }) {
  const synced = counted(progress.syncedSubscriptions, 'subscription')
  return (
    <List spacing={4} aria-label="State of the setup">
      <List.Item>HubSpot is {progress.hubspotConnected ? 'connected' : 'not connected'}.</List.Item>
      <List.Item>Stripe is {progress.stripeConnected ? 'connected' : 'not connected'}.</List.Item>
      <List.Item>
        The history of Stripe is {progress.dataImported ? 'imported' : 'not imported yet'}.
      </List.Item>
      <List.Item>
        {progress.dataSynced ? `HubSpot holds ${synced}.` : 'Not everything is in HubSpot yet.'}
      </List.Item>
    </List>
  )
}

function WhoCanFinish() {
  const managers = useManagers()
  return (
    <Stack gap="xs">
      <ManagersNote what="connect HubSpot and Stripe and finish the setup" />
      {managers.length === 0 ? null : (
        <>
          <Text size="sm">Ask one of them:</Text>
          <List size="sm" aria-label="Owners and admins">
            {managers.map(({ id, name, email }) => (
              <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
                {name} ({email})
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  )
}
