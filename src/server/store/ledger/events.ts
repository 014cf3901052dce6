import { sql } from 'kysely'
import type { ChangedRecord } from '#domain/crm-record.ts'
import type { MrrEvent } from '#domain/event.ts'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import { columnRows } from '../postgres/column-rows.ts'
import type { Tenant } from '../postgres/database.ts'
import { onceById, storableJsonOrNull } from '../postgres/json-rows.ts'
import { prepared } from '../postgres/prepared.ts'
import { writeCounted } from '../totals/list-totals.ts'
import { isOtherReceipt, isRewordedReceipt } from './receipts.ts'

/** An event as the ledger stores it. */
export type EventRow = MrrEvent & {
  /** Order among the events of its customer, so that events at the same instant keep their order. */
  position: number
  /** How the invoice was paid, in words. */
  paymentMethod: string | null
  receipt: Receipt | null
  /** The change in minor units of the reporting currency; null without a rate. */
  reportingChangeCents: number | null
  /** The rate in words; null where none was used. */
  reportingRate: string | null
}

/**
 * Makes the ledger of these customers exactly the given events. It leaves unchanged rows untouched, and returns those
 * that were added, removed or changed.
 */
export async function replaceEvents(
  tenant: Tenant,
  customerIds: readonly string[],
  events: readonly EventRow[],
  at: Date,
): Promise<ChangedRecord[]> {
  await lockCustomers(tenant, [...customerIds, ...events.map(({ customerId }) => customerId)])
  const removed = await deleteVanished(tenant, customerIds, events)
  return events.length > 0 ? [...removed, ...(await writeChanged(tenant, events, at))] : removed
}

/** One writer at a time writes a customer's events, so that totals count each once. */
async function lockCustomers(tenant: Tenant, ids: readonly (string | null)[]): Promise<void> {
  await sql`${prepared}
    select from customers where organization_id = ${tenant.organizationId} and id = any(${[...new Set(ids)]}::text[])
     order by id for update`.execute(tenant.sql)
}

async function deleteVanished(
  tenant: Tenant,
  customerIds: readonly string[],
  events: readonly EventRow[],
): Promise<ChangedRecord[]> {
  const kept = events.map((event) => event.id)
  const which = sql<boolean>`known.customer_id = any(${customerIds}::text[])
    and not exists (select from unnest(${kept}::text[]) as kept (id) where kept.id = known.id)`
  const statement = sql`delete from events as known where known.organization_id = ${tenant.organizationId} and ${which}`
  const write = { which, statement, returned: ['id', 'subscription_id'], isDelete: true }
  const gone = await writeCounted<{ id: string; subscription_id: string }>(tenant, 'events', write)
  return gone.map(({ id, subscription_id }) => ({ id, subscriptionId: subscription_id, change: 'removed' }))
}

const eventColumns = {
  id: 'text',
  subscriptionId: 'text',
  customerId: 'text',
  invoiceId: 'text',
  occurredAt: 'bigint',
  position: 'integer',
  mrrStatus: 'text',
  changeType: 'text',
  previousMrrCents: 'bigint',
  currentMrrCents: 'bigint',
  mrrChangeCents: 'bigint',
  previousQuantity: 'bigint',
  currentQuantity: 'bigint',
  currency: 'text',
  productName: 'text',
  paymentMethod: 'text',
  receipt: 'json',
  reportingChangeCents: 'bigint',
  reportingRate: 'text',
} as const

/** Whether an event differs from the stored one, apart from its receipt. */
const isChanged =
  sql.raw(`((known.subscription_id, known.customer_id, known.invoice_id, known.occurred_at, known.position,
           known.mrr_status, known.change_type, known.previous_mrr_cents, known.current_mrr_cents,
           known.previous_quantity, known.current_quantity, known.currency, known.product_name,
           known.payment_method)
      is distinct from
          (excluded.subscription_id, excluded.customer_id, excluded.invoice_id, excluded.occurred_at,
           excluded.position, excluded.mrr_status, excluded.change_type, excluded.previous_mrr_cents,
           excluded.current_mrr_cents, excluded.previous_quantity, excluded.current_quantity, excluded.currency,
           excluded.product_name, excluded.payment_method))`)

type WrittenEvent = { id: string; subscription_id: string; updated_at: Date; isNew: boolean }

async function writeChanged(tenant: Tenant, events: readonly EventRow[], at: Date): Promise<ChangedRecord[]> {
  const rows = onceById(events).map((event) => ({ ...event, receipt: storableJsonOrNull(event.receipt) }))
  const changed = sql`
    insert into events as known
      (organization_id, id, subscription_id, customer_id, invoice_id, occurred_at, position, mrr_status, change_type,
       previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity, current_quantity, currency,
       product_name, payment_method, receipt, reporting_change_cents, reporting_rate,
       updated_at)
    select ${tenant.organizationId}, id, "subscriptionId", "customerId", "invoiceId", to_timestamp("occurredAt"),
           position, "mrrStatus", "changeType", "previousMrrCents", "currentMrrCents", "mrrChangeCents",
           "previousQuantity", "currentQuantity", currency, "productName", "paymentMethod", receipt,
           "reportingChangeCents", "reportingRate", ${at}
      from ${columnRows(rows, eventColumns)} as given
    on conflict (organization_id, id) do update set
      subscription_id = excluded.subscription_id, customer_id = excluded.customer_id,
      invoice_id = excluded.invoice_id, occurred_at = excluded.occurred_at, position = excluded.position,
      mrr_status = excluded.mrr_status, change_type = excluded.change_type,
      previous_mrr_cents = excluded.previous_mrr_cents, current_mrr_cents = excluded.current_mrr_cents,
      mrr_change_cents = excluded.mrr_change_cents, previous_quantity = excluded.previous_quantity,
      current_quantity = excluded.current_quantity, currency = excluded.currency,
      product_name = excluded.product_name, payment_method = excluded.payment_method, receipt = excluded.receipt,
      reporting_change_cents = excluded.reporting_change_cents, reporting_rate = excluded.reporting_rate,
      updated_at = case when ${isChanged} or ${isRewordedReceipt('known.receipt', 'excluded.receipt')}
                        then excluded.updated_at else known.updated_at end
    where ${isChanged} or (known.reporting_change_cents, known.reporting_rate)
                           is distinct from (excluded.reporting_change_cents, excluded.reporting_rate)
       or ${isOtherReceipt('known.receipt', 'excluded.receipt')}`
  const which = sql<boolean>`known.id = any(${rows.map(({ id }) => id)}::text[])`
  const returned = ['id', 'subscription_id', 'updated_at']
  const write = { which, statement: changed, returned, tellsNew: true, isFrequent: true }
  const written = await writeCounted<WrittenEvent>(tenant, 'events', write)
  // The others got another conversion or receipt.
  return written.flatMap(({ id, subscription_id, updated_at, isNew }) =>
    updated_at.getTime() === at.getTime()
      ? { id, subscriptionId: subscription_id, change: isNew ? 'added' : 'changed' }
      : [],
  )
}
