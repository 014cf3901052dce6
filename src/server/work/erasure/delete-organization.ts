import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { listMembers, lockMembership } from '../../store/accounts/members.ts'
import { findMembership } from '../../store/accounts/organizations.ts'
import { lockCrmConnection } from '../../store/connections/crm-connection.ts'
import { deleteOrganizationRow } from '../../store/erasure/deletions.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { cancelRuns } from '../../store/runs/runs.ts'
import { openTokensQuietly } from '../crm/sealed-tokens.ts'
import type { ActingMember } from '../organization/change-members.ts'

type Needs = Pick<Deps, 'database' | 'seal' | 'crm' | 'now' | 'log'>

const stopped = 'Stopped: the organization is being deleted.'

/**
 * Deletes the caller's organization: stops runs, revokes the tokens at the CRM, then empties every table in one
 * transaction. After an interruption the organization is complete but without a CRM, and can be deleted again.
 */
export async function deleteOrganization(
  deps: Needs,
  caller: ActingMember,
  typedName: string,
): Promise<void> {
  const { organizationId, actor } = caller
  const membership = await findMembership(deps.database, actor.userId, organizationId)
  if (membership?.name.trim() !== typedName) {
    throw new Refusal('invalid_request', 'name: is not the name of the organization. Type it as it stands.')
  }
  const refreshToken = await inOrganization(deps.database, organizationId, async (tenant) => {
    await requireOwner(tenant, actor.userId)
    await cancelRuns(tenant, deps.now(), stopped)
    const connection = await lockCrmConnection(tenant)
    const tokens = connection && openTokensQuietly(deps, organizationId, connection)
    return tokens?.refreshToken ?? null
  })
  const crmRevoked = refreshToken === null ? null : await revoke(deps, organizationId, refreshToken)
  await inOrganization(deps.database, organizationId, async (tenant) => {
    await requireOwner(tenant, actor.userId)
    // Runs that started meanwhile must end before their rows are deleted.
    await cancelRuns(tenant, deps.now(), stopped)
    await deleteOrganizationRow(tenant, crmRevoked)
  })
}

/** The same for an organization that reappeared because an older backup was restored; nobody has to confirm again. */
export function deleteOrganizationAgain(deps: Needs, organizationId: number): Promise<void> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    await cancelRuns(tenant, deps.now(), stopped)
    await deleteOrganizationRow(tenant, null)
  })
}

/** Reads the current role; the session may hold an older one. */
async function requireOwner(tenant: Tenant, userId: number): Promise<void> {
  await lockMembership(tenant)
  const self = (await listMembers(tenant)).find((member) => member.userId === userId)
  if (self?.role !== 'owner') {
    throw new Refusal('forbidden', 'Only an owner can delete the organization. Ask an owner to do it.')
  }
}

async function revoke({ crm, log }: Needs, organizationId: number, refreshToken: string): Promise<boolean> {
  try {
    await crm.revokeTokens(refreshToken)
    return true
  } catch (error) {
    log.error(
      { error, organizationId },
      'the organization is deleted, but its tokens were not revoked at the CRM',
    )
    return false
  }
}
