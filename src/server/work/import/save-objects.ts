import type { ChangedKind, FetchedObjects, PaymentsKind, PaymentsObjects } from '../../providers/payments.ts'
import { addEmbeddedPrices, saveCoupons, savePrices, saveProducts } from '../../store/catalog.ts'
import { saveCustomers } from '../../store/customers.ts'
import type { Tenant } from '../../store/database.ts'
import { saveInvoicePayments, saveInvoices } from '../../store/invoices.ts'
import { saveSubscriptions } from '../../store/subscriptions.ts'
import { emailHost } from '../email-domain.ts'

export type Circumstances = {
  at: Date
  /** When the provider was asked for the objects. */
  askedAt: Date
  /** Whether every customer is to be rebuilt anyway, so that none has to be looked up and marked. */
  isAllDue: boolean
}
type Save<T> = (tenant: Tenant, items: readonly T[], circumstances: Circumstances) => Promise<void>

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
  subscriptions: async (tenant, subscriptions, circumstances) => {
    await addEmbeddedPrices(
      tenant,
      subscriptions.flatMap(({ items }) => items.map((item) => item.price)),
    )
    await saveSubscriptions(tenant, subscriptions, circumstances)
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
  circumstances: Circumstances,
): Promise<void> {
  return saveListed[kind](tenant, items, circumstances)
}

/** Takes over objects that were fetched by their id. */
export function saveFetchedObjects<K extends ChangedKind>(
  tenant: Tenant,
  kind: K,
  items: readonly FetchedObjects[K][],
  times: Omit<Circumstances, 'isAllDue'>,
): Promise<void> {
  return saveFetched[kind](tenant, items, { ...times, isAllDue: false })
}
