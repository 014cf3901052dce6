import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { getAbout } from '#contract/account.ts'

/** Call this when an import or push has ended, because every list and figure may have changed. */
export function useRefreshRecords(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== getAbout.path })
}

/** Reads everything again when what goes on has ended, also where the person has left the screen that follows it. */
export function useRefreshAfter(isGoingOn: boolean): void {
  const wasGoingOn = useRef(false)
  const refresh = useRefreshRecords()
  const refreshAll = useEffectEvent(() => void refresh())
  useEffect(() => {
    if (wasGoingOn.current && !isGoingOn) refreshAll()
    wasGoingOn.current = isGoingOn
  }, [isGoingOn])
}
