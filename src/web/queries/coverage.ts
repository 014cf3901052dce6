import { getMatchCoverage } from '#contract/lists/match-figures.ts'
import { useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'
import { useCurrentUser } from './session.ts'

/** How much MRR is attached to companies, and how many customers wait; not asked before HubSpot is connected. */
export function useCoverage() {
  const { data: user } = useCurrentUser()
  const isConnected = user?.setupProgress?.hubspotConnected === true
  return useEndpoint(getMatchCoverage, isConnected ? {} : null, { staleTime: freshMs.coverage })
}
