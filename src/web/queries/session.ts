import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { getAbout, getCurrentUser } from '#contract/account.ts'
import { getInvitation, type OpenInvitation } from '#contract/organization.ts'
import { getSetupProgress } from '#contract/setup.ts'
import { getSyncState } from '#contract/sync.ts'
import { isManager } from '#domain/membership.ts'
import { ApiError, endpointKey, useEndpoint } from '../client.ts'
import { pageSession } from '../page-session.ts'
import { freshMs } from './freshness.ts'

/**
 * Returns the signed-in person, their active organization and its setup. The call runs before anything is drawn, so
 * the first component does not repeat it after a failure.
 */
export function useCurrentUser() {
  return useEndpoint(getCurrentUser, {}, { staleTime: freshMs.currentUser, retryOnMount: false })
}

/** Says whether the person is an owner or admin of the active organization. The server decides again at every call. */
export function useIsManager(): boolean {
  const role = useCurrentUser().data?.organization?.role
  return role !== undefined && isManager(role)
}

export type Obstacles = {
  /** The providers of the organization that are not connected. */
  missing: readonly ('HubSpot' | 'Stripe')[]
  /** Whether a person has to say whether another HubSpot account than before is meant. */
  isUndecided: boolean
  /** Whether HubSpot no longer accepts the connection. */
  isRefused: boolean
  /** Whether HubSpot can be used, but the custom objects could not be created in it. */
  areObjectsMissing: boolean
  /** Whether the person may put that right. */
  mayDecide: boolean
  /** Whether HubSpot can be read, and companies in it chosen. */
  isHubspotUsable: boolean
  /** Whether our records in HubSpot can be read: it can be used, and has the custom objects. */
  areRecordsReadable: boolean
  /** Whether records can be written to HubSpot. */
  canSync: boolean
}

/** What a person has to put right before anything is written to HubSpot. It is known before a screen is drawn. */
export function useObstacles(): Obstacles {
  const progress = useCurrentUser().data?.setupProgress
  const mayDecide = useIsManager()
  const missing = [
    ...(progress?.hubspotConnected === false ? (['HubSpot'] as const) : []),
    ...(progress?.stripeConnected === false ? (['Stripe'] as const) : []),
  ]
  const isUndecided = progress?.hubspotUndecided === true
  const isRefused = progress?.hubspotRefused === true
  const isHubspotUsable = !missing.includes('HubSpot') && !isUndecided && !isRefused
  const areObjectsMissing = isHubspotUsable && progress?.hubspotObjectsMissing === true
  const areRecordsReadable = isHubspotUsable && !areObjectsMissing
  return {
    ...{ missing, isUndecided, isRefused, areObjectsMissing, mayDecide, isHubspotUsable, areRecordsReadable },
    canSync: areRecordsReadable && missing.length === 0,
  }
}

/** Ends a sentence that promises the next sync with what that waits for: ', once Stripe is connected'. Empty if for nothing. */
export function useSyncCondition(): string {
  const { missing, isUndecided, isRefused, areObjectsMissing } = useObstacles()
  if (missing.length > 0)
    return `, once ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} connected`
  if (isUndecided) return ', once the HubSpot account is confirmed'
  if (isRefused) return ', once HubSpot is connected again'
  return areObjectsMissing ? ', once the custom objects are there' : ''
}

/** Returns what a visitor may know: simulated providers, the outbox of the simulated mode, the hosted sign-in. */
export function useAbout() {
  return useEndpoint(getAbout)
}

export function isSignedOut(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Call this after sign-in, sign-out or a change of organization: nothing of the last session may stay in the cache. */
export function useForgetSession(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    // From here on, calls belong to the next person; the gate says who that is.
    pageSession.own(null)
    client.removeQueries({
      predicate: (query) => query.queryKey[0] !== getCurrentUser.path && query.queryKey[0] !== getAbout.path,
    })
    await client.resetQueries({ queryKey: endpointKey(getCurrentUser) })
  }
}

/** Call this after a change of the person's own role: their rights are read again, and the screen stays. */
export function useRefreshUser(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: endpointKey(getCurrentUser) })
}

/** Reads the setup again, and what stands in the way of a sync. It resolves when the new state has arrived. */
export async function refreshProgress(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: endpointKey(getCurrentUser) }),
    client.invalidateQueries({ queryKey: endpointKey(getSetupProgress) }),
    client.invalidateQueries({ queryKey: endpointKey(getSyncState) }),
  ])
}

/** Call this after a change of the setup. It resolves when the new state has arrived. */
export function useRefreshProgress(): () => Promise<void> {
  const client = useQueryClient()
  return () => refreshProgress(client)
}

/**
 * What the link of an invitation says; undefined without one, while it is on its way, and where the link is no longer
 * valid.
 */
export function useInvitation(token: string | null): {
  invitation: OpenInvitation | undefined
  /** Whether the server knows of no such open invitation. */
  isClosed: boolean
  isPending: boolean
} {
  const { data, error, isLoading } = useEndpoint(
    getInvitation,
    token === null ? null : { query: { invitationId: token } },
    { staleTime: 0 },
  )
  const isClosed = error instanceof ApiError && [400, 404].includes(error.status)
  return { invitation: data, isClosed, isPending: isLoading }
}
