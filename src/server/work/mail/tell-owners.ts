import type { Deps } from '../../deps.ts'
import { spendAttempt } from '../../store/accounts/attempt-budgets.ts'
import { listMembers } from '../../store/accounts/members.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { addToOutbox } from '../../store/accounts/outbox.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { unlinkedName } from './unlinked-name.ts'

const partMaxLength = 100
/**
 * Per organization, so that connecting and disconnecting in turn cannot fill mailboxes. The activity log has every
 * change.
 */
const mailsPerDay = { max: 20, windowSeconds: 24 * 3600 }

/**
 * Mails every owner that a member changed the organization's data source or destination. It runs in the transaction
 * of the change, so that both happen or neither. `deed` says what was done, as 'disconnected Stripe', without
 * secrets.
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

/** A name that people or providers chose, made safe for a mail. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, partMaxLength)
}
