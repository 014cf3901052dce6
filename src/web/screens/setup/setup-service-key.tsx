import { KeyInstead } from '../../components/service-key/key-instead.tsx'
import { ServiceKeyForm } from '../../components/service-key/service-key-form.tsx'
import { StoredServiceKey } from '../../components/service-key/stored-service-key.tsx'
import { useConnectByKey, useHubspotWays } from '../../queries/service-key.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { FailureText } from '../../ui/problems/failure-text.tsx'
import { useToast } from '../../ui/toast.tsx'

type ConnectWaysProps = {
  /** Whether the consent is open or being verified. */
  isBusy: boolean
  isPending: boolean
  failure: string | null
  onConsent: () => void
  onConnected: (message: string) => void
}

/** Connects HubSpot by consent, or by a service key instead. */
export function ConnectWays({ isBusy, isPending, failure, onConsent, onConnected }: ConnectWaysProps) {
  const { hasApp, appProblem, ways } = useHubspotWays()
  const typed = useConnectByKey(onConnected)
  const consent = (
    <>
      <StartButton isBusy={isBusy || isPending} onClick={onConsent}>
        Connect HubSpot
      </StartButton>
      <FailureText text={failure} />
    </>
  )
  const form = (
    <ServiceKeyForm typed={typed} submitLabel="Connect with this key" ways={ways} isDisabled={isBusy} />
  )
  return <KeyInstead hasApp={hasApp} appProblem={appProblem} consent={consent} form={form} />
}

/** Shows the key that connects HubSpot, and changes it. */
export function SetupServiceKey({ maskedKey, warning }: { maskedKey: string; warning: string | null }) {
  return (
    <StoredServiceKey maskedKey={maskedKey} warning={warning} formOf={(end) => <OtherKey onEnd={end} />} />
  )
}

function OtherKey({ onEnd }: { onEnd: () => void }) {
  const toast = useToast()
  const { ways } = useHubspotWays()
  const typed = useConnectByKey((description) => {
    toast({ title: 'Connected to HubSpot', description })
    onEnd()
  })
  return <ServiceKeyForm typed={typed} submitLabel="Update Service Key" ways={ways} onCancel={onEnd} />
}
