import { randomBytes } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import {
  addWebhookToken,
  deletePaymentWebhook,
  deleteWebhookToken,
  findPaymentWebhook,
  findWebhookToken,
  savePaymentWebhook,
} from '../../store/connections/payment-webhooks.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { notConnected, webhookSealPlace } from './payments-connection.ts'

const tokenBytes = 24
const secretMaxLength = 200
const hintLength = 4

export type WebhookState = {
  /** The last part of the URL to which webhooks are sent. */
  token: string
  /** Whether the connected key is one of live mode. */
  isLive: boolean
  secretHint: string | null
  acceptedAt: Date | null
  refusedAt: Date | null
  otherModeAt: Date | null
}

/**
 * The organization's webhook URL and the outcome of the last delivery; undefined without a connection. The first call
 * creates the URL.
 */
export async function readWebhookState(tenant: Tenant): Promise<WebhookState | undefined> {
  const connection = await findConnection(tenant, 'payments')
  if (!connection) return undefined
  const token = (await findWebhookToken(tenant)) ?? (await addWebhookToken(tenant, newToken()))
  const webhook = await findPaymentWebhook(tenant)
  return {
    token,
    isLive: connection.is_live ?? false,
    secretHint: webhook?.secret_hint ?? null,
    acceptedAt: webhook?.accepted_at ?? null,
    refusedAt: webhook?.refused_at ?? null,
    otherModeAt: webhook?.other_mode_at ?? null,
  }
}

function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url')
}

/** Saves, sealed, the secret with which the provider signs webhooks; null stops accepting them. */
export async function setWebhookSecret(
  deps: Deps,
  organizationId: number,
  input: string | null,
): Promise<void> {
  const secret = input === null ? null : readSecret(input, deps.payments.name)
  await inOrganization(deps.database, organizationId, async (tenant) => {
    if (!(await findConnection(tenant, 'payments'))) throw notConnected(deps)
    if (secret === null) return deletePaymentWebhook(tenant)
    await addWebhookToken(tenant, newToken())
    await savePaymentWebhook(tenant, {
      sealedSecret: deps.seal.seal(webhookSealPlace(organizationId), secret),
      secretHint: `whsec_••••${secret.slice(-hintLength)}`,
    })
  })
}

/** Forgets the secret and the URL when the connection ends. */
export async function forgetWebhook(tenant: Tenant): Promise<void> {
  await deletePaymentWebhook(tenant)
  await deleteWebhookToken(tenant)
}

function readSecret(input: string, name: string): string {
  const secret = input.replace(/[\s\p{Cf}]/gu, '')
  if (!/^whsec_[A-Za-z0-9+/=_-]{8,}$/.test(secret) || secret.length > secretMaxLength)
    throw new Refusal(
      'invalid_request',
      `Enter the signing secret of the webhook endpoint in ${name}. It starts with whsec_.`,
    )
  return secret
}
