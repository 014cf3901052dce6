import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { Connections } from '../postgres/tables.ts'

export type ConnectionProvider = 'payments' | 'crm'
export type ProviderConnection = Selectable<Connections>

/** Identifies the secret that was tried: the result says nothing about a secret that replaced it meanwhile. */
export type TriedSecret = Pick<ProviderConnection, 'provider' | 'connected_at' | 'secret_version'>

export function findConnection(
  tenant: Tenant,
  provider: ConnectionProvider,
): Promise<ProviderConnection | undefined> {
  return tenant.sql
    .selectFrom('connections')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .where('provider', '=', provider)
    .executeTakeFirst()
}

/** The connections of both providers. */
export async function findConnections(
  tenant: Tenant,
): Promise<Record<ConnectionProvider, ProviderConnection | undefined>> {
  const rows = await tenant.sql
    .selectFrom('connections')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .execute()
  const of = (provider: ConnectionProvider) => rows.find((row) => row.provider === provider)
  return { payments: of('payments'), crm: of('crm') }
}

export type NewConnection = {
  provider: ConnectionProvider
  accountId: string | null
  isLive: boolean | null
  sealedSecret: string
  /** The part of the secret that people may see. */
  secretHint: string | null
  expiresAt?: Date | null
  refreshDueAt?: Date | null
  scopes?: string[]
  details?: object
  at: Date
}

/** Changes some of a connection's details, unless its secret has changed since. */
export async function noteConnectionDetails(
  tenant: Tenant,
  tried: TriedSecret,
  details: object,
): Promise<void> {
  await updateTried(tenant, tried)
    .set({ details: sql`details || ${JSON.stringify(details)}::jsonb` })
    .execute()
}

function updateTried(tenant: Tenant, tried: TriedSecret) {
  return tenant.sql
    .updateTable('connections')
    .where('organization_id', '=', tenant.organizationId)
    .where('provider', '=', tried.provider)
    .where('connected_at', '=', tried.connected_at)
    .where('secret_version', '=', tried.secret_version)
}

/**
 * Creates or replaces the connection and clears its warning. Every call raises the secret's version. What failed before a
 * person connected again may be mended; a renewal of tokens, which nobody asked for, mends nothing.
 */
export async function saveConnection(
  tenant: Tenant,
  connection: NewConnection,
  { isRenewal = false }: { isRenewal?: boolean } = {},
): Promise<void> {
  const values = {
    account_id: connection.accountId,
    is_live: connection.isLive,
    sealed_secret: connection.sealedSecret,
    secret_hint: connection.secretHint,
    expires_at: connection.expiresAt ?? null,
    refresh_due_at: connection.refreshDueAt ?? null,
    scopes: connection.scopes ?? [],
    details: JSON.stringify(connection.details ?? {}),
    warning: null,
    updated_at: connection.at,
  }
  await tenant.sql
    .insertInto('connections')
    .values({
      ...values,
      organization_id: tenant.organizationId,
      provider: connection.provider,
      connected_at: connection.at,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'provider']).doUpdateSet((e) => ({
        ...values,
        ...(isRenewal ? {} : { connected_at: connection.at }),
        secret_version: e('connections.secret_version', '+', 1),
      })),
    )
    .execute()
}

/** Deletes the connection with its secret. False if there was none. */
export async function deleteConnection(tenant: Tenant, provider: ConnectionProvider): Promise<boolean> {
  const deleted = await tenant.sql
    .deleteFrom('connections')
    .where('organization_id', '=', tenant.organizationId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Sets what a person has to do about the connection (null for nothing), unless its secret has changed since. */
export async function setConnectionWarning(
  tenant: Tenant,
  tried: TriedSecret,
  warning: string | null,
): Promise<void> {
  await updateTried(tenant, tried).set({ warning }).where('warning', 'is distinct from', warning).execute()
}
