import type { Subscription } from '#contract/subscriptions.ts'
import { billingIntervalText } from '#domain/subscription.ts'
import type { ListedSubscription } from '../store/lists/subscription-list.ts'
import type { Links } from './links.ts'

/** Converts a subscription to its wire form. */
export function toSubscription(row: ListedSubscription, links: Links): Subscription {
  return {
    subscriptionId: row.id,
    companyName: row.companyName,
    hubspotCompanyId: row.companyRecordId,
    hubspotCompanyLink: links.hubspotCompany(row.portalId, row.companyRecordId),
    portalId: row.portalId ?? links.portalId,
    currentMrr: row.currentMrrCents,
    currency: row.currency,
    productName: row.productName,
    status: row.status,
    customerName: row.customerName,
    customerEmail: row.customerEmail,
    customerDomain: row.customerDomain,
    customerId: row.customerId,
    erasureId: row.erasureId,
    quantity: row.quantity,
    billingIntervalDays: row.billingIntervalDays,
    billingInterval:
      row.billingIntervalDays === null ? null : billingIntervalText(row.billingIntervalDays, row.cadences),
    currentPeriodStart: row.currentPeriodStart?.toISOString() ?? null,
    currentPeriodEnd: row.currentPeriodEnd?.toISOString() ?? null,
    nextRenewalDate: row.nextRenewalOn,
    endsOn: row.endsOn,
    endedOn: row.endedOn,
    updatedAt: row.updatedAt.toISOString(),
    stripeLink: links.stripeSubscription(row.id),
    unsupportedReason: row.unsupportedReason,
    reportingMrr: row.reportingMrrCents,
    reportingCurrency: row.reportingCurrency ?? row.currency,
    rateText: row.reportingRate,
  }
}
