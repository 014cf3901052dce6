import type { Deps } from '../deps.ts'
import { findConnections, type ProviderConnection } from '../store/connections/connections.ts'
import type { Tenant } from '../store/postgres/database.ts'

/** Addresses of the providers' own pages; null when there is no page to link to. */
export type Links = {
  portalId: string | null
  stripeSubscription(id: string): string | null
  stripeCustomer(id: string): string | null
  stripeInvoice(id: string | null): string | null
  hubspotCompany(portalId: string | null, recordId: string | null): string | null
  hubspotContact(portalId: string | null, recordId: string | null): string | null
  hubspotRecord(portalId: string | null, objectTypeId: string | null, recordId: string | null): string | null
}

const realUiDomain = 'app.hubspot.com'
const contactType = '0-1'
const companyType = '0-2'

/** Reads the connections of the organization, which the links depend on. */
export async function readLinks(deps: Deps, tenant: Tenant): Promise<Links> {
  const { payments, crm } = await findConnections(tenant)
  return createLinks(deps.config, payments, crm)
}

function createLinks(
  config: Pick<Deps['config'], 'stripe' | 'hubspot'>,
  payments: Pick<ProviderConnection, 'account_id' | 'is_live'> | undefined,
  crm: Pick<ProviderConnection, 'account_id' | 'details'> | undefined,
): Links {
  const stripeBase = payments && stripeBaseOf(config.stripe.dashboardUrl, payments)
  const hubspotBase = config.hubspot.isSimulated
    ? config.hubspot.appUrl
    : `https://${uiDomainOf(crm?.details) ?? realUiDomain}`
  const stripePage = (kind: string, id: string | null) =>
    stripeBase === undefined || id === null ? null : `${stripeBase}/${kind}/${encodeURIComponent(id)}`
  const hubspotRecord: Links['hubspotRecord'] = (portalId, type, recordId) =>
    portalId === null || type === null || recordId === null
      ? null
      : `${hubspotBase}/contacts/${encodeURIComponent(portalId)}/record/${encodeURIComponent(type)}/${encodeURIComponent(recordId)}`
  return {
    portalId: crm?.account_id ?? null,
    stripeSubscription: (id) => stripePage('subscriptions', id),
    stripeCustomer: (id) => stripePage('customers', id),
    stripeInvoice: (id) => stripePage('invoices', id),
    hubspotCompany: (portalId, recordId) => hubspotRecord(portalId, companyType, recordId),
    hubspotContact: (portalId, recordId) => hubspotRecord(portalId, contactType, recordId),
    hubspotRecord,
  }
}

function stripeBaseOf(
  dashboardUrl: string,
  { account_id, is_live }: Pick<ProviderConnection, 'account_id' | 'is_live'>,
) {
  const account = account_id === null ? '' : `/${encodeURIComponent(account_id)}`
  return `${dashboardUrl.replace(/(?<!\/)\/+$/, '')}${account}${is_live ? '' : '/test'}`
}

/**
 * The host of the portal, which differs by data center ('app-eu1.hubspot.com'). Only hosts of HubSpot are
 * accepted.
 */
function uiDomainOf(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('uiDomain' in details)) return null
  const { uiDomain } = details
  return typeof uiDomain === 'string' && /^[a-z0-9-]+\.hubspot\.com$/.test(uiDomain) ? uiDomain : null
}
