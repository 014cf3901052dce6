import { useCoverage } from './coverage.ts'
import { useCurrentUser } from './session.ts'

export type MatchingStand = 'not_imported' | 'not_connected' | 'undecided' | 'not_run' | 'matched'

/** Says what it means that no customer waits for a match: that all are matched, or that nobody was looked for yet. */
export function useMatchingStand(): MatchingStand {
  const progress = useCurrentUser().data?.setupProgress
  const coverage = useCoverage().data
  if (progress?.dataImported === false && !progress.hasRecords) return 'not_imported'
  if (progress?.hubspotConnected === false) return 'not_connected'
  if (progress?.hubspotUndecided === true) return 'undecided'
  return coverage?.wasMatchingRun === false ? 'not_run' : 'matched'
}
