// Lists show how many rows they have and what these come to, at a million rows as at ten, so nobody counts rows for that. A
// statement that writes rows of a list also adds the difference that it made to `list_totals`, in rows that lock nothing.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared.ts'

/** `attached`: customers of a company, with their MRR by currency. */
const listNames = ['events', 'subscriptions', 'matches', 'attached'] as const
type ListName = (typeof listNames)[number]

type Counting = {
  table: string
  /** The columns that name a row within its organization, and those on which the totals depend. */
  key: readonly string[]
  columns: readonly string[]
  /** What one row adds, as rows of status, part, earning and cents; none if the row is not listed. */
  adds: (column: (name: string) => RawBuilder<unknown>) => RawBuilder<unknown>
}

/** Must agree with the counting in the SQL function `name_companies`, the only other writer of totals. */
const countings: Record<ListName, Counting> = {
  events: {
    table: 'events',
    key: ['id'],
    columns: ['mrr_status'],
    adds: (of) => sql`
      select ${of('mrr_status')} as status, '' as part, 0 as earning, 0 as cents where ${of('mrr_status')} is not null`,
  },
  subscriptions: {
    table: 'subscriptions',
    key: ['id'],
    columns: ['status', 'currency', 'current_mrr_cents', 'quantity'],
    adds: (of) => sql`
      select ${of('status')} as status, ${of('currency')} as part, (${of('current_mrr_cents')} > 0)::integer as earning,
             greatest(${of('current_mrr_cents')}, 0) as cents
       where ${of('quantity')} is not null`,
  },
  matches: {
    table: 'matches',
    key: ['customer_id', 'portal_id'],
    columns: ['state'],
    adds: (of) => sql`
      select ${of('state')} as status, ${of('portal_id')} as part, 0 as earning, 0 as cents
       where ${of('state')} is not null`,
  },
  attached: {
    table: 'customers',
    key: ['id'],
    columns: ['is_attached', 'mrr_by_currency'],
    adds: (of) => sql`
      select '' as status, key as part, 0 as earning, value::bigint as cents
        from jsonb_each_text(${of('mrr_by_currency')}) where ${of('is_attached')}`,
  },
}

export type CountedWrite = {
  /** The rows that the statement may write, as a condition on `known`, which is the table. */
  which: RawBuilder<boolean>
  /** Inserts, updates or deletes rows of the list, whose table it names `known`, and ends before `returning`. */
  statement: RawBuilder<unknown>
  /** Columns of the written rows that the caller wants. */
  returned?: readonly string[]
  /** How many rows it may insert. */
  inserts?: number
  isDelete?: boolean
  /** Whether PostgreSQL shall keep the plan; `prepared` says where that is right. */
  isFrequent?: boolean
}

/**
 * Writes rows of a list together with the difference that this makes to its totals. Rows that may be written are locked
 * first, so that nobody changes them meanwhile. Returns the wanted columns of the written rows.
 */
export async function writeCounted<Row = object>(
  tenant: Tenant,
  list: ListName,
  write: CountedWrite,
): Promise<Row[]> {
  const { isFrequent, inserts = 0, isDelete = false, returned = [] } = write
  const mark = isFrequent ? prepared : sql``
  const { table, key, columns, adds } = countings[list]
  const keys = sql.join(key.map((name) => sql.ref(`known.${name}`)))
  const those = sql`${sql.table(table)} as known where known.organization_id = ${tenant.organizationId} and ${write.which}`
  const lock = async () =>
    (await sql`${mark} select from ${those} order by ${keys} for update of known`.execute(tenant.sql)).rows
      .length
  if ((await lock()) < inserts) {
    await lockInserts(tenant)
    await lock()
  }
  const counted = sql.join([keys, ...columns.map((name) => sql.ref(`known.${name}`))])
  const each = (one: number, from: string) => sql`
    select ${sql.lit(one)} as one, added.* from ${sql.table(from)}
     cross join lateral (${adds((name) => sql.ref(`${from}.${name}`))}) as added`
  const differences = isDelete
    ? each(-1, 'written')
    : sql`${each(1, 'written')} union all ${each(-1, 'replaced')}`
  const { rows } = await sql<Row>`${mark}
    with before as materialized (select ${counted} from ${those}),
    written as (${write.statement} returning ${sql.join([...returned.map((name) => sql`${sql.ref(`known.${name}`)} as ${sql.ref(`wanted_${name}`)}`), counted])}),
    replaced as (select before.* from before join written using (${sql.join(key.map((name) => sql.ref(name)))})),
    totals as (
      insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents)
      select ${tenant.organizationId}, ${sql.lit(list)}, change.status, change.part, sum(one), sum(one * earning),
             sum(one * cents)
        from (${differences}) as change
       group by change.status, change.part
      having sum(one) <> 0 or sum(one * earning) <> 0 or sum(one * cents) <> 0)
    select ${sql.join([sql`1 as written`, ...returned.map((name) => sql`${sql.ref(`wanted_${name}`)} as ${sql.ref(name)}`)])} from written`.execute(
    tenant.sql,
  )
  return rows
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

/** The first half of advisory lock keys; the organization is the second half. */
const totalsLock = 740_114
const insertsLock = 740_115

/** Two statements that insert the same row at once would both count it. */
async function lockInserts({ sql: transaction, organizationId }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(${insertsLock}::integer, ${organizationId}::integer)`.execute(
    transaction,
  )
}

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
