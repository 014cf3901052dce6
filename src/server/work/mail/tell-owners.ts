import type { Deps } from '../../deps.ts'
import { spendAttempt } from '../../store/accounts/attempt-budgets.ts'
import { listMembers } from '../../store/accounts/members.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { addToOutbox } from '../../store/accounts/outbox.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { unlinkedName } from './unlinked-name.ts'

const partMaxLength = 100
/** Of one organization. Whoever connects and disconnects in turn fills no mailbox; Activity has every line. */
const mailsPerDay = { max: 20, windowSeconds: 24 * 3600 }

/**
 * Tells every owner by mail who has just changed where the organization's data comes from or goes to; in the transaction of
 * the change, so that neither is without the other. `deed` is what they did, and holds no secret.
 */
export async function tellOwners(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  tenant: Tenant,
  byUserId: number | null,
  { subject, deed }: { subject: string; deed: string },
): Promise<void> {
  const key = `owners:${tenant.organizationId}`
  if ((await spendAttempt(tenant.sql, { key, ...mailsPerDay })) > 0) return
  const members = await listMembers(tenant)
  const { name } = await getOrganization(tenant)
  const who = members.find(({ userId }) => userId === byUserId)?.email ?? 'Somebody'
  const at = `${now().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  for (const owner of members.filter(({ role }) => role === 'owner')) {
    await addToOutbox(tenant.sql, {
      to: owner.email,
      subject,
      body:
        `${who} ${deed}. Organization: ${unlinkedName(name)}. Time: ${at}. ` +
        'If you did not expect this, look at Data Sync and at Activity in Account Settings.',
      link: `${config.publicUrl}/data-sync`,
    })
  }
}

/** What people and providers name, as it may stand in a mail. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, partMaxLength)
}
