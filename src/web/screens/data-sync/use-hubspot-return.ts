import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useRefreshRecords } from '../../queries/records.ts'
import { useIsManager } from '../../queries/session.ts'
import { useToast } from '../../ui/toast.tsx'

/** Why HubSpot's consent failed, until it is given again or a key connects. */
export type ConsentFailure = {
  failure: string | null
  setFailure: (failure: string | null) => void
  /** Whether the person has come back from HubSpot's page. */
  isBack: boolean
}

/** Says how HubSpot's consent ended when the browser returns from it, and removes that from the address. */
export function useHubspotReturn(): ConsentFailure {
  const [params, setParams] = useSearchParams()
  const toast = useToast()
  const isManager = useIsManager()
  const refreshRecords = useRefreshRecords()
  const outcome = params.get('hubspot')
  const [failure, setFailure] = useState<string | null>(null)
  const [isBack, setBack] = useState(outcome !== null)
  const tell = useEffectEvent((how: string) => {
    setParams({}, { replace: true })
    setBack(true)
    if (how === 'connected') {
      setFailure(null)
      toast({ title: 'Connected to HubSpot' })
      void refreshRecords()
    } else {
      const description = isManager
        ? 'HubSpot was not connected. Please try again.'
        : 'Only owners and admins can connect HubSpot.'
      setFailure(description)
      toast({ title: 'Failed to connect to HubSpot', description, isError: true })
    }
  })
  useEffect(() => {
    if (outcome !== null) tell(outcome)
  }, [outcome])
  return { failure, setFailure, isBack }
}
