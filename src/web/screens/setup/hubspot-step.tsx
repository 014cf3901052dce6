import { Alert, Button, Group, List, Text } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { disconnectHubspot, getConnectionStatus, getHubspotObjects } from '#contract/connections.ts'
import { call, endpointKey } from '../../client.ts'
import { PortalText } from '../../components/portal-text.tsx'
import { refusedText } from '../../components/runs/refused-text.ts'
import { paths } from '../../paths.ts'
import { type ConnectionStatus, useConnectionStatus } from '../../queries/connection-status.ts'
import { freshMs } from '../../queries/freshness.ts'
import { haveFailed, useFailedObjects } from '../../queries/hubspot-objects.ts'
import { useRefreshProgress } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { Unread } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Disconnect } from './disconnect.tsx'
import { useHubspotPopup } from './hubspot-popup/use-hubspot-popup.ts'
import { ObjectsNotice } from './objects-notice.tsx'
import { PortalQuestion } from './portal-question.tsx'
import { ConnectWays, SetupServiceKey } from './setup-service-key.tsx'
import { StepFrame } from './step-frame.tsx'
import { useAdvance } from './use-advance.ts'

/** The success stays readable for this long before the next step opens. */
const advanceAfterMs = 1_500

export function HubspotStep() {
  const navigate = useNavigate()
  const toast = useToast()
  const client = useQueryClient()
  const refreshProgress = useRefreshProgress()
  const { status, isPending, unread, retryRead } = useConnectionStatus({
    staleTime: freshMs.connectionInWizard,
  })
  const { advance, isSaving } = useAdvance('crm')
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const { dbConnected: isConnected, portalId, earlierPortalId, maskedKey, warning } = status.hubspot
  const failed = useFailedObjects(isConnected)
  const isConsentLacking =
    isConnected && maskedKey === null && (warning !== null || failed?.hasOtherWays === false)

  const celebrate = (description: string) => {
    toast({ title: 'Connected to HubSpot', description })
    void refreshProgress()
    timer.current = setTimeout(() => void advanceUnlessAsked(), advanceAfterMs)
  }
  const popup = useHubspotPopup(() => {
    void client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) })
    void client.invalidateQueries({ queryKey: endpointKey(getHubspotObjects) })
    celebrate('Your HubSpot account is connected.')
  })
  // The person has to read about another account or missing custom objects, so the wizard must not move on by itself.
  const advanceUnlessAsked = async () => {
    try {
      const { hubspot } = await call(getConnectionStatus)
      if (hubspot.earlierPortalId === null && !haveFailed(await call(getHubspotObjects))) await advance()
    } catch (error) {
      logProblem('Whether HubSpot asks for something could not be read, so the step stays', error)
    }
  }
  const saveAndExit = () => {
    toast({ title: 'Setup paused', description: 'Pick up where you left off in the Setup Wizard.' })
    void navigate(paths.dashboard)
  }
  return (
    <StepFrame
      step="crm"
      title="Connect HubSpot"
      text="Each subscription and MRR change becomes a record in HubSpot."
      actions={
        <>
          <Button variant="default" onClick={saveAndExit}>
            Save and Exit
          </Button>
          <StartButton
            variant={isConnected ? 'filled' : 'default'}
            isBusy={isSaving}
            isOff={popup.isBusy || earlierPortalId !== null}
            onClick={() => void advance()}
          >
            {isConnected ? 'Continue' : 'Continue without connecting'}
          </StartButton>
        </>
      }
    >
      <ObjectList />
      <Unread what="The status of the connection" error={unread} onRetry={retryRead} />
      <ObjectsNotice isConnected={isConnected} isConnectStep />
      {isConnected && maskedKey !== null && warning !== null ? null : (
        <ConnectionNotice connection={status.hubspot} isUsable={failed === null} />
      )}
      {maskedKey === null ? null : <SetupServiceKey maskedKey={maskedKey} warning={warning} />}
      <PortalQuestion portalId={portalId} earlierPortalId={earlierPortalId} />
      <Group>
        {isConnected && !isConsentLacking ? null : (
          <ConnectWays
            isBusy={popup.isBusy}
            isPending={isPending}
            failure={popup.failure}
            onConsent={() => void popup.connect()}
            onConnected={celebrate}
          />
        )}
        {isConnected ? (
          <Disconnect
            name="HubSpot"
            endpoint={disconnectHubspot}
            onDisconnected={() => clearTimeout(timer.current)}
            failureOf={() => 'Failed to disconnect from HubSpot. Please try again.'}
          />
        ) : null}
      </Group>
    </StepFrame>
  )
}

type ConnectionNoticeProps = {
  connection: ConnectionStatus['hubspot']
  /** Whether something can be written there; beside the warning that it cannot, green would deny it. */
  isUsable: boolean
}

function ConnectionNotice({ connection, isUsable }: ConnectionNoticeProps) {
  const { dbConnected: isConnected, portalId, portalDomain, warning } = connection
  if (warning !== null)
    return (
      <Alert role="note" color="yellow" title={refusedText(['hubspot'])}>
        Connect HubSpot again. The setup stays as it is.
      </Alert>
    )
  if (isConnected && !isUsable)
    return portalId === null ? null : <PortalText portalId={portalId} portalDomain={portalDomain} />
  return isConnected ? (
    <Alert role="note" color="green" icon={<IconCircleCheck aria-hidden />} title="HubSpot is connected">
      {portalId === null ? null : <PortalText portalId={portalId} portalDomain={portalDomain} />}
    </Alert>
  ) : (
    <Alert role="note" color="blue" icon={<IconInfoCircle aria-hidden />} title="An Enterprise hub is needed">
      Custom objects are part of HubSpot&apos;s Enterprise edition: at least one of your hubs has to be an
      Enterprise Hub.
    </Alert>
  )
}

function ObjectList() {
  return (
    <div>
      <Text>Two custom objects are created in your account:</Text>
      <List mt="xs" spacing="xs">
        <List.Item>
          <strong>Subscriptions</strong>: plan, status, amounts and renewal dates.
        </List.Item>
        <List.Item>
          <strong>Events</strong>: every change of MRR with its details.
        </List.Item>
      </List>
      <Text mt="xs" c="dimmed" size="sm">
        Both are associated with your companies and contacts, by email domain.
      </Text>
    </div>
  )
}
