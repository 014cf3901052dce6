import { FailedObjects, useObjectsToast } from '../../components/failed-objects.tsx'
import { ObjectDoors } from '../../components/service-key/object-doors.tsx'
import { ServiceKeyForm } from '../../components/service-key/service-key-form.tsx'
import { useCreateByKey, useCreateObjects, useFailedObjects } from '../../queries/hubspot-objects.ts'
import { useHubspotWays } from '../../queries/service-key.ts'

/**
 * Says beside a HubSpot connection that the custom objects are missing, and offers the ways to them. Renders nothing
 * when they exist.
 */
export function ObjectsNotice({ isConnected }: { isConnected: boolean }) {
  const failed = useFailedObjects(isConnected)
  const { create, isCreating } = useCreateObjects(useObjectsToast())
  if (failed === null) return null
  const { hasOtherWays } = failed
  return (
    <FailedObjects
      failed={failed}
      doors={<SetupDoors isBusy={isCreating} onRetry={create} hasOtherWays={hasOtherWays} />}
    />
  )
}

/** The ways to the custom objects. `onRetry` is left out where the step itself has that button. */
export function SetupDoors(doors: { isBusy: boolean; onRetry?: () => void; hasOtherWays: boolean }) {
  const { ways } = useHubspotWays()
  const typed = useCreateByKey(useObjectsToast())
  const keyForm = (
    <ServiceKeyForm typed={typed} submitLabel="Create with this key" ways={ways} isForObjectsOnly />
  )
  return <ObjectDoors {...doors} keyForm={keyForm} />
}
