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
  /** Lets a proven delivery of the organization in, or throws the refusal of one that comes too fast. */
  admit(organizationId: number): void
}

/**
 * Takes what the provider sent to an address: proven against the organization's secret, kept once, and used for nothing
 * but to know what to fetch again. Whatever cannot be proven is refused with the same words, so that a stranger learns
 * not even whether the address exists.
 */
export async function receiveWebhook(
  deps: Deps,
  { token, signature, readBody, admit }: Delivery,
): Promise<void> {
  if (signature === null) throw unproven()
  // Read before the address is looked up: whether it exists would show in how much is read.
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
  // What is refused here is lost to nobody: the provider sends it again.
  admit(organizationId)
  const isOurs =
    change.isLive === connection.is_live &&
    (change.accountId === null || change.accountId === connection.account_id)
  const isNew = await inOrganization(deps.database, organizationId, async (tenant) => {
    const at = deps.now()
    await noteDelivery(tenant, 'accepted', at)
    if (!isOurs || change.objects.length === 0) return false
    const { id, objects } = change
    return addReceivedChange(tenant, { id, objects, happenedAt: new Date(change.at * 1000) }, at)
  })
  if (isNew) await followHints(deps, organizationId)
}

function unproven(): Refusal {
  return new Refusal('invalid_request', 'The delivery could not be verified. Check the signing secret.')
}
