import type { ChangedKind, FetchedObjects, PaymentsKind, PaymentsObjects } from '../../providers/payments.ts'
import { addEmbeddedPrices, saveCoupons, savePrices, saveProducts } from '../../store/catalog.ts'
import { saveCustomers } from '../../store/customers.ts'
import type { Tenant } from '../../store/database.ts'
import { saveInvoicePayments, saveInvoices } from '../../store/invoices.ts'
import { saveSubscriptions } from '../../store/subscriptions.ts'
import { emailHost } from '../email-domain.ts'

/** `at` is now, `askedAt` when the provider was asked for them. */
type Times = { at: Date; askedAt: Date }
type Save<T> = (tenant: Tenant, items: readonly T[], times: Times) => Promise<void>

const saveFetched: { [K in ChangedKind]: Save<FetchedObjects[K]> } = {
  products: saveProducts,
  prices: savePrices,
  coupons: saveCoupons,
  customers: (tenant, customers) =>
    saveCustomers(
      tenant,
      customers.map((customer) => ({
        ...customer,
        domain: customer.email === null ? null : emailHost(customer.email),
      })),
    ),
  subscriptions: async (tenant, subscriptions, { at, askedAt }) => {
    await addEmbeddedPrices(
      tenant,
      subscriptions.flatMap(({ items }) => items.map((item) => item.price)),
    )
    await saveSubscriptions(tenant, subscriptions, at, askedAt)
  },
  invoices: saveInvoices,
  invoice_payments: saveInvoicePayments,
}

const saveListed: { [K in PaymentsKind]: Save<PaymentsObjects[K]> } = {
  ...saveFetched,
  prices_active: savePrices,
  prices_archived: savePrices,
}

/** Takes the objects of a page over. */
export function saveObjects<K extends PaymentsKind>(
  tenant: Tenant,
  kind: K,
  items: readonly PaymentsObjects[K][],
  times: Times,
): Promise<void> {
  return saveListed[kind](tenant, items, times)
}

/** Takes over objects that were fetched by their id. */
export function saveFetchedObjects<K extends ChangedKind>(
  tenant: Tenant,
  kind: K,
  items: readonly FetchedObjects[K][],
  times: Times,
): Promise<void> {
  return saveFetched[kind](tenant, items, times)
}
