import { sql } from 'kysely'
import { instantOfDate } from '#domain/instant.ts'
import type { PaymentSubscription } from '#domain/payments.ts'
import { type ColumnRow, columnRows } from '../postgres/column-rows.ts'
import type { Tenant } from '../postgres/database.ts'
import { onceById, storableJson } from '../postgres/json-rows.ts'
import { withoutNestedLoops } from '../postgres/planner.ts'
import { writeCounted } from '../totals/list-totals.ts'
import { markRebuildDue } from './customers.ts'

const subscriptionColumns = {
  id: 'text',
  customerId: 'text',
  status: 'text',
  currency: 'text',
  createdAt: 'bigint',
  clockAt: 'bigint',
  body: 'jsonb',
} as const

/** A subscription in the form that PostgreSQL receives. */
export type SubscriptionRow = ColumnRow<typeof subscriptionColumns> & { readonly id: string }

export function subscriptionRow(subscription: PaymentSubscription): SubscriptionRow {
  const { clockAt = null, ...kept } = subscription
  const { id, customerId, status, currency, createdAt } = kept
  return { id, customerId, status, currency, createdAt, clockAt, body: storableJson(kept) }
}

/**
 * Saves subscriptions as of the request: not before `askedAfter` by the provider's clock, or by a test clock of their
 * own. Marks customers of changed ones, former customers included, for the rebuild, unless all are due anyway ('first').
 */
export async function saveSubscriptions(
  tenant: Tenant,
  subscriptions: readonly SubscriptionRow[],
  { at, askedAt, askedAfter, mode }: { at: Date; askedAt: Date; askedAfter: Date; mode: 'first' | 'again' },
): Promise<void> {
  if (subscriptions.length === 0) return
  const ids = subscriptions.map(({ id }) => id)
  const before = mode === 'first' ? [] : await listCustomersOf(tenant, ids)
  // One that goes over to a customer that is not stored leaves the lists until that customer is rebuilt.
  const isListable = sql`excluded.customer_id in (known.customer_id, '') or exists (
    select from customers c where c.organization_id = ${tenant.organizationId} and c.id = excluded.customer_id)`
  const written = sql`
    insert into subscriptions as known
      (organization_id, id, customer_id, status, body, created_at, currency, updated_at, read_at, asked_after)
    select ${tenant.organizationId}, id, "customerId", status, body, to_timestamp("createdAt"), currency,
           ${mode === 'first' ? sql`least(to_timestamp("createdAt"), ${at})` : at}, ${askedAt},
           coalesce(to_timestamp("clockAt"), ${askedAfter})
      from ${columnRows(onceById(subscriptions), subscriptionColumns)} as given
    on conflict (organization_id, id) do update set
      customer_id = excluded.customer_id, status = excluded.status, body = excluded.body,
      created_at = excluded.created_at, currency = excluded.currency, updated_at = ${at},
      read_at = excluded.read_at, asked_after = excluded.asked_after,
      quantity = case when ${isListable} then known.quantity end
    where known.body is distinct from excluded.body`
  const saved = await writeCounted<{ id: string; customer_id: string }>(tenant, 'subscriptions', {
    which: sql`known.id = any(${ids}::text[])`,
    statement: written,
    returned: ['id', 'customer_id'],
    inserts: new Set(ids).size,
    isFrequent: true,
  })
  const changed = new Set(saved.map(({ id }) => id))
  const unchanged = subscriptions.filter(({ id }) => !changed.has(id))
  if (unchanged.length > 0) await markRead(tenant, unchanged, { askedAt, askedAfter })
  if (mode === 'first') return
  const left = before.filter(({ id }) => changed.has(id))
  await markRebuildDue(
    tenant,
    [...saved, ...left].map(({ customer_id }) => customer_id),
  )
}

async function listCustomersOf(
  tenant: Tenant,
  ids: readonly string[],
): Promise<{ id: string; customer_id: string }[]> {
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select id, customer_id from subscriptions
     where organization_id = ${tenant.organizationId} and id = any(${ids}::text[])`.execute(tenant.sql)
  return rows
}

async function markRead(
  tenant: Tenant,
  subscriptions: readonly SubscriptionRow[],
  { askedAt, askedAfter }: { askedAt: Date; askedAfter: Date },
): Promise<void> {
  const ids = subscriptions.map(({ id }) => id)
  await sql`
    update subscriptions as known set read_at = greatest(known.read_at, ${askedAt}),
                                      asked_after = greatest(known.asked_after, given.asked_after)
      from (select id, coalesce(to_timestamp("clockAt"), ${askedAfter}) as asked_after
              from ${columnRows(onceById(subscriptions), subscriptionColumns)} as columns) as given
     where known.organization_id = ${tenant.organizationId} and known.id = given.id and known.id = any(${ids}::text[])
       and (known.read_at < ${askedAt} or known.asked_after < given.asked_after)`.execute(tenant.sql)
}

/** Up to this many customers, indexes find the invoices; for more we read all invoices. */
const fewMax = 500

/**
 * Subscriptions, after an id, of due customers that were read before one of their invoices was created, so that they
 * may be older than that invoice. Both times are the provider's. Ended ones no longer change.
 */
export async function listOutrunSubscriptionIds(
  tenant: Tenant,
  page: { after: string; limit: number },
): Promise<string[]> {
  const find = () =>
    sql<{ id: string }>`
      select distinct s.id
        from customers c
        join subscriptions s on s.organization_id = c.organization_id and s.customer_id = c.id
        join invoices i on i.organization_id = c.organization_id and i.customer_id = c.id and i.subscription_id = s.id
       where c.organization_id = ${tenant.organizationId} and c.is_rebuild_due and s.id > ${page.after}
         and i.created_at > s.asked_after and s.body ->> 'endedAt' is null
       order by s.id limit ${page.limit}`.execute(tenant.sql)
  const due = await tenant.sql
    .selectFrom('customers')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where('is_rebuild_due', '=', true)
    .limit(fewMax + 1)
    .execute()
  const { rows } = await (due.length > fewMax ? withoutNestedLoops(tenant, find) : find())
  return rows.map((row) => row.id)
}

/** Records that these were requested after all their stored invoices were created. */
export async function markReadAfterInvoices(tenant: Tenant, ids: readonly string[]): Promise<void> {
  await sql`
    update subscriptions s set asked_after = newest.created_at
      from (select subscription_id as id, max(created_at) as created_at from invoices
             where organization_id = ${tenant.organizationId} and customer_id = any(array(
                     select customer_id from subscriptions
                      where organization_id = ${tenant.organizationId} and id = any(${ids}::text[])))
             group by subscription_id) as newest
     where s.organization_id = ${tenant.organizationId} and s.id = any(${ids}::text[]) and s.id = newest.id
       and s.asked_after < newest.created_at`.execute(tenant.sql)
}

/**
 * Ends test-mode subscriptions that the provider no longer knows, because deleting a test clock deletes its objects.
 * In live mode subscriptions cannot be deleted, so this does nothing.
 */
export async function endSubscriptions(tenant: Tenant, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return
  const ended = { status: 'canceled', endedAt: instantOfDate(at) }
  const which = sql<boolean>`known.id = any(${ids}::text[]) and known.body ->> 'endedAt' is null
    and exists (select from payment_mirrors m where m.organization_id = known.organization_id and not m.is_live)`
  const statement = sql`
    update subscriptions as known
       set status = ${ended.status}, body = body || ${JSON.stringify(ended)}::jsonb, updated_at = ${at}
     where known.organization_id = ${tenant.organizationId} and ${which}`
  const ending = { which, statement, returned: ['customer_id'] }
  const rows = await writeCounted<{ customer_id: string }>(tenant, 'subscriptions', ending)
  await markRebuildDue(
    tenant,
    rows.map(({ customer_id }) => customer_id),
  )
}

/** The subscriptions of these customers. */
export async function listSubscriptionIdsOf(
  tenant: Tenant,
  customerIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from subscriptions
     where organization_id = ${tenant.organizationId} and customer_id = any(${customerIds}::text[])`.execute(
    tenant.sql,
  )
  return rows.map(({ id }) => id)
}

/**
 * Marks customers whose revenue may end merely because time passes, as with a cut-off for unpaid invoices. Also marks
 * customers of subscriptions without figures.
 */
export async function markPastDueRebuildDue(tenant: Tenant): Promise<void> {
  const rows = await tenant.sql
    .selectFrom('subscriptions')
    .select('customer_id')
    .distinct()
    .where('organization_id', '=', tenant.organizationId)
    .where('status', '=', 'past_due')
    .where('quantity', 'is not', null)
    .execute()
  await markRebuildDue(
    tenant,
    rows.map((row) => row.customer_id),
  )
}

const noCustomer = 'The subscription names no customer'

/**
 * No rebuild covers subscriptions without a customer; marks them and sets their MRR to zero, so that none is missing
 * silently.
 */
export async function markWithoutCustomer(tenant: Tenant): Promise<void> {
  const which = sql<boolean>`known.customer_id = ''
    and (known.unsupported_reason is distinct from ${noCustomer} or known.current_mrr_cents <> 0)`
  const statement = sql`
    update subscriptions as known
       set unsupported_reason = ${noCustomer}, current_mrr_cents = 0, reporting_mrr_cents = 0, quantity = coalesce(quantity, 0), receipt = null
     where known.organization_id = ${tenant.organizationId} and ${which}`
  await writeCounted(tenant, 'subscriptions', { which, statement })
}
