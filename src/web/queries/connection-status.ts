import { getConnectionStatus } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useEndpoint } from '../client.ts'

export type ConnectionStatus = ResponseOf<typeof getConnectionStatus>

/** Replaces a status that cannot be read, because an unknown connection must not look connected. */
export const bothDisconnected: ConnectionStatus = {
  hubspot: {
    dbConnected: false,
    apiConnected: null,
    warning: null,
    portalId: null,
    portalDomain: null,
    earlierPortalId: null,
    maskedKey: null,
  },
  stripe: {
    dbConnected: false,
    apiConnected: null,
    accountId: null,
    apiKeyFirstChars: null,
    warning: null,
    missingOptionalPermissions: [],
  },
  syncErrorCount: 0,
}

export function useConnectionStatus(options: { staleTime: number; refetchOnWindowFocus?: boolean }) {
  const query = useEndpoint(getConnectionStatus, {}, options)
  return {
    status: query.data ?? bothDisconnected,
    isPending: query.isPending,
    /** Says why the state of the connections is unknown; null when it is known. */
    unread: query.error,
    retryRead: () => void query.refetch(),
  }
}
