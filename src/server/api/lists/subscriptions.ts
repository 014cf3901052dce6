import {
  getSubscription,
  listSubscriptions as listSubscriptionsCall,
  type RecordFreshness,
  type Subscription,
} from '#contract/subscriptions.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import {
  findSubscription,
  type ListedSubscription,
  listSubscriptions,
} from '../../store/lists/subscription-list.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findFreshness } from '../../store/runs/freshness.ts'
import { readPromise } from '../freshness.ts'
import { type Links, readLinks } from '../links.ts'

export function serveSubscriptions(router: Router): void {
  serve(router, listSubscriptionsCall, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const status = query.status === 'all' || query.status === '' ? undefined : query.status
      const { subscriptions, ...counted } = await listSubscriptions(tenant, { ...query, status })
      const links = await readLinks(deps, tenant)
      return { ...counted, subscriptions: subscriptions.map((row) => toWire(row, links)) }
    }),
  )

  serve(router, getSubscription, ({ deps, inOrganization }, { params }) =>
    inOrganization(async (tenant) => {
      const row = await findSubscription(tenant, params.id)
      if (row === undefined) throw new Refusal('not_found', 'The requested subscription could not be found.')
      const freshness = await readFreshness(tenant, params.id, deps.now())
      return { ...toWire(row, await readLinks(deps, tenant)), freshness }
    }),
  )
}

async function readFreshness(tenant: Tenant, id: string, now: Date): Promise<RecordFreshness | null> {
  const known = await findFreshness(tenant, id)
  if (known === undefined) return null
  const { changedAt, ledgerAt, crmAt } = known
  const { to, seconds } = await readPromise(tenant)
  const arrivedAt = to === 'crm' ? (crmAt ?? now) : ledgerAt
  return {
    changedAt: changedAt.toISOString(),
    ledgerAt: ledgerAt.toISOString(),
    hubspotAt: crmAt?.toISOString() ?? null,
    promisedSeconds: seconds,
    isLate: arrivedAt.getTime() - changedAt.getTime() > seconds * 1_000,
  }
}

function toWire(row: ListedSubscription, links: Links): Subscription {
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
    currentPeriodStart: row.currentPeriodStart?.toISOString() ?? null,
    currentPeriodEnd: row.currentPeriodEnd?.toISOString() ?? null,
    nextRenewalDate: row.nextRenewalOn,
    updatedAt: row.updatedAt.toISOString(),
    stripeLink: links.stripeSubscription(row.id),
    unsupportedReason: row.unsupportedReason,
  }
}
