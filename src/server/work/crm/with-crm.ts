import type { Deps } from '../../deps.ts'
import type { CrmAccess } from '../../providers/crm-directory.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'
import {
  findConnection,
  type ProviderConnection,
  saveConnection,
  setConnectionWarning,
} from '../../store/connections/connections.ts'
import { lockCrmConnection } from '../../store/connections/crm-connection.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { connectionOf, openTokens, usesServiceKey } from './sealed-tokens.ts'

/** The connection's warning after the CRM refused its tokens for good. */
export const deadTokenWarning = 'Token needs refresh'

export type CrmSession = {
  access: CrmAccess
  scopes: string[]
  /** The scopes for changing objects, where another key does that. */
  schemaScopes?: string[]
  /** Whether the connection is by a service key, which a person changes in the CRM itself. */
  isByKey: boolean
}
type Held = { accessToken: string; refreshDueAt: Date }

/** While the old token still works, a failed renewal is not repeated for this time. */
const renewPauseMs = 60_000
const endOfTime = new Date(8.64e15)

/**
 * Gives `work` access to the organization's portal. One process at a time renews the token by the clock and saves it
 * before use. Throws a Refusal without a connection, and an `unauthorized` ProviderError for a dead one.
 */
export async function withCrm<T>(
  deps: Deps,
  organizationId: number,
  work: (session: CrmSession) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const connection = await readConnection(deps, organizationId)
  if (connection?.earlier_account_id) throw unanswered(deps, connection.earlier_account_id)
  return openSession(deps, organizationId, connection, work, signal)
}

/** The same, but also allowed while a person has not yet confirmed a changed portal; use it only for reading. */
export async function withAskedCrm<T>(
  deps: Deps,
  organizationId: number,
  work: (session: CrmSession) => Promise<T>,
): Promise<T> {
  return openSession(deps, organizationId, await readConnection(deps, organizationId), work)
}

function readConnection(deps: Deps, organizationId: number): Promise<ProviderConnection | undefined> {
  return inOrganization(deps.database, organizationId, (tenant) => findConnection(tenant, 'crm'))
}

function openSession<T>(
  deps: Deps,
  organizationId: number,
  connection: ProviderConnection | undefined,
  work: (session: CrmSession) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const portalId = connection?.account_id
  if (!connection || !portalId) throw notConnected(deps)
  if (connection.warning === deadTokenWarning) throw dead(deps)
  if (usesServiceKey(connection)) {
    if (connection.warning !== null) throw new ProviderError('unauthorized', connection.warning)
    return openKeySession(deps, organizationId, connection, work, signal)
  }
  let held = heldOf(deps, organizationId, connection)
  let renewal: Promise<Held> | undefined
  const access: CrmAccess = {
    portalId,
    signal,
    async token(refused) {
      if (held.accessToken !== refused && deps.now() < held.refreshDueAt) return held.accessToken
      renewal ??= renewToken(deps, organizationId, portalId, refused).finally(() => {
        renewal = undefined
      })
      held = await renewal
      return held.accessToken
    },
  }
  return work({ access, scopes: connection.scopes, isByKey: false })
}

/**
 * A key is never renewed, but a person may replace it while the work goes on. A refusal that outlasts the client's
 * patience means that the key ended.
 */
async function openKeySession<T>(
  deps: Deps,
  organizationId: number,
  connection: ProviderConnection,
  work: (session: CrmSession) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const portalId = connection.account_id ?? ''
  let standing = connection
  let key = openTokens(deps, organizationId, standing).accessToken
  const access: CrmAccess = {
    portalId,
    signal,
    async token(refused) {
      if (refused !== key) return key
      const now = await readConnection(deps, organizationId)
      if (now?.account_id !== portalId) throw notConnected(deps)
      standing = now
      key = openTokens(deps, organizationId, now).accessToken
      return key
    },
  }
  try {
    return await work({ access, scopes: connection.scopes, isByKey: true })
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'unauthorized')) throw error
    const warning = deadKeyWarning(deps)
    await inOrganization(deps.database, organizationId, (tenant) =>
      setConnectionWarning(tenant, standing, warning),
    )
    throw new ProviderError('unauthorized', warning, { request: error.request })
  }
}

/**
 * Renews under the lock of the connection's row; processes that waited find the tokens of the first one. Only a
 * definite refusal marks the connection; other errors may pass.
 */
async function renewToken(
  deps: Deps,
  organizationId: number,
  portalId: string,
  refused: string | undefined,
): Promise<Held> {
  const renewed = await inOrganization(deps.database, organizationId, async (tenant) => {
    const connection = await lockCrmConnection(tenant)
    if (!connection || connection.account_id !== portalId) throw notConnected(deps)
    const stored = openTokens(deps, organizationId, connection)
    // A person put a service key in the place of the consent.
    if (stored.refreshToken === null) return { accessToken: stored.accessToken, refreshDueAt: endOfTime }
    const at = deps.now()
    const isUsable = stored.accessToken !== refused
    if (isUsable && connection.refresh_due_at && at < connection.refresh_due_at) {
      return heldOf(deps, organizationId, connection)
    }
    try {
      const tokens = await deps.crm.refreshTokens(stored.refreshToken)
      const scopes = tokens.scopes.length > 0 ? tokens.scopes : connection.scopes
      const details = typeof connection.details === 'object' ? (connection.details ?? {}) : {}
      const kept = connectionOf(deps, organizationId, { ...tokens, portalId, scopes }, details, at)
      await saveConnection(tenant, kept, { isRenewal: true })
      return { accessToken: tokens.accessToken, refreshDueAt: kept.refreshDueAt }
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'unauthorized') {
        await setConnectionWarning(tenant, connection, deadTokenWarning)
        return error
      }
      if (
        !(error instanceof ProviderError && isUsable && connection.expires_at && at < connection.expires_at)
      )
        throw error
      return { accessToken: stored.accessToken, refreshDueAt: new Date(at.getTime() + renewPauseMs) }
    }
  })
  if (renewed instanceof ProviderError) throw dead(deps, renewed)
  return renewed
}

function heldOf(deps: Deps, organizationId: number, connection: ProviderConnection): Held {
  return {
    accessToken: openTokens(deps, organizationId, connection).accessToken,
    refreshDueAt: connection.refresh_due_at ?? deps.now(),
  }
}

function notConnected({ crm }: Deps): Refusal {
  return new Refusal('not_connected', `${crm.name} is not connected. Connect it first.`)
}

/** Until a person confirms the changed portal, nothing may be written to it. */
export function unanswered({ crm }: Pick<Deps, 'crm'>, earlierPortalId: string): Refusal {
  return new Refusal(
    'conflict',
    `Another ${crm.name} account than before (${earlierPortalId}) is connected. Say on Data Sync whether to use it.`,
  )
}

function dead({ crm }: Deps, refusal?: ProviderError): ProviderError {
  const message = `${crm.name} no longer accepts this connection. Please reconnect.`
  return new ProviderError('unauthorized', message, refusal && { request: refusal.request })
}

function deadKeyWarning({ crm }: Deps): string {
  return `${crm.name} no longer accepts the service key: it was rotated or deleted there. Enter the new key on Data Sync.`
}
