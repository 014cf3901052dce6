import { sql } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'

/** Stands where a sealed secret stood: it opens nowhere, and no key is needed for it. */
const destroyed = 'revoked'

export type EndedAccess = { sessions: number; invitations: number; links: number }

/**
 * Ends every session, and whatever else would let somebody in without a password: open invitations, and links of mails
 * that reset a password or prove an address, as well as sign-ins that are under way.
 */
export async function endAllAccess(database: Database): Promise<EndedAccess> {
  return database.transaction().execute(async (transaction) => {
    const sessions = await transaction.deleteFrom('session').executeTakeFirst()
    const links = await transaction.deleteFrom('verification').executeTakeFirst()
    const signUps = await transaction.deleteFrom('sign_ups').executeTakeFirst()
    const invitations = await transaction
      .updateTable('invitation')
      .set({ status: 'canceled' })
      .where('status', '=', 'pending')
      .where('expiresAt', '>', sql<Date>`current_timestamp`)
      .executeTakeFirst()
    return {
      sessions: Number(sessions.numDeletedRows),
      links: Number(links.numDeletedRows + signUps.numDeletedRows),
      invitations: Number(invitations.numUpdatedRows),
    }
  })
}

/**
 * Destroys what is sealed of the organization's connections and says on each what a person has to do. What is known of
 * the accounts stays, so that the same account is found again. Returns the providers whose secret was there.
 */
export async function destroySecrets(
  tenant: Tenant,
  warnings: { payments: string; crm: string },
): Promise<('payments' | 'crm')[]> {
  const { organizationId } = tenant
  const ended: ('payments' | 'crm')[] = []
  for (const provider of ['payments', 'crm'] as const) {
    const updated = await tenant.sql
      .updateTable('connections')
      .set((e) => ({
        sealed_secret: destroyed,
        secret_version: e('secret_version', '+', 1),
        warning: warnings[provider],
      }))
      .where('organization_id', '=', organizationId)
      .where('provider', '=', provider)
      .where('sealed_secret', '<>', destroyed)
      .executeTakeFirst()
    if (updated.numUpdatedRows > 0n) ended.push(provider)
  }
  await tenant.sql.deleteFrom('payment_webhooks').where('organization_id', '=', organizationId).execute()
  await tenant.sql.deleteFrom('oauth_states').where('organization_id', '=', organizationId).execute()
  return ended
}
