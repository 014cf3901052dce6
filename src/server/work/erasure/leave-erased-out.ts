import type { PaymentSubscription } from '#domain/payments.ts'
import type { Deps } from '../../deps.ts'
import { eraseCustomers } from '../../store/erasure/erase-rows.ts'
import { findErased } from '../../store/erasure/erasures.ts'
import { type CustomerRow, listNamelessDeletedIds } from '../../store/payments/customers.ts'
import type { KeptLine } from '../../store/payments/invoice-lines.ts'
import type { InvoiceRow } from '../../store/payments/invoices.ts'
import type { SubscriptionRow } from '../../store/payments/subscriptions.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { storableJson } from '../../store/postgres/json-rows.ts'
import { findHashes } from './hashes.ts'

type Seal = Deps['seal']

/** The erased customers among these, with their pseudonyms. */
type Erased = ReadonlyMap<string, { id: string; pseudonym: string }>

/** Removes every word of erased people from customers, however often the provider sends them. */
export function withoutErasedCustomers(seal: Seal, tenant: Tenant, rows: readonly CustomerRow[]) {
  return withoutErased(
    seal,
    tenant,
    rows,
    ({ id }) => id,
    (row, { id, pseudonym }) => ({
      ...row,
      name: pseudonym,
      email: null,
      domain: null,
      erasureId: id,
      paymentMethod: row.paymentMethod && withoutDigits(row.paymentMethod),
    }),
  )
}

/** Removes the name, address and texts of lines from the invoices of erased people. */
export function withoutErasedInvoices(seal: Seal, tenant: Tenant, rows: readonly InvoiceRow[]) {
  return withoutErased(
    seal,
    tenant,
    rows,
    ({ customerId }) => customerId,
    (row) => ({
      ...row,
      customerName: null,
      customerEmail: null,
      lines: row.lines && withoutTexts(row.lines),
    }),
  )
}

/** Removes the last digits of payment methods from the subscriptions of erased people. */
export function withoutErasedSubscriptions<Row extends SubscriptionRow>(
  seal: Seal,
  tenant: Tenant,
  rows: readonly Row[],
) {
  return withoutErased(
    seal,
    tenant,
    rows,
    ({ customerId }) => customerId,
    (row) => {
      const body: PaymentSubscription = JSON.parse(row.body ?? '{}')
      return body.paymentMethod
        ? { ...row, body: storableJson({ ...body, paymentMethod: { ...body.paymentMethod, last4: null } }) }
        : row
    },
  )
}

/** Deleted customers that only their subscriptions mention get their pseudonym again if they were erased. */
export async function nameErasedCustomers(seal: Seal, tenant: Tenant): Promise<void> {
  const erased = await erasedAmong(seal, tenant, await listNamelessDeletedIds(tenant))
  if (erased.size === 0) return
  const named = [...erased].map(([id, as]) => ({ id, erasureId: as.id, pseudonym: as.pseudonym }))
  await eraseCustomers(tenant, named)
}

/** The pseudonyms of the erased customers among these. */
async function erasedAmong(
  seal: Seal,
  tenant: Tenant,
  customerIds: readonly (string | null)[],
): Promise<Erased> {
  const hashes = await findHashes(seal, tenant)
  if (hashes === undefined) return new Map()
  const byHash = new Map(customerIds.flatMap((id) => (id === null ? [] : [[hashes.ofCustomer(id), id]])))
  const found = await findErased(tenant, [...byHash.keys()])
  return new Map([...found].map(([id, pseudonym]) => [byHash.get(id) ?? '', { id, pseudonym }]))
}

/** The rows, with those of erased customers as `leaveOut` makes them. */
async function withoutErased<Row>(
  seal: Seal,
  tenant: Tenant,
  rows: readonly Row[],
  customerOf: (row: Row) => string | null,
  leaveOut: (row: Row, as: { id: string; pseudonym: string }) => Row,
): Promise<readonly Row[]> {
  const erased = await erasedAmong(seal, tenant, rows.map(customerOf))
  if (erased.size === 0) return rows
  return rows.map((row) => {
    const as = erased.get(customerOf(row) ?? '')
    return as ? leaveOut(row, as) : row
  })
}

function withoutDigits(method: NonNullable<CustomerRow['paymentMethod']>) {
  return storableJson({ ...JSON.parse(method), last4: null })
}

const descriptionPlace = 13

function withoutTexts(lines: NonNullable<InvoiceRow['lines']>) {
  const kept: KeptLine[] = JSON.parse(lines)
  return storableJson(kept.map((line) => line.with(descriptionPlace, null)))
}
