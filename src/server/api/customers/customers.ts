import {
  type CustomerEntry,
  getCustomer,
  getInvoice,
  type InvoiceEntry,
  listCustomers as listCustomersCall,
} from '#contract/customers/customers.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { hasUntied } from '../../store/crm/untied.ts'
import {
  type ListedCustomer,
  listCustomers,
  readCustomers,
} from '../../store/lists/customers/customer-list.ts'
import {
  type CustomerMatch,
  findCustomerMatch,
  listCompanyCustomers,
} from '../../store/lists/customers/one-customer.ts'
import { listEventsOf } from '../../store/lists/event-list.ts'
import { listSubscriptionsOf } from '../../store/lists/subscription-list.ts'
import { findInvoice, listUsedInvoices, type ShownInvoice } from '../../store/payments/shown-invoices.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { findCustomerFreshness } from '../../store/runs/freshness.ts'
import { addressProblem } from '../../work/addresses/address-problem.ts'
import { factsToWire } from '../company-facts.ts'
import { toRecordFreshness } from '../freshness.ts'
import { type Links, readLinks } from '../links.ts'
import { toSubscription } from '../subscription.ts'
import { toTransaction } from '../transaction.ts'

/** Everything beyond these is on the list of its kind. */
const shownMax = { subscriptions: 25, events: 10, invoices: 10, others: 10 }

type Answer = ResponseOf<typeof getCustomer>

export function serveCustomers(router: Router): void {
  serve(router, listCustomersCall, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const { customers, ...counted } = await listCustomers(tenant, query)
      const links = await readLinks(deps, tenant)
      const currency = await getReportingCurrency(tenant)
      return { ...counted, customers: customers.map((row) => toWire(row, links, currency)) }
    }),
  )

  serve(router, getCustomer, ({ deps, inOrganization }, { params: { customerId } }) =>
    inOrganization(async (tenant) => {
      const [row] = await readCustomers(tenant, [customerId])
      if (row === undefined)
        throw new Refusal('not_found', 'The requested customer could not be found. Choose one on Customers.')
      const links = await readLinks(deps, tenant)
      const currency = await getReportingCurrency(tenant)
      const match = await findCustomerMatch(tenant, customerId)
      const isToFollow = match !== undefined && (await hasUntied(tenant, match.portalId, customerId))
      const { count: subscriptionCount, subscriptions } = await listSubscriptionsOf(
        tenant,
        customerId,
        shownMax.subscriptions,
      )
      const { count: eventCount, events } = await listEventsOf(tenant, customerId, shownMax.events)
      const { count: invoiceCount, invoices } = await listUsedInvoices(tenant, customerId, shownMax.invoices)
      const freshness = await findCustomerFreshness(tenant, customerId)
      return {
        ...toWire(row, links, currency),
        customerDomain: row.domain,
        stripeLink: links.stripeCustomer(customerId),
        match:
          match === undefined
            ? null
            : { ...toMatch(match, row.email, links, deps.payments.name), isToFollow },
        subscriptions: {
          count: subscriptionCount,
          first: subscriptions.map((one) => toSubscription(one, links)),
        },
        events: { count: eventCount, newest: events.map((one) => toTransaction(one, links)) },
        invoices: {
          count: invoiceCount,
          newest: invoices.map((invoice) => toInvoice(invoice, links)),
        },
        freshness: await toRecordFreshness(tenant, freshness, deps.now()),
        sameCompany: await readSameCompany(tenant, row, links, currency),
      }
    }),
  )

  serve(router, getInvoice, ({ deps, inOrganization }, { params: { invoiceId } }) =>
    inOrganization(async (tenant) => {
      const invoice = await findInvoice(tenant, invoiceId)
      if (invoice === undefined)
        throw new Refusal('not_found', 'The requested invoice could not be found. Choose one on Customers.')
      const { eventCount, mrrChangeCents, ...shown } = invoice
      const entry = toInvoice(shown, await readLinks(deps, tenant))
      return { ...entry, eventCount, mrrChange: mrrChangeCents }
    }),
  )
}

function toInvoice({ createdAt, amountCents, ...invoice }: ShownInvoice, links: Links): InvoiceEntry {
  return {
    ...invoice,
    amount: amountCents,
    createdAt: createdAt.toISOString(),
    stripeLink: links.stripeInvoice(invoice.invoiceId),
  }
}

async function readSameCompany(
  tenant: Tenant,
  { customerId, portalId, companyRecordId }: ListedCustomer,
  links: Links,
  currency: string,
): Promise<Answer['sameCompany']> {
  if (portalId === null || companyRecordId === null) return null
  const company = { portalId, companyRecordId, exceptId: customerId }
  const {
    ids,
    count,
    mrrCents,
    others: unconverted,
  } = await listCompanyCustomers(tenant, company, shownMax.others)
  const others = await readCustomers(tenant, ids)
  return {
    otherCount: count,
    others: others.map((other) => toWire(other, links, currency)),
    totalMrr: mrrCents,
    otherCurrencies: unconverted.map(toAmount),
  }
}

function toAmount({ currency, mrrCents }: { currency: string; mrrCents: number }) {
  return { currency, mrr: mrrCents }
}

function toWire(row: ListedCustomer, links: Links, reportingCurrency: string): CustomerEntry {
  return {
    customerId: row.customerId,
    customerName: row.customerName,
    customerEmail: row.email,
    companyName: row.companyName,
    hubspotCompanyLink: links.hubspotCompany(row.portalId, row.companyRecordId),
    matchState: row.matchState,
    currentMrr: row.mrrCents,
    reportingCurrency,
    otherCurrencies: row.others.map(toAmount),
    uncountedSubscriptions: row.uncountedSubscriptions,
    subscriptionCount: row.subscriptionCount,
    productNames: row.productNames,
    productCount: row.productCount,
    firstPaidAt: row.firstPaidAt?.toISOString() ?? null,
    isDeleted: row.isDeleted,
    erasureId: row.erasureId,
  }
}

function toMatch(
  match: CustomerMatch,
  email: string | null,
  links: Links,
  paymentsName: string,
): Omit<NonNullable<Answer['match']>, 'isToFollow'> {
  return {
    state: match.state,
    evidence: match.evidence,
    decidedBy: match.decidedBy,
    emailProblem: addressProblem(email, paymentsName),
    candidates: match.candidates.map(({ recordId, name, domains, facts, reasons }) => ({
      companyName: name,
      domains: [...domains],
      facts: factsToWire(facts),
      hubspotCompanyLink: links.hubspotCompany(match.portalId, recordId),
      reasons,
    })),
    hasContact: match.contactRecordId !== null,
    hubspotContactLink: links.hubspotContact(match.portalId, match.contactRecordId),
    contactProblem: match.contactProblem,
  }
}
