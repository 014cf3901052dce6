import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { FailedObjects, useObjectsToast } from '../../components/failed-objects.tsx'
import { ObjectDoors } from '../../components/service-key/object-doors.tsx'
import { stepLabels } from '../../components/setup-steps.ts'
import { paths } from '../../paths.ts'
import { useCreateByKey, useCreateObjects, useFailedObjects } from '../../queries/hubspot-objects.ts'
import { useHubspotWays } from '../../queries/service-key.ts'

type ObjectsNoticeProps = {
  isConnected: boolean
  /** Whether the person connects HubSpot again on this very step. */
  isConnectStep?: boolean
}

/**
 * Says beside a HubSpot connection that the custom objects are missing, and offers the ways to them. Renders nothing
 * when they exist.
 */
export function ObjectsNotice({ isConnected, isConnectStep = false }: ObjectsNoticeProps) {
  const failed = useFailedObjects(isConnected)
  const { create, isCreating } = useCreateObjects(useObjectsToast())
  if (failed === null) return null
  const connectAgain = isConnectStep ? null : (
    <Anchor component={Link} to={paths.setupStep('crm')} size="sm" underline="always">
      {stepLabels.crm}
    </Anchor>
  )
  const doors = failed.hasOtherWays ? <SetupDoors isBusy={isCreating} onRetry={create} /> : connectAgain
  return <FailedObjects failed={failed} doors={doors} />
}

/** The ways to the custom objects. `onRetry` is left out where the step itself has that button. */
export function SetupDoors(doors: { isBusy: boolean; onRetry?: () => void }) {
  const { ways } = useHubspotWays()
  const typed = useCreateByKey(useObjectsToast())
  return <ObjectDoors {...doors} typed={typed} ways={ways} />
}
