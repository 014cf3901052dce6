import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useObjectsToast } from '../../components/failed-objects.tsx'
import { KeyInstead } from '../../components/service-key/key-instead.tsx'
import { ObjectDoors } from '../../components/service-key/object-doors.tsx'
import { ServiceKeyForm } from '../../components/service-key/service-key-form.tsx'
import { StoredServiceKey } from '../../components/service-key/stored-service-key.tsx'
import type { ConnectionStatus } from '../../queries/connection-status.ts'
import { useCreateByKey } from '../../queries/hubspot-objects.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useConnectByKey, useHubspotWays } from '../../queries/service-key.ts'
import { useIsManager } from '../../queries/session.ts'
import { useToast } from '../../ui/toast.tsx'

type ConnectWaysProps = { isDisabled: boolean; consent: ReactNode; onConnected: () => void }

/** Connects HubSpot by consent, or by a service key instead. */
export function ConnectWays({ isDisabled, consent, onConnected }: ConnectWaysProps) {
  const { hasApp, appProblem, ways } = useHubspotWays()
  const refreshRecords = useRefreshRecords()
  const toast = useToast()
  const typed = useConnectByKey(async (description) => {
    onConnected()
    toast({ title: 'Connected to HubSpot', description })
    await refreshRecords()
  })
  return (
    <KeyInstead
      hasApp={hasApp}
      appProblem={appProblem}
      consent={consent}
      form={
        <ServiceKeyForm
          typed={typed}
          submitLabel="Connect with this key"
          ways={ways}
          isDisabled={isDisabled}
        />
      }
    />
  )
}

type ServiceKeyOfCardProps = {
  connection: ConnectionStatus['hubspot']
  maskedKey: string
  isBusy: boolean
}

/** A member sees which key it is, and only an owner or admin changes it. */
export function ServiceKeyOfCard({ connection, maskedKey, isBusy }: ServiceKeyOfCardProps) {
  if (!useIsManager()) return <Text size="sm">Service key {maskedKey}</Text>
  return (
    <StoredServiceKey
      maskedKey={maskedKey}
      warning={connection.warning}
      isDisabled={isBusy}
      formOf={(end) => <OtherKey isDisabled={isBusy} onEnd={end} />}
    />
  )
}

function OtherKey({ isDisabled, onEnd }: { isDisabled: boolean; onEnd: () => void }) {
  const { ways } = useHubspotWays()
  const refreshRecords = useRefreshRecords()
  const toast = useToast()
  const typed = useConnectByKey(async (description) => {
    toast({ title: 'Connected to HubSpot', description })
    await refreshRecords()
    onEnd()
  })
  return (
    <ServiceKeyForm
      typed={typed}
      submitLabel="Update Service Key"
      ways={ways}
      isDisabled={isDisabled}
      onCancel={onEnd}
    />
  )
}

/** The ways to the custom objects. */
export function CardDoors(doors: { isBusy: boolean; onRetry: () => void }) {
  const { ways } = useHubspotWays()
  const typed = useCreateByKey(useObjectsToast())
  return <ObjectDoors {...doors} typed={typed} ways={ways} />
}
