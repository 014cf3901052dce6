import { useQueryClient } from '@tanstack/react-query'
import { getAbout } from '#contract/account.ts'

/** Call this when an import or push has ended, because every list and figure may have changed. */
export function useRefreshRecords(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== getAbout.path })
}
