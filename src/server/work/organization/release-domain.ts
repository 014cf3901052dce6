import { canonicalHost } from '../../email-address.ts'
import { plainName } from '../../plain-name.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { dropClaim, findClaimant } from '../../store/accounts/domain-claims.ts'
import { listMembers } from '../../store/accounts/members.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { addToOutbox } from '../../store/accounts/outbox.ts'
import { type Database, inOrganization } from '../../store/postgres/database.ts'

/**
 * Removes an organization's claim of a domain, so that the next verified person of that domain may found another.
 * Logs it and mails the owners. Returns the name and the number of mails; undefined if the domain is unclaimed.
 */
export async function releaseDomain(
  database: Database,
  typed: string,
): Promise<{ domain: string; organization: string; told: number } | undefined> {
  const domain = canonicalHost(typed)
  const claimant = domain === null ? undefined : await findClaimant(database, domain)
  if (domain === null || claimant === undefined) return undefined
  return inOrganization(database, claimant, async (tenant) => {
    if (!(await dropClaim(tenant, domain))) return undefined
    await recordAudit(tenant, null, { action: 'domain_released', subject: domain })
    const { name } = await getOrganization(tenant)
    const owners = (await listMembers(tenant)).filter(({ role }) => role === 'owner')
    for (const { email } of owners) {
      await addToOutbox(tenant.sql, {
        to: email,
        subject: 'A domain is no longer claimed by your organization',
        body: `Whoever runs Tributary has released the domain ${domain}, which your organization had claimed. Another organization may claim it now. Your data and your members stay as they are. If you did not expect this, ask whoever runs Tributary.`,
        link: null,
      })
    }
    // A terminal obeys control characters, and an earlier version kept them in names.
    return { domain, organization: plainName(name), told: owners.length }
  })
}
