import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { getAbout } from '#contract/account.ts'

/** Call this when an import or push has ended, because every list and figure may have changed. */
export function useRefreshRecords(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== getAbout.path })
}

/**
 * Reads everything again when what goes on has ended, also where the person has left the screen that follows it.
 * `endedAt` tells of an end that nobody saw coming; undefined while it is not known.
 */
export function useRefreshAfter(isGoingOn: boolean, endedAt?: string | null): void {
  const before = useRef({ isGoingOn, endedAt })
  const refresh = useRefreshRecords()
  const refreshAll = useEffectEvent(() => void refresh())
  useEffect(() => {
    const known = before.current
    before.current = { isGoingOn, endedAt }
    const isOtherEnd = known.endedAt !== undefined && known.endedAt !== endedAt
    if ((known.isGoingOn && !isGoingOn) || isOtherEnd) refreshAll()
  }, [isGoingOn, endedAt])
}
