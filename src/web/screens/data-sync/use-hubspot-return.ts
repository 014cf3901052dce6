import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import { useRefreshRecords } from '../../queries/records.ts'
import { useIsManager } from '../../queries/session.ts'
import { useToast } from '../../ui/toast.tsx'

/** Says how HubSpot's consent ended when the browser returns from it, and removes that from the address. */
export function useHubspotReturn(): void {
  const [params, setParams] = useSearchParams()
  const toast = useToast()
  const isManager = useIsManager()
  const refreshRecords = useRefreshRecords()
  const outcome = params.get('hubspot')
  const tell = useEffectEvent((how: string) => {
    setParams({}, { replace: true })
    if (how === 'connected') {
      toast({ title: 'Connected to HubSpot' })
      void refreshRecords()
    } else {
      toast({
        title: 'Failed to connect to HubSpot',
        description: isManager
          ? 'HubSpot was not connected. Please try again.'
          : 'Only owners and admins can connect HubSpot.',
        isError: true,
      })
    }
  })
  useEffect(() => {
    if (outcome !== null) tell(outcome)
  }, [outcome])
}
