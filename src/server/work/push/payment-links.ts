import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { findPayments } from '../connections/payments-connection.ts'

/** URLs of the payment provider's own pages, which CRM records contain. */
export type PaymentLinks = { subscription(id: string): string; invoice(id: string): string }

/** Throws a Refusal without a connection: otherwise every record would lose its links. */
export async function readPaymentLinks(deps: Deps, organizationId: number): Promise<PaymentLinks> {
  const connection = await findPayments(deps, organizationId)
  if (!connection)
    throw new Refusal('not_connected', 'The payment provider is not connected. Connect it on Data Sync.')
  const account = connection.account_id === null ? '' : `/${encodeURIComponent(connection.account_id)}`
  const pages = `${deps.config.stripe.dashboardUrl.replace(/(?<!\/)\/+$/, '')}${account}${connection.is_live ? '' : '/test'}`
  return {
    subscription: (id) => `${pages}/subscriptions/${encodeURIComponent(id)}`,
    invoice: (id) => `${pages}/invoices/${encodeURIComponent(id)}`,
  }
}
