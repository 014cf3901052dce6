import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection, type NewConnection, saveConnection } from '../../store/connections/connections.ts'
import { askAboutPortal, describeCrmConnection } from '../../store/connections/crm-connection.ts'
import { findLastPortal, findLastWrittenPortal } from '../../store/crm/crm-objects.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { cancelRuns } from '../../store/runs/runs.ts'
import { updateSettings } from '../../store/setup/settings.ts'
import { ensureCrmObjects } from '../crm/ensure-crm-objects.ts'
import { openTokensQuietly } from '../crm/sealed-tokens.ts'
import { type CrmSession, withAskedCrm } from '../crm/with-crm.ts'
import { oneLine, tellOwners } from '../mail/tell-owners.ts'

type Actor = { organizationId: number; userId: number }
type Kept = {
  /** A different portal that holds what we wrote: a person has to confirm the new one. */
  earlierPortal: string | null
  /** The consent that this connection replaced, so that it can be revoked. */
  replacedRefreshToken: string | null
  isReplaced: boolean
}

/**
 * Saves a connection, stops runs that belong to another portal, and tells the owners what changed. With `keepsPortal` it
 * refuses to replace the connection of another portal, and changes nothing.
 */
export function keepCrmConnection(
  deps: Deps,
  { organizationId, userId }: Actor,
  connection: NewConnection,
  { keepsPortal = false }: { keepsPortal?: boolean } = {},
): Promise<Kept> {
  const at = deps.now()
  const portalId = connection.accountId ?? ''
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const standing = await findConnection(tenant, 'crm')
    if (keepsPortal && standing?.account_id != null && standing.account_id !== portalId)
      throw otherPortal(deps, portalId, standing.account_id)
    const last = standing?.earlier_account_id ?? standing?.account_id ?? (await findLastPortal(tenant))
    const isOther = last !== undefined && last !== portalId
    const written = isOther ? await findLastWrittenPortal(tenant) : undefined
    // Where nothing was ever written, nothing is left behind, so there is nothing to ask.
    const earlierPortal = written === undefined || written === portalId ? null : written
    // Cancel the run first, because its own transactions lock the run before the connection.
    if (standing !== undefined && standing.account_id !== portalId)
      await cancelRuns(tenant, at, `Stopped, because another ${deps.crm.name} account was connected.`)
    await saveConnection(tenant, connection)
    await askAboutPortal(tenant, earlierPortal)
    if (isOther) await updateSettings(tenant, { dataSynced: false })
    const before = standing && openTokensQuietly(deps, organizationId, standing)
    await tellOfChange(deps, tenant, userId, {
      connection,
      portalBefore: standing?.account_id ?? last,
      isOtherSecret:
        standing !== undefined && before?.accessToken !== secretOf(deps, organizationId, connection),
    })
    return {
      earlierPortal,
      replacedRefreshToken: before?.refreshToken ?? null,
      isReplaced: standing !== undefined,
    }
  })
}

type Change = { connection: NewConnection; portalBefore: string | undefined; isOtherSecret: boolean }

/** A renewed consent of the same portal is nothing new; another portal or another key is. */
async function tellOfChange(deps: Deps, tenant: Tenant, userId: number, change: Change): Promise<void> {
  const { name } = deps.crm
  const { connection, portalBefore, isOtherSecret } = change
  const portal = oneLine(connection.accountId ?? '')
  if (portalBefore !== undefined && portalBefore !== connection.accountId) {
    const deed = `connected ${name} account ${portal} in place of account ${portalBefore}`
    await tellOwners(deps, tenant, userId, { subject: `Another ${name} account was connected`, deed })
  } else if (isOtherSecret && connection.secretHint !== null) {
    const deed = `connected the service key ${oneLine(connection.secretHint)} of ${name} account ${portal} in place of what was connected before`
    await tellOwners(deps, tenant, userId, { subject: `Another ${name} key was connected`, deed })
  }
}

function otherPortal({ crm }: Deps, portalId: string, standing: string): Refusal {
  return new Refusal(
    'other_account',
    `This key belongs to ${crm.name} account ${portalId}, but account ${standing} is connected. Enter a key of account ${standing}, or disconnect it first.`,
  )
}

function secretOf(deps: Deps, organizationId: number, { sealedSecret }: NewConnection): string | undefined {
  return openTokensQuietly(deps, organizationId, { sealed_secret: sealedSecret })?.accessToken
}

/** Adds optional details of the account; if this fails, the next step that needs them retries. */
export async function describeAccount(deps: Deps, organizationId: number, mayWrite: boolean): Promise<void> {
  try {
    await withAskedCrm(deps, organizationId, (session) => saveAccount(deps, organizationId, session))
    if (mayWrite) await ensureCrmObjects(deps, organizationId)
  } catch (error) {
    deps.log.warn({ error }, 'connected, but the account could not be set up yet')
  }
}

async function saveAccount(deps: Deps, organizationId: number, session: CrmSession): Promise<void> {
  const { access } = session
  const account = await deps.crm.getAccount(access)
  const domain = await findDomain(deps, session)
  await inOrganization(deps.database, organizationId, async (tenant) => {
    const connection = await findConnection(tenant, 'crm')
    if (connection?.account_id === access.portalId) {
      await describeCrmConnection(tenant, connection.secret_version, { ...account, domain })
    }
  })
}

/** Only for people to recognize the portal by, so a connection does without it. The CRM tells it of a consent only. */
async function findDomain(deps: Deps, { access, isByKey }: CrmSession): Promise<string | null> {
  if (isByKey) return null
  try {
    return await deps.crm.findPortalDomain(access)
  } catch (error) {
    deps.log.warn({ error }, 'connected, but the domain of the account could not be read')
    return null
  }
}
