import { sql } from 'kysely'
import type { Connection } from './connections.ts'
import type { Tenant } from './database.ts'

/**
 * The CRM connection, its row held until the end of the transaction: of all processes that want to renew its tokens,
 * one does, and the others see what it kept.
 */
export async function lockCrmConnection(tenant: Tenant): Promise<Connection | undefined> {
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
