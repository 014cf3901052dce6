import type { Deps } from '../../deps.ts'
import { listMembers } from '../../store/accounts/members.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { addToOutbox } from '../../store/accounts/outbox.ts'
import type { Tenant } from '../../store/postgres/database.ts'

const partMaxLength = 100

/**
 * Tells every owner by mail who has just changed where the organization's data comes from or goes to; in the transaction of
 * the change, so that neither is without the other. `deed` is what they did, as 'disconnected Stripe', and holds no secret.
 */
export async function tellOwners(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  tenant: Tenant,
  byUserId: number | null,
  { subject, deed }: { subject: string; deed: string },
): Promise<void> {
  const members = await listMembers(tenant)
  const { name } = await getOrganization(tenant)
  const who = members.find(({ userId }) => userId === byUserId)?.email ?? 'Somebody'
  const at = `${now().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  for (const owner of members.filter(({ role }) => role === 'owner')) {
    await addToOutbox(tenant.sql, {
      to: owner.email,
      subject,
      body:
        `${who} ${deed}. Organization: ${oneLine(name)}. Time: ${at}. ` +
        'If you did not expect this, look at Data Sync and at Activity in Account Settings.',
      link: `${config.publicUrl}/data-sync`,
    })
  }
}

/** What people and providers name, as it may stand in a mail. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, partMaxLength)
}
