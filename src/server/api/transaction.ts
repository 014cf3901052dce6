import { type Transaction, transaction } from '#contract/events.ts'
import type { ListedEvent } from '../store/lists/event-list.ts'
import type { Links } from './links.ts'

/**
 * Converts an event to its wire form. A later version may have stored types that this one does not know, so they
 * are checked.
 */
export function toTransaction(row: ListedEvent, links: Links): Transaction {
  return {
    transactionId: row.id,
    transactionDate: row.occurredAt.toISOString(),
    invoiceId: row.invoiceId,
    invoiceNumber: row.invoiceNumber,
    invoiceLink: links.stripeInvoice(row.invoiceId),
    companyName: row.companyName,
    hubspotCompanyId: row.companyRecordId,
    hubspotCompanyLink: links.hubspotCompany(row.portalId, row.companyRecordId),
    portalId: row.portalId ?? links.portalId,
    customerId: row.customerId,
    customerName: row.customerName,
    customerEmail: row.customerEmail,
    customerDomain: row.customerDomain,
    paymentMethod: row.paymentMethod,
    mrrStatus: transaction.shape.mrrStatus.parse(row.mrrStatus),
    changeType: transaction.shape.changeType.parse(row.changeType),
    previousMrr: row.previousMrrCents,
    currentMrr: row.currentMrrCents,
    mrrChange: row.mrrChangeCents,
    currency: row.currency,
    previousQuantity: row.previousQuantity,
    currentQuantity: row.currentQuantity,
    productName: row.productName,
    relatedSubscriptionId: row.subscriptionId,
    reportingMrrChange: row.reportingChangeCents,
    reportingCurrency: row.reportingCurrency ?? row.currency,
    rateText: row.reportingRate,
  }
}
