import { sql } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'

/** The places that can hold a sealed secret. */
export type SealedColumn = 'payments' | 'crm' | 'webhook' | 'erasure'
export type SealedSecret = { column: SealedColumn; sealed: string }

/** How many stored secrets each version of the key ring has sealed, over all organizations. */
export async function countSealedVersions(
  database: Database,
): Promise<{ version: number; secrets: number }[]> {
  // A transaction, because the current organization is a setting that lasts until one ends.
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ version: number; secrets: number }>`
      select version, secrets from sealed_key_versions()`.execute(transaction)
    return rows
  })
}

/** All sealed texts of the organization. A check in test/schema.test.ts ensures that no other table holds one. */
export async function listSealedSecrets(tenant: Tenant): Promise<SealedSecret[]> {
  const connections = await tenant.sql
    .selectFrom('connections')
    .select(['provider', 'sealed_secret'])
    .where('organization_id', '=', tenant.organizationId)
    .orderBy('provider')
    .execute()
  const webhooks = await tenant.sql
    .selectFrom('payment_webhooks')
    .select('sealed_secret')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
  const erasureKeys = await tenant.sql
    .selectFrom('erasure_keys')
    .select('sealed_secret')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
  return [
    ...erasureKeys.map(({ sealed_secret }) => ({ column: 'erasure' as const, sealed: sealed_secret })),
    ...connections.map(({ provider, sealed_secret }) => ({
      column: provider === 'crm' ? ('crm' as const) : ('payments' as const),
      sealed: sealed_secret,
    })),
    ...webhooks.map(({ sealed_secret }) => ({ column: 'webhook' as const, sealed: sealed_secret })),
  ]
}

/**
 * Replaces the sealed text that was read; false if it changed meanwhile, for example by a token renewal. The secret
 * itself stays the same, so its version does not rise.
 */
export async function replaceSealedSecret(
  tenant: Tenant,
  { column, sealed }: SealedSecret,
  resealed: string,
): Promise<boolean> {
  const table = { webhook: 'payment_webhooks', erasure: 'erasure_keys' } as const
  const replaced =
    column === 'webhook' || column === 'erasure'
      ? tenant.sql
          .updateTable(table[column])
          .set({ sealed_secret: resealed })
          .where('organization_id', '=', tenant.organizationId)
          .where('sealed_secret', '=', sealed)
      : tenant.sql
          .updateTable('connections')
          .set({ sealed_secret: resealed })
          .where('organization_id', '=', tenant.organizationId)
          .where('provider', '=', column)
          .where('sealed_secret', '=', sealed)
  return (await replaced.executeTakeFirst()).numUpdatedRows > 0n
}

/** Forgets the key of the organization's hashes of erased people. Nobody who was erased is recognized any more. */
export async function deleteErasureKey(tenant: Tenant): Promise<void> {
  await tenant.sql.deleteFrom('erasure_keys').where('organization_id', '=', tenant.organizationId).execute()
}
