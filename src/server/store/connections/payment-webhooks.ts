import type { Selectable } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'
import type { PaymentWebhooks } from '../postgres/tables.ts'

export type PaymentWebhook = Selectable<PaymentWebhooks>

/** The secret that webhooks of the organization are signed with, and how the last ones went. */
export function findPaymentWebhook(tenant: Tenant): Promise<PaymentWebhook | undefined> {
  return tenant.sql
    .selectFrom('payment_webhooks')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
}

/** Keeps a new secret and forgets how deliveries under the one before went. */
export async function savePaymentWebhook(
  tenant: Tenant,
  secret: { sealedSecret: string; secretHint: string },
): Promise<void> {
  const values = {
    sealed_secret: secret.sealedSecret,
    secret_hint: secret.secretHint,
    accepted_at: null,
    refused_at: null,
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

/** Notes how the newest delivery went. */
export async function noteDelivery(tenant: Tenant, outcome: 'accepted' | 'refused', at: Date): Promise<void> {
  await tenant.sql
    .updateTable('payment_webhooks')
    .set(outcome === 'accepted' ? { accepted_at: at } : { refused_at: at })
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

/** The organization whose webhooks are sent to this address; undefined when there is none. Asked before anybody is known. */
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

/** The organization's own address, the token last given to it first. */
export async function findWebhookToken(tenant: Tenant): Promise<string | undefined> {
  const found = await tenant.sql
    .selectFrom('webhook_addresses')
    .select('token')
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
  return found?.token
}

/** Gives the organization an address unless it has one; the token that counts from now on. */
export async function addWebhookToken(tenant: Tenant, token: string): Promise<string> {
  await tenant.sql
    .insertInto('webhook_addresses')
    .values({ organization_id: tenant.organizationId, token })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute()
  return (await findWebhookToken(tenant)) ?? token
}

/** Takes the address away: what is still sent to it meets nobody. */
export async function deleteWebhookToken(tenant: Tenant): Promise<void> {
  await tenant.sql
    .deleteFrom('webhook_addresses')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}
