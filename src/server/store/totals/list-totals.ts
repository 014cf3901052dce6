// Lists show how many rows they have and what these come to, at a million rows as at ten, so nobody counts rows for that. A
// statement that writes rows of a list also adds the difference that it made to `list_totals`, in rows that lock nothing.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** `attached`: customers of a company, with their MRR by currency. */
const listNames = ['events', 'subscriptions', 'matches', 'attached'] as const
type ListName = (typeof listNames)[number]

type Counting = {
  table: string
  /** The columns on which the totals depend. */
  columns: readonly string[]
  /** What one row adds, as rows of status, part, earning and cents; none if the row is not listed. */
  adds: (column: (name: string) => RawBuilder<unknown>) => RawBuilder<unknown>
}

/** Must agree with the counting in the SQL function `name_companies`, the only other writer of totals. */
const countings: Record<ListName, Counting> = {
  events: {
    table: 'events',
    columns: ['mrr_status'],
    adds: (of) => sql`
      select ${of('mrr_status')} as status, '' as part, 0 as earning, 0 as cents where ${of('mrr_status')} is not null`,
  },
  subscriptions: {
    table: 'subscriptions',
    columns: ['status', 'currency', 'current_mrr_cents', 'quantity'],
    adds: (of) => sql`
      select ${of('status')} as status, ${of('currency')} as part, (${of('current_mrr_cents')} > 0)::integer as earning,
             greatest(${of('current_mrr_cents')}, 0) as cents
       where ${of('quantity')} is not null`,
  },
  matches: {
    table: 'matches',
    columns: ['state', 'portal_id'],
    adds: (of) => sql`
      select ${of('state')} as status, ${of('portal_id')} as part, 0 as earning, 0 as cents
       where ${of('state')} is not null`,
  },
  attached: {
    table: 'customers',
    columns: ['is_attached', 'mrr_by_currency'],
    adds: (of) => sql`
      select '' as status, key as part, 0 as earning, value::bigint as cents
        from jsonb_each_text(${of('mrr_by_currency')}) where ${of('is_attached')}`,
  },
}

/**
 * The statement, which inserts, updates or deletes rows of the list and ends before `returning`, together with its
 * difference to the totals. Returns the named columns of the written rows, or their `count`.
 */
export function counted<Row>(
  tenant: Tenant,
  list: ListName,
  statement: RawBuilder<unknown>,
  returned: readonly string[] = [],
): RawBuilder<Row> {
  const { columns, adds } = countings[list]
  const both = columns.flatMap((name) => [
    sql`old.${sql.ref(name)} as ${sql.ref(`old_${name}`)}`,
    sql`new.${sql.ref(name)} as ${sql.ref(`new_${name}`)}`,
  ])
  const wanted = returned.map((name) => sql.ref(name))
  return sql<Row>`
    with written as (${statement} returning ${sql.join([...wanted, ...both])}),
    totals as (
      insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents)
      select ${tenant.organizationId}, ${sql.lit(list)}, change.status, change.part, sum(one), sum(one * earning),
             sum(one * cents)
        from written cross join lateral (
          select 1 as one, added.* from (${adds((name) => sql.ref(`new_${name}`))}) as added
          union all
          select -1, removed.* from (${adds((name) => sql.ref(`old_${name}`))}) as removed) as change
       group by change.status, change.part
      having sum(one) <> 0 or sum(one * earning) <> 0 or sum(one * cents) <> 0)
    select ${wanted.length > 0 ? sql.join(wanted) : sql`count(*) as count`} from written`
}

/** The number of rows of a list, in total or with one status. */
export function countListed(
  tenant: Tenant,
  list: ListName,
  narrowed: { status?: string | undefined; part?: RawBuilder<string | null> } = {},
): RawBuilder<number> {
  const ofStatus = narrowed.status === undefined ? sql`` : sql` and status = ${narrowed.status}`
  const ofPart = narrowed.part === undefined ? sql`` : sql` and part = ${narrowed.part}`
  return sql<number>`
    select coalesce(sum(row_count), 0)::bigint from list_totals
     where organization_id = ${tenant.organizationId} and list = ${sql.lit(list)}${ofStatus}${ofPart}`
}

/** Adds up the differences, so that lists read few rows. Totals stay what they are. */
export async function addUpTotals(tenant: Tenant): Promise<void> {
  await lockTotals(tenant)
  await replaceTotals(
    tenant,
    sql`select list, status, part, sum(row_count), sum(earning_count), sum(mrr_cents) from gone
         group by list, status, part
        having sum(row_count) <> 0 or sum(earning_count) <> 0 or sum(mrr_cents) <> 0`,
  )
}

/**
 * Counts the rows of every list, in place of all differences. One statement sees one state of the database: either a
 * writer's rows and difference, or neither.
 */
export async function recountTotals(tenant: Tenant): Promise<void> {
  await lockTotals(tenant)
  await replaceTotals(tenant, recounted(tenant))
}

/** What the totals are if nothing was missed. */
function recounted(tenant: Tenant): RawBuilder<unknown> {
  const each = listNames.map((list) => {
    const { table, adds } = countings[list]
    return sql`
      select ${sql.lit(list)} as list, added.status, added.part, count(*) as row_count, sum(earning) as earning_count,
             sum(cents) as mrr_cents
        from ${sql.table(table)} as listed
       cross join lateral (${adds((name) => sql.ref(`listed.${name}`))}) as added
       where listed.organization_id = ${tenant.organizationId} group by added.status, added.part`
  })
  return sql.join(each, sql` union all `)
}

/** The first half of an advisory lock key; the organization is the second half. */
const totalsLock = 740_114

/** Two statements that replace totals at once would insert both results. */
async function lockTotals({ sql: transaction, organizationId }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(${totalsLock}::integer, ${organizationId}::integer)`.execute(
    transaction,
  )
}

async function replaceTotals({ organizationId, sql: transaction }: Tenant, totals: RawBuilder<unknown>) {
  await sql`
    with gone as (delete from list_totals where organization_id = ${organizationId} returning *)
    insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents)
    select ${organizationId}::integer, totals.* from (${totals}) as totals`.execute(transaction)
}
