import { FailedObjects, useObjectsToast } from '../../components/failed-objects.tsx'
import { useCreateObjects, useFailedObjects } from '../../queries/hubspot-objects.ts'

/**
 * Says beside a HubSpot connection that the custom objects are missing, and offers another try. Renders nothing when
 * they exist.
 */
export function ObjectsNotice({ isConnected }: { isConnected: boolean }) {
  const failed = useFailedObjects(isConnected)
  const { create, isCreating } = useCreateObjects(useObjectsToast())
  if (failed === null) return null
  return <FailedObjects failed={failed} isBusy={isCreating} onRetry={create} />
}
