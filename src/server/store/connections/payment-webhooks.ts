import { type Selectable, sql } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'
import type { PaymentWebhooks } from '../postgres/tables.ts'

export type PaymentWebhook = Selectable<PaymentWebhooks>

/** The organization's webhook secret, with the outcome of the last deliveries. */
export function findPaymentWebhook(tenant: Tenant): Promise<PaymentWebhook | undefined> {
  return tenant.sql
    .selectFrom('payment_webhooks')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
}

/** Saves a new secret and forgets how deliveries under the earlier one went. */
export async function savePaymentWebhook(
  tenant: Tenant,
  secret: { sealedSecret: string; secretHint: string },
): Promise<void> {
  const values = {
    sealed_secret: secret.sealedSecret,
    secret_hint: secret.secretHint,
    accepted_at: null,
    refused_at: null,
    other_mode_at: null,
  }
  await tenant.sql
    .insertInto('payment_webhooks')
    .values({ ...values, organization_id: tenant.organizationId })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute()
}

export async function deletePaymentWebhook(tenant: Tenant): Promise<void> {
  await tenant.sql
    .deleteFrom('payment_webhooks')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

/** Accepted, refused because of its signature, or of the other mode than the connected key. */
export type DeliveryOutcome = 'accepted' | 'refused' | 'other_mode'

/** Records the outcome of the newest delivery. */
export async function noteDelivery(tenant: Tenant, outcome: DeliveryOutcome, at: Date): Promise<void> {
  await tenant.sql
    .updateTable('payment_webhooks')
    .set({ [`${outcome}_at`]: at })
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

/**
 * When the last delivery arrived, if the provider's record named changes since, up to `until`, that none announced;
 * undefined if all goes well, or nothing ever arrived.
 */
export async function findSilentSince(tenant: Tenant, until: Date): Promise<Date | undefined> {
  const found = await tenant.sql
    .selectFrom('payment_webhooks as w')
    .innerJoin('payment_changes as c', 'c.organization_id', 'w.organization_id')
    .select('w.accepted_at as at')
    .where('w.organization_id', '=', tenant.organizationId)
    .where('c.happened_at', '>', sql<Date>`w.accepted_at + interval '1 minute'`)
    .where('c.happened_at', '<', until)
    .where('c.settled_at', 'is not', null)
    .where('c.received_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found?.at ?? undefined
}

/** The organization with this webhook URL; undefined if there is none. It runs before any authentication. */
export async function findOrganizationOfAddress(
  database: Database,
  token: string,
): Promise<number | undefined> {
  const found = await database
    .selectFrom('webhook_addresses')
    .select('organization_id')
    .where('token', '=', token)
    .executeTakeFirst()
  return found?.organization_id
}

/** The token of the organization's webhook URL; undefined until it has one. */
export async function findWebhookToken(tenant: Tenant): Promise<string | undefined> {
  const found = await tenant.sql
    .selectFrom('webhook_addresses')
    .select('token')
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
  return found?.token
}

/** Gives the organization a token for its URL unless it has one; returns the valid token. */
export async function addWebhookToken(tenant: Tenant, token: string): Promise<string> {
  await tenant.sql
    .insertInto('webhook_addresses')
    .values({ organization_id: tenant.organizationId, token })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute()
  return (await findWebhookToken(tenant)) ?? token
}

/** Deletes the URL; later deliveries to it find no organization. */
export async function deleteWebhookToken(tenant: Tenant): Promise<void> {
  await tenant.sql
    .deleteFrom('webhook_addresses')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}
