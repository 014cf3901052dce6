import { serverText } from '../../client.ts'
import { FailedObjects, objectsToast } from '../../components/failed-objects.tsx'
import { useCreateObjects, useFailedObjects } from '../../queries/hubspot-objects.ts'
import { useToast } from '../../ui/toast.tsx'

/** Beside a HubSpot connection: that the custom objects are missing, with another try; nothing where they are not. */
export function ObjectsNotice({ isConnected }: { isConnected: boolean }) {
  const toast = useToast()
  const failed = useFailedObjects(isConnected)
  const { create, isCreating } = useCreateObjects({
    onMade: (made) => toast(objectsToast(made)),
    onFailed: (error) => {
      const description = serverText(error, 'HubSpot could not be reached. Please try again.')
      toast({ title: 'Custom objects could not be created', description, isError: true })
    },
  })
  if (failed === null) return null
  return <FailedObjects failed={failed} isBusy={isCreating} onRetry={create} />
}
