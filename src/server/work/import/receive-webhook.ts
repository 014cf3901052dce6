import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import {
  findOrganizationOfAddress,
  findPaymentWebhook,
  noteDelivery,
} from '../../store/connections/payment-webhooks.ts'
import { addReceivedChange } from '../../store/payments/payment-changes.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { webhookSealPlace } from '../connections/payments-connection.ts'
import { followHints } from './refresh-payments.ts'

export type Delivery = {
  token: string
  signature: string | null
  readBody(): Promise<Uint8Array>
  /** Accepts a proven delivery of the organization, or throws if deliveries come too fast. */
  admit(organizationId: number): void
}

/**
 * Receives a delivery and verifies it with the organization's secret. It serves only to know what to fetch
 * again. Every unproven delivery gets the same refusal, so that a stranger cannot learn whether the address
 * exists.
 */
export async function receiveWebhook(
  deps: Deps,
  { token, signature, readBody, admit }: Delivery,
): Promise<void> {
  if (signature === null) throw unproven()
  // Read the body before the address lookup, else the number of bytes read reveals whether the address
  // exists.
  const body = await readBody()
  const organizationId = await findOrganizationOfAddress(deps.database, token)
  if (organizationId === undefined) throw unproven()
  const known = await inOrganization(deps.database, organizationId, async (tenant) => ({
    webhook: await findPaymentWebhook(tenant),
    connection: await findConnection(tenant, 'payments'),
  }))
  const { webhook, connection } = known
  if (!webhook || !connection) throw unproven()
  const secret = deps.seal.open(webhookSealPlace(organizationId), webhook.sealed_secret)
  const change = deps.payments.readDelivery({ body, signature, secret })
  if (!change) {
    await inOrganization(deps.database, organizationId, (tenant) =>
      noteDelivery(tenant, 'refused', deps.now()),
    )
    throw unproven()
  }
  // A refusal here loses nothing, because the provider sends the event again.
  admit(organizationId)
  const isOfAccount = change.accountId === null || change.accountId === connection.account_id
  const isOfMode = change.isLive === connection.is_live
  const isNew = await inOrganization(deps.database, organizationId, async (tenant) => {
    const at = deps.now()
    const { id, objects } = change
    // A webhook of several accounts sends those of the others too, which say nothing about this one.
    if (!isOfAccount) return false
    await noteDelivery(tenant, isOfMode ? 'accepted' : 'other_mode', at)
    if (!isOfMode || objects.length === 0) return false
    return addReceivedChange(tenant, { id, objects, happenedAt: new Date(change.at * 1000) }, at)
  })
  if (isNew) await followHints(deps, organizationId)
}

function unproven(): Refusal {
  return new Refusal('invalid_request', 'The delivery could not be verified. Check the signing secret.')
}
