import { useQueryClient } from '@tanstack/react-query'
import { getAbout, getCurrentUser } from '#contract/account.ts'
import { getSetupProgress } from '#contract/setup.ts'
import { isManager } from '#domain/membership.ts'
import { ApiError, endpointKey, useEndpoint } from '../client.ts'
import { pageSession } from '../page-session.ts'
import { freshMs } from './freshness.ts'

/**
 * Who is signed in, their active organization and its setup. It was asked before anything was drawn: what draws first
 * does not ask again because that failed.
 */
export function useCurrentUser() {
  return useEndpoint(getCurrentUser, {}, { staleTime: freshMs.currentUser, retryOnMount: false })
}

/** Whether the person is an owner or admin of the active organization; the server decides again at every call. */
export function useIsManager(): boolean {
  const role = useCurrentUser().data?.organization?.role
  return role !== undefined && isManager(role)
}

/** What a visitor may know: simulated providers, the outbox of the simulated mode, the hosted sign-in. */
export function useAbout() {
  return useEndpoint(getAbout)
}

export function isSignedOut(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 401
}

/** To call after sign-in, sign-out or another organization: nothing of the last one may stay in the cache. */
export function useForgetSession(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    // What is asked from here on is asked for whoever comes now; the gate says who that is.
    pageSession.own(null)
    client.removeQueries({
      predicate: (query) => query.queryKey[0] !== getCurrentUser.path && query.queryKey[0] !== getAbout.path,
    })
    await client.resetQueries({ queryKey: endpointKey(getCurrentUser) })
  }
}

/** To call after a change of the own role: what the person may do is read anew, and the screen stays. */
export function useRefreshUser(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: endpointKey(getCurrentUser) })
}

/** To call after something that moved the setup on or back; resolves when the new state is there. */
export function useRefreshProgress(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: endpointKey(getCurrentUser) }),
      client.invalidateQueries({ queryKey: endpointKey(getSetupProgress) }),
    ])
  }
}
