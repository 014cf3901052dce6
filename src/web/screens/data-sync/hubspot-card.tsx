import { Alert, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { disconnectHubspot, getHubspotAuthUrl } from '#contract/connections.ts'
import { call, serverText } from '../../client.ts'
import { ConnectionCard } from '../../components/connection-card.tsx'
import { FailedObjects, useObjectsToast } from '../../components/failed-objects.tsx'
import { ManagersNote } from '../../components/managers-note.tsx'
import { OtherPortalNotice } from '../../components/other-portal-notice.tsx'
import { PortalText } from '../../components/portal-text.tsx'
import { useAcceptPortal } from '../../queries/accept-portal.ts'
import type { ConnectionStatus } from '../../queries/connection-status.ts'
import { useCreateObjects, useFailedObjects } from '../../queries/hubspot-objects.ts'
import { useIsManager } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { FailureText } from '../../ui/problems/failure-text.tsx'
import { useToast } from '../../ui/toast.tsx'
import { DisconnectMenu } from './disconnect-menu.tsx'
import { HubspotFreshness } from './hubspot-freshness.tsx'
import { CardDoors, ConnectWays, ServiceKeyOfCard } from './hubspot-key.tsx'
import type { ConsentFailure } from './use-hubspot-return.ts'

/** The title of the notice, which is usually the server's whole message. */
const tokenWarning = 'Token needs refresh'

type HubspotCardProps = { connection: ConnectionStatus['hubspot']; consent: ConsentFailure; isBusy: boolean }

export function HubspotCard({ connection, consent, isBusy }: HubspotCardProps) {
  const isConnected = connection.dbConnected
  const isManager = useIsManager()
  const failed = useFailedObjects(isConnected)
  const { create, isCreating } = useCreateObjects(useObjectsToast())
  const menu = <DisconnectMenu name="HubSpot" endpoint={disconnectHubspot} isDisabled={isBusy} />
  const isRefused = isConnected && connection.warning !== null
  // A service key is replaced further up on the card.
  const reconnect =
    connection.maskedKey === null ? (
      <ConsentButton label="Reconnect HubSpot" consent={consent} isDisabled={isBusy} />
    ) : null
  const ways = failed?.hasOtherWays ? <CardDoors isBusy={isCreating} onRetry={create} /> : reconnect
  const note = <ManagersNote what={failed?.hasOtherWays ? 'try again' : 'connect again'} />
  return (
    <ConnectionCard
      name="HubSpot"
      isConnected={isConnected}
      isRefused={isRefused}
      menu={isConnected && isManager ? menu : null}
      takesFocus={consent.isBack}
    >
      {isConnected && connection.portalId !== null ? (
        <PortalText portalId={connection.portalId} portalDomain={connection.portalDomain} />
      ) : null}
      {connection.portalId !== null && connection.earlierPortalId !== null ? (
        <OtherPortal portalId={connection.portalId} earlierPortalId={connection.earlierPortalId} />
      ) : null}
      {isConnected && connection.maskedKey !== null ? (
        <ServiceKeyOfCard connection={connection} maskedKey={connection.maskedKey} isBusy={isBusy} />
      ) : null}
      {isRefused && connection.maskedKey === null ? (
        <RefusedConsent warning={connection.warning} consent={consent} isBusy={isBusy} />
      ) : null}
      {failed === null ? null : <FailedObjects failed={failed} doors={isManager ? ways : note} />}
      {isConnected ? <HubspotFreshness /> : null}
      {!isManager ? (
        <ManagersNote what={`${isRefused ? 'reconnect' : isConnected ? 'disconnect' : 'connect'} HubSpot`} />
      ) : isConnected ? null : (
        <Group>
          <ConnectWays
            isDisabled={isBusy}
            consent={<FirstConsent consent={consent} isDisabled={isBusy} />}
            onConnected={() => consent.setFailure(null)}
          />
        </Group>
      )}
    </ConnectionCard>
  )
}

function OtherPortal(portals: { portalId: string; earlierPortalId: string }) {
  const toast = useToast()
  const isManager = useIsManager()
  const { accept, isAccepting } = useAcceptPortal((error) => {
    const description = serverText(error, 'Please try again.')
    toast({ title: 'The account could not be confirmed', description, isError: true })
  })
  const onAccept = isManager ? () => accept(portals.portalId) : null
  return <OtherPortalNotice {...portals} isBusy={isAccepting} onAccept={onAccept} />
}

type ConsentButtonProps = { label: string; consent: ConsentFailure; isDisabled: boolean }

/** Opens HubSpot in the whole browser window; HubSpot then returns the person here. */
function ConsentButton({ label, consent, isDisabled }: ConsentButtonProps) {
  const toast = useToast()
  const [isLeaving, setLeaving] = useState(false)
  const connect = async () => {
    setLeaving(true)
    consent.setFailure(null)
    try {
      const { authUrl } = await call(getHubspotAuthUrl, { query: { returnTo: 'data-sync' } })
      if (!/^https?:\/\//i.test(authUrl)) throw new Error('the authorization address is not one of the web')
      window.location.assign(authUrl)
    } catch (error) {
      setLeaving(false)
      const description = serverText(error, 'Failed to generate HubSpot authorization URL.')
      consent.setFailure(description)
      toast({ title: 'Failed to connect to HubSpot', description, isError: true })
    }
  }
  return (
    <>
      <StartButton isBusy={isLeaving} isOff={isDisabled} onClick={() => void connect()}>
        {label}
      </StartButton>
      <FailureText text={consent.failure} />
    </>
  )
}

function FirstConsent(props: Omit<ConsentButtonProps, 'label'>) {
  return (
    <>
      <ConsentButton label="Connect HubSpot" {...props} />
      <Text size="sm" c="dimmed">
        At least one Enterprise Hub is needed.
      </Text>
    </>
  )
}

type RefusedConsentProps = { warning: string | null; consent: ConsentFailure; isBusy: boolean }

/** Replaces a consent that HubSpot refuses. Without a disconnection before, the setup stays complete. */
function RefusedConsent({ warning, consent, isBusy }: RefusedConsentProps) {
  const isManager = useIsManager()
  return (
    <Alert role="note" color="yellow" title={tokenWarning}>
      <Stack gap="sm">
        <Text size="sm">
          The access token may be invalid or expired, so disconnect and reconnect HubSpot
          {isManager ? ': the button does both, and the setup stays finished.' : '.'}
        </Text>
        {warning === tokenWarning ? null : <Text size="xs">{warning}</Text>}
        {isManager ? (
          <ConnectWays
            isDisabled={isBusy}
            consent={<ConsentButton label="Reconnect HubSpot" consent={consent} isDisabled={isBusy} />}
            onConnected={() => consent.setFailure(null)}
          />
        ) : null}
      </Stack>
    </Alert>
  )
}
