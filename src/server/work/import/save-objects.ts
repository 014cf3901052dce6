// While a page waits to be written, only its rows are kept, with nested lists as text: deep objects would survive several
// garbage collections, each of which copies them.

import type { PaymentCoupon, PaymentPrice, PaymentProduct, PaymentSubscription } from '#domain/payments.ts'
import type { Deps } from '../../deps.ts'
import { emailHost } from '../../email-address.ts'
import type { ChangedKind, FetchedObjects, PaymentsKind, PaymentsObjects } from '../../providers/payments.ts'
import { erasePaymentsOf } from '../../store/erasure/erase-rows.ts'
import { hasErasures } from '../../store/erasure/erasures.ts'
import { addEmbeddedPrices, saveCoupons, savePrices, saveProducts } from '../../store/payments/catalog.ts'
import { type CustomerRow, customerRow, saveCustomers } from '../../store/payments/customers.ts'
import {
  type InvoicePaymentRow,
  type InvoiceRow,
  invoicePaymentRow,
  invoiceRow,
  type SaveMode,
  saveInvoicePayments,
  saveInvoices,
} from '../../store/payments/invoices.ts'
import {
  type SubscriptionRow,
  saveSubscriptions,
  subscriptionRow,
} from '../../store/payments/subscriptions.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { eraseRedacted } from '../erasure/erase-customer.ts'
import {
  withoutErasedCustomers,
  withoutErasedInvoices,
  withoutErasedSubscriptions,
} from '../erasure/leave-erased-out.ts'

type Circumstances = {
  at: Date
  /** When we requested the objects, by our clock. */
  askedAt: Date
  /** A lower bound, by the provider's clock, of when we requested them. */
  askedAfter: Date
  /** Decrypts the record of erased people, so that the import stores nothing about them. */
  seal: Deps['seal']
  mode: SaveMode
}

type Kind = PaymentsKind | ChangedKind
type Objects = PaymentsObjects & FetchedObjects

type SubscriptionWithPrices = SubscriptionRow & { prices: PaymentPrice[] }

/** What we keep of an object of each kind until it is written. */
type Rows = {
  products: PaymentProduct
  prices: PaymentPrice
  prices_active: PaymentPrice
  prices_archived: PaymentPrice
  coupons: PaymentCoupon
  customers: CustomerRow
  subscriptions: SubscriptionWithPrices
  current_subscriptions: SubscriptionWithPrices
  ended_subscriptions: SubscriptionWithPrices
  invoices: InvoiceRow
  invoice_payments: InvoicePaymentRow
}
export type ObjectRow = Rows[Kind]

type Keeping<K extends Kind> = {
  rowOf: (object: Objects[K]) => Rows[K]
  save: (tenant: Tenant, rows: readonly Rows[K][], circumstances: Circumstances) => Promise<void>
}

const asItIs = <T>(object: T): T => object
const prices = { rowOf: asItIs<PaymentPrice>, save: savePrices }

const subscriptions = {
  rowOf: (subscription: PaymentSubscription) => ({
    ...subscriptionRow(subscription),
    prices: subscription.items.map(({ price }) => price),
  }),
  save: async (tenant: Tenant, rows: readonly SubscriptionWithPrices[], circumstances: Circumstances) => {
    await addEmbeddedPrices(
      tenant,
      rows.flatMap((row) => row.prices),
    )
    await saveSubscriptions(
      tenant,
      await withoutErasedSubscriptions(circumstances.seal, tenant, rows),
      circumstances,
    )
  },
}

async function saveCustomersOfKnown(
  tenant: Tenant,
  rows: readonly CustomerRow[],
  { seal, at }: Circumstances,
): Promise<void> {
  await eraseRedacted(
    tenant,
    { seal, at },
    redactedOf(rows, ({ id }) => id),
    { deletedAlone: false },
  )
  await saveCustomers(tenant, await withoutErasedCustomers(seal, tenant, rows))
}

function redactedOf<Row extends { isRedacted: boolean }>(
  rows: readonly Row[],
  customerOf: (row: Row) => string | null,
): string[] {
  return rows.flatMap((row) => (row.isRedacted ? (customerOf(row) ?? []) : []))
}

async function saveInvoicesOfKnown(
  tenant: Tenant,
  rows: readonly InvoiceRow[],
  circumstances: Circumstances,
): Promise<void> {
  const redacted = redactedOf(rows, ({ customerId }) => customerId)
  await eraseRedacted(tenant, circumstances, redacted, { deletedAlone: true })
  const shown = await withoutErasedInvoices(circumstances.seal, tenant, rows)
  await saveInvoices(tenant, shown, circumstances)
  const erased = shown.filter((row, index) => row !== rows[index])
  await erasePaymentsOf(
    tenant,
    erased.map(({ id }) => id),
  )
}

async function savePaymentsOfKnown(
  tenant: Tenant,
  rows: readonly InvoicePaymentRow[],
  circumstances: Circumstances,
): Promise<void> {
  await saveInvoicePayments(tenant, rows, circumstances)
  if (!(await hasErasures(tenant))) return
  await erasePaymentsOf(
    tenant,
    rows.flatMap(({ invoiceId }) => invoiceId ?? []),
  )
}

const writers: { [K in Kind]: Keeping<K> } = {
  products: { rowOf: asItIs, save: saveProducts },
  prices,
  prices_active: prices,
  prices_archived: prices,
  coupons: { rowOf: asItIs, save: saveCoupons },
  customers: {
    rowOf: (customer) => customerRow(customer, customer.email === null ? null : emailHost(customer.email)),
    save: saveCustomersOfKnown,
  },
  subscriptions,
  current_subscriptions: subscriptions,
  ended_subscriptions: subscriptions,
  invoices: { rowOf: invoiceRow, save: saveInvoicesOfKnown },
  invoice_payments: { rowOf: invoicePaymentRow, save: savePaymentsOfKnown },
}

/** Turns objects into the rows that `saveRows` takes; most rows hold nested objects as text. */
export function rowsOf<K extends Kind>(kind: K, objects: readonly Objects[K][]): Rows[K][] {
  return objects.map((object) => writers[kind].rowOf(object))
}

/**
 * Saves objects from lists. In mode 'first', throws `unique_violation` if an invoice or payment is already
 * stored.
 */
export function saveRows<K extends Kind>(
  tenant: Tenant,
  kind: K,
  rows: readonly Rows[K][],
  circumstances: Circumstances,
): Promise<void> {
  return writers[kind].save(tenant, rows, circumstances)
}

/** Saves objects that were fetched by id. */
export function saveFetchedObjects<K extends ChangedKind>(
  tenant: Tenant,
  kind: K,
  objects: readonly Objects[K][],
  times: Omit<Circumstances, 'mode'>,
): Promise<void> {
  return saveRows(tenant, kind, rowsOf(kind, objects), { ...times, mode: 'again' })
}
