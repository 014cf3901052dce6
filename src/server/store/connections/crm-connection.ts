import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { ProviderConnection } from './connections.ts'

/**
 * The CRM connection, its row held until the end of the transaction: of all processes that want to renew its tokens,
 * one does, and the others see what it kept.
 */
export async function lockCrmConnection(tenant: Tenant): Promise<ProviderConnection | undefined> {
  // The exchange happens under the lock, and may take as long as the provider takes to answer.
  await sql`set local idle_in_transaction_session_timeout = '90s'`.execute(tenant.sql)
  return tenant.sql
    .selectFrom('connections')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .where('provider', '=', 'crm')
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Notes that another portal than `earlierPortalId` is connected and a person has to say what is to happen; null when
 * there is nothing to ask.
 */
export async function askAboutPortal(tenant: Tenant, earlierPortalId: string | null): Promise<void> {
  await tenant.sql
    .updateTable('connections')
    .set({ earlier_account_id: earlierPortalId })
    .where('organization_id', '=', tenant.organizationId)
    .where('provider', '=', 'crm')
    .execute()
}

/** Takes the yes to this very portal; false when another one, or none, is connected by now. */
export async function acceptPortal(tenant: Tenant, portalId: string): Promise<boolean> {
  const accepted = await tenant.sql
    .updateTable('connections')
    .set({ earlier_account_id: null })
    .where('organization_id', '=', tenant.organizationId)
    .where('provider', '=', 'crm')
    .where('account_id', '=', portalId)
    .executeTakeFirst()
  return accepted.numUpdatedRows > 0n
}

/** Adds what is known of the account to the connection that has this version of the secret. */
export async function describeCrmConnection(
  tenant: Tenant,
  secretVersion: number,
  details: object,
): Promise<void> {
  await tenant.sql
    .updateTable('connections')
    .set({ details: JSON.stringify(details) })
    .where('organization_id', '=', tenant.organizationId)
    .where('provider', '=', 'crm')
    .where('secret_version', '=', secretVersion)
    .execute()
}
