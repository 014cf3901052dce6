import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { ProviderConnection } from './connections.ts'

/**
 * The CRM connection, locked until the transaction ends: only one process renews its tokens, and the others see what
 * it saved.
 */
export async function lockCrmConnection(tenant: Tenant): Promise<ProviderConnection | undefined> {
  // The token exchange runs under this lock and may take as long as the provider needs.
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
 * Records that another portal than `earlierPortalId` is connected, so that a person must confirm it; null ends the
 * question.
 */
export async function askAboutPortal(tenant: Tenant, earlierPortalId: string | null): Promise<void> {
  await tenant.sql
    .updateTable('connections')
    .set({ earlier_account_id: earlierPortalId })
    .where('organization_id', '=', tenant.organizationId)
    .where('provider', '=', 'crm')
    .execute()
}

/** Records a person's yes to exactly this portal; false if another one, or none, is connected now. */
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

/** Replaces all details of the connection, if it still has this version of the secret. */
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
