import { sql } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'

/** Replaces a sealed secret: nothing can open it, and writing it needs no key. */
const destroyed = 'revoked'

export type EndedAccess = { sessions: number; invitations: number; links: number }

/**
 * Ends every session and every other way in without a password: open invitations, mailed links that reset a password
 * or verify an address, and sign-ins in progress. Second factors end too, because their secrets may have leaked.
 */
export async function endAllAccess(database: Database): Promise<EndedAccess> {
  return database.transaction().execute(async (transaction) => {
    const sessions = await transaction.deleteFrom('session').executeTakeFirst()
    const links = await transaction.deleteFrom('verification').executeTakeFirst()
    const signUps = await transaction.deleteFrom('sign_ups').executeTakeFirst()
    await transaction.deleteFrom('twoFactor').execute()
    await transaction
      .updateTable('user')
      .set({ twoFactorEnabled: false })
      .where('twoFactorEnabled', '=', true)
      .execute()
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
 * Destroys the organization's sealed secrets and sets a warning with what to do. Keeps what identifies the accounts,
 * so that the same account is recognized later. Returns the providers whose secret existed.
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
