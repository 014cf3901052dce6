import { FailedObjects, useObjectsToast } from '../../components/failed-objects.tsx'
import { useCreateObjects, useFailedObjects } from '../../queries/hubspot-objects.ts'

/** Beside a HubSpot connection: that the custom objects are missing, with another try; nothing where they are not. */
export function ObjectsNotice({ isConnected }: { isConnected: boolean }) {
  const failed = useFailedObjects(isConnected)
  const { create, isCreating } = useCreateObjects(useObjectsToast())
  if (failed === null) return null
  return <FailedObjects failed={failed} isBusy={isCreating} onRetry={create} />
}
