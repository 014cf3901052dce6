import type { Deps } from '../../deps.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { listOrganizationIds } from '../../store/accounts/organizations.ts'
import { destroySecrets, type EndedAccess, endAllAccess } from '../../store/accounts/revocation.ts'
import { lockCrmConnection } from '../../store/connections/crm-connection.ts'
import { deleteErasureKey } from '../../store/connections/sealed-secrets.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { cancelRuns } from '../../store/runs/runs.ts'
import { openTokensQuietly, usesServiceKey } from '../crm/sealed-tokens.ts'
import { deadTokenWarning } from '../crm/with-crm.ts'
import { findHashes } from '../erasure/hashes.ts'

const stopped = 'Stopped: all access was revoked for safety.'

export type Revocation = EndedAccess & {
  runs: number
  /** Connections whose secrets were destroyed. */
  paymentKeys: number
  crmTokens: number
  /** The CRM connections among them that the CRM itself revoked, if it was asked. */
  revokedAtCrm: number
  /** The organizations whose key for erased people the ring does not open; `isKeyLost` forgets these keys. */
  unopenedErasures: number
}

/**
 * For a possible leak of secrets: ends all sessions and runs, destroys every stored secret, and notes it in each
 * organization's activity log. Data stays. A repeated call continues. `atCrm` also revokes tokens at the CRM, one
 * request per organization.
 */
export async function revokeAll(
  deps: Pick<Deps, 'database' | 'seal' | 'payments' | 'crm' | 'now' | 'log'>,
  options: { atCrm: boolean; isKeyLost?: boolean },
): Promise<Revocation> {
  const ended = await endAllAccess(deps.database)
  const revocation: Revocation = {
    ...ended,
    ...{ runs: 0, paymentKeys: 0, crmTokens: 0, revokedAtCrm: 0, unopenedErasures: 0 },
  }
  for (const organizationId of await listOrganizationIds(deps.database)) {
    const one = await revokeOrganization(deps, organizationId, options.isKeyLost ?? false)
    revocation.runs += one.runs
    revocation.unopenedErasures += one.isErasureKeyOpen ? 0 : 1
    revocation.paymentKeys += one.ended.includes('payments') ? 1 : 0
    revocation.crmTokens += one.ended.includes('crm') ? 1 : 0
    if (options.atCrm && one.ended.includes('crm')) {
      revocation.revokedAtCrm += (await revokeAtCrm(deps, organizationId, one.refreshToken)) ? 1 : 0
    }
  }
  return revocation
}

function revokeOrganization(
  deps: Pick<Deps, 'database' | 'seal' | 'payments' | 'crm' | 'now'>,
  organizationId: number,
  isKeyLost: boolean,
): Promise<{
  runs: number
  ended: ('payments' | 'crm')[]
  refreshToken: string | null
  isErasureKeyOpen: boolean
}> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    // Cancel the run first, because its own transactions lock the run before the connection.
    const runs = await cancelRuns(tenant, deps.now(), stopped)
    const connection = await lockCrmConnection(tenant)
    const tokens = connection && openTokensQuietly(deps, organizationId, connection)
    const keyWarning = `The stored key was destroyed for safety. Roll it in ${deps.payments.name} and enter the new one.`
    const crmKeyWarning = `The stored service key was destroyed for safety. Rotate it in ${deps.crm.name} and enter the new one.`
    const isByKey = connection !== undefined && usesServiceKey(connection)
    const ended = await destroySecrets(tenant, {
      payments: keyWarning,
      crm: isByKey ? crmKeyWarning : deadTokenWarning,
    })
    const isErasureKeyOpen = await canRecognizeErased(deps, tenant)
    if (!isErasureKeyOpen && isKeyLost) await deleteErasureKey(tenant)
    await recordAudit(tenant, null, { action: 'access_revoked' })
    return { runs, ended, refreshToken: tokens?.refreshToken ?? null, isErasureKeyOpen }
  })
}

async function canRecognizeErased({ seal }: Pick<Deps, 'seal'>, tenant: Tenant): Promise<boolean> {
  try {
    await findHashes(seal, tenant)
    return true
  } catch {
    return false
  }
}

async function revokeAtCrm(
  { crm, log }: Pick<Deps, 'crm' | 'log'>,
  organizationId: number,
  refreshToken: string | null,
): Promise<boolean> {
  if (refreshToken === null) {
    log.error(
      { organizationId },
      'what was destroyed here is a key, or cannot be opened: no CRM can be asked',
    )
    return false
  }
  try {
    await crm.revokeTokens(refreshToken)
    return true
  } catch (error) {
    log.error({ error, organizationId }, 'the tokens are destroyed here, but not revoked at the CRM')
    return false
  }
}
