import { createHash, randomBytes } from 'node:crypto'
import { isManager, type Role } from '#domain/membership.ts'
import type { Deps } from '../../deps.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { acceptPortal } from '../../store/connections/crm-connection.ts'
import { saveOauthState, takeOauthState } from '../../store/connections/oauth-states.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { connectionOf } from '../crm/sealed-tokens.ts'
import { withAskedCrm } from '../crm/with-crm.ts'
import { describeAccount, keepCrmConnection } from './keep-crm-connection.ts'

/** Who connects: the consent's state is valid only for this person, organization and session. */
export type Connector = { organizationId: number; userId: number; sessionId: number; role: Role }
export type ReturnTo = 'popup' | 'data-sync'
export type Authorization = {
  outcome: 'connected' | 'denied' | 'failed'
  returnTo: ReturnTo
  message: string
}

const stateBytes = 16
const stateLifeMs = 10 * 60 * 1_000

/**
 * The URL of the CRM's consent page, with a single-use state that is valid for ten minutes. Refuses if the CRM is known
 * to refuse the address to which it would have to send the browser back.
 */
export async function authorizeCrm(deps: Deps, connector: Connector, returnTo: ReturnTo): Promise<string> {
  if (!deps.crm.hasApp) {
    throw new Refusal(
      'not_connected',
      `This installation has no ${deps.crm.name} app. Connect with a service key instead.`,
    )
  }
  const { redirectUrl, redirectProblem } = deps.config.hubspot
  if (redirectProblem?.isRefused) throw new Refusal('conflict', redirectProblem.text)
  const state = randomBytes(stateBytes).toString('base64url')
  const at = deps.now()
  await inOrganization(deps.database, connector.organizationId, (tenant) =>
    saveOauthState(
      tenant,
      {
        stateHash: hashOf(state),
        userId: connector.userId,
        sessionId: connector.sessionId,
        returnTo,
        expiresAt: new Date(at.getTime() + stateLifeMs),
      },
      at,
    ),
  )
  return deps.crm.authorizeUrl({ redirectUri: redirectUrl, state })
}

/**
 * Handles the browser's return from the consent page: verifies the state, trades the code for tokens, seals them
 * before first use, and creates the objects if possible. Never throws for errors of the CRM or a person.
 */
export async function completeCrmAuthorization(
  deps: Deps,
  connector: Connector | null,
  query: URLSearchParams,
): Promise<Authorization> {
  const state = query.get('state')
  const failed = (message: string, returnTo: ReturnTo = 'popup'): Authorization => ({
    outcome: 'failed',
    returnTo,
    message,
  })
  if (connector === null) return failed('Please sign in and connect again.')
  const returnTo = state === null ? undefined : await redeemState(deps, connector, state)
  if (returnTo === undefined) return failed('This authorization has expired. Please connect again.')
  const { name } = deps.crm
  // The person's role may have changed since they started.
  if (!isManager(connector.role)) return failed(`Only owners and admins can connect ${name}.`, returnTo)
  if (query.get('error') === 'access_denied') {
    return { outcome: 'denied', returnTo, message: `${name} was not connected: the access was not granted.` }
  }
  const code = query.get('code')
  if (code === null || query.has('error')) {
    return failed(`${name} ended the authorization with an error. Please connect again.`, returnTo)
  }
  try {
    const tokens = await deps.crm.exchangeCode({ code, redirectUri: deps.config.hubspot.redirectUrl })
    const kept = connectionOf(deps, connector.organizationId, tokens, {}, deps.now())
    const { earlierPortal } = await keepCrmConnection(deps, connector, kept)
    await describeAccount(deps, connector.organizationId, earlierPortal === null)
    return { outcome: 'connected', returnTo, message: connectedMessage(name, tokens.portalId, earlierPortal) }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn(
      { kind: error.kind, requestId: error.request.id },
      'the authorization code was not accepted',
    )
    return failed(`Failed to connect to ${name}. ${error.message}`, returnTo)
  }
}

/**
 * What a person is told after connecting; another account than before is named, because nothing is written to it
 * yet.
 */
export function connectedMessage(name: string, portalId: string, earlierPortal: string | null): string {
  return earlierPortal === null
    ? `Connected to ${name} (account ${portalId}).`
    : `Connected to ${name} account ${portalId}. It is another account than before (${earlierPortal}): nothing is written to it until you say so.`
}

async function redeemState(deps: Deps, connector: Connector, state: string): Promise<ReturnTo | undefined> {
  const kept = await inOrganization(deps.database, connector.organizationId, (tenant) =>
    takeOauthState(tenant, hashOf(state)),
  )
  const isOurs = kept?.userId === connector.userId && kept.sessionId === connector.sessionId
  if (!kept || !isOurs || kept.expiresAt <= deps.now()) return undefined
  return kept.returnTo === 'data-sync' ? 'data-sync' : 'popup'
}

/**
 * A person confirms that another portal is meant: from now on everything is written to it, as if nothing had been
 * pushed before. We keep what we know about the earlier portal. To decline is to disconnect.
 */
export async function acceptCrmPortal(deps: Deps, organizationId: number, portalId: string): Promise<void> {
  const isAccepted = await inOrganization(deps.database, organizationId, (tenant) =>
    acceptPortal(tenant, portalId),
  )
  if (!isAccepted)
    throw new Refusal('conflict', `Another ${deps.crm.name} account is connected by now. Reload the page.`)
  await describeAccount(deps, organizationId, true)
}

/** Asks the CRM whether the connection works. Throws if the CRM cannot answer now. */
export async function verifyCrm(deps: Deps, organizationId: number): Promise<{ connected: boolean }> {
  const connection = await inOrganization(deps.database, organizationId, (tenant) =>
    findConnection(tenant, 'crm'),
  )
  if (!connection) return { connected: false }
  try {
    await withAskedCrm(deps, organizationId, ({ access }) => deps.crm.getAccount(access))
    return { connected: true }
  } catch (error) {
    if (error instanceof ProviderError && !error.isWorthRetrying) return { connected: false }
    throw error
  }
}

function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('base64url')
}
