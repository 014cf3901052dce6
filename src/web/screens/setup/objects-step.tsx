import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { getHubspotObjects } from '#contract/connections.ts'
import { useEndpoint } from '../../client.ts'
import { useObjectsToast } from '../../components/failed-objects.tsx'
import { paths } from '../../paths.ts'
import { type CrmObjects, useCreateObjects } from '../../queries/hubspot-objects.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { SetupDoors } from './objects-notice.tsx'
import { StepFrame } from './step-frame.tsx'
import { useAdvance } from './use-advance.ts'

/** Shows which custom objects could not be created and what to do. Without them, everything but the sync goes on. */
export function ObjectsStep() {
  const { advance, isSaving } = useAdvance('objects')
  const objects = useEndpoint(getHubspotObjects, {}, { staleTime: 0 })
  const { create, isCreating } = useCreateObjects(useObjectsToast())
  const isReady = objects.data?.isReady === true
  // A connection that may not write would be refused again.
  const needsConsent = objects.data?.isReady === false && !objects.data.hasOtherWays
  return (
    <StepFrame
      step="objects"
      title="Custom Objects"
      text="Subscriptions and events are kept in HubSpot as two custom objects."
      actions={
        <>
          {needsConsent ? (
            <Button component={Link} to={paths.setupStep('crm')}>
              Reconnect HubSpot
            </Button>
          ) : null}
          <StartButton
            variant={isReady || needsConsent ? 'default' : 'filled'}
            isBusy={isCreating || objects.isFetching}
            onClick={create}
          >
            Retry
          </StartButton>
          <StartButton
            variant={isReady ? 'filled' : 'default'}
            isOff={objects.isPending}
            isBusy={isSaving}
            onClick={() => void advance()}
          >
            {isReady || objects.isPending ? 'Continue' : 'Continue without objects'}
          </StartButton>
        </>
      }
    >
      {objects.error === null ? null : (
        <ReadFailure
          title="The custom objects could not be checked"
          error={objects.error}
          onRetry={() => void objects.refetch()}
          isRetrying={objects.isFetching}
        />
      )}
      {objects.data === undefined ? null : <ObjectStates objects={objects.data} />}
      {!isReady && objects.data?.hasOtherWays ? <SetupDoors isBusy={isCreating} /> : null}
      {objects.isPending ? <PageSpinner /> : null}
      {isReady || objects.isPending ? null : (
        <Text size="sm">
          You can go on and import from Stripe; nothing is written to HubSpot before both objects exist. To
          disconnect this HubSpot account and connect another, go back to{' '}
          <Anchor component={Link} to={paths.setupStep('crm')} size="sm" underline="always">
            Connect HubSpot
          </Anchor>
          .
        </Text>
      )}
    </StepFrame>
  )
}

function ObjectStates({ objects: { isReady, objects, advice } }: { objects: CrmObjects }) {
  return (
    <Stack>
      <Alert
        color={isReady ? 'green' : 'yellow'}
        icon={isReady ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
        title={isReady ? 'Both custom objects exist' : 'The custom objects could not be created'}
      >
        {advice}
      </Alert>
      <List>
        {withTheSameReason(objects).map(({ labels, state, reason }) => (
          <List.Item key={labels}>
            <Text span fw={600}>
              {labels}
            </Text>
            : {state}
            {reason === null ? '' : `. ${reason}`}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

/** HubSpot mostly refuses both objects for one reason, which a person should read once. */
function withTheSameReason(objects: CrmObjects['objects']) {
  const groups = Map.groupBy(objects, ({ state, reason }) => `${state} ${reason}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const labels = group.map(({ label }) => label).join(', ')
    return first === undefined ? [] : [{ labels, state: first.state, reason: first.reason }]
  })
}
