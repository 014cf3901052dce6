// Lists show how many rows they have and what these come to, at a million rows as at ten, so nobody counts rows for that. A
// statement that writes rows of a list also adds the difference that it made to `list_totals`, in rows that lock nothing.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared.ts'
import { addUpMovements, recountMovements } from './movement-totals.ts'

/** `customers`: by whether they have a company; with their MRR by currency, and with an empty part in the reporting one. */
const listNames = ['events', 'subscriptions', 'matches', 'customers'] as const
type ListName = (typeof listNames)[number]

type Counting = {
  table: string
  /** The columns that name a row within its organization, and those on which the totals depend. */
  key: readonly string[]
  columns: readonly string[]
  /** What one row adds, as rows of status, part and the sums; none if the row is not listed. */
  adds: (column: (name: string) => RawBuilder<unknown>) => RawBuilder<unknown>
}

/** The sums of a row that is only counted. */
const nothing = sql`0 as earning, 0 as cents, 0 as reporting, 0 as unconverted, 0 as apart`

/** The sums of a total, and what they are sums of. */
const sums = [
  ['earning_count', 'earning'],
  ['mrr_cents', 'cents'],
  ['reporting_cents', 'reporting'],
  ['unconverted_cents', 'unconverted'],
  ['unconverted_count', 'apart'],
] as const
const sumColumns = sql.join(['row_count', ...sums.map(([column]) => column)].map((column) => sql.ref(column)))

/** Must agree with the counting in the SQL function `name_companies`, the only other writer of totals. */
const countings: Record<ListName, Counting> = {
  events: {
    table: 'events',
    key: ['id'],
    columns: ['mrr_status'],
    adds: (of) => sql`
      select ${of('mrr_status')} as status, '' as part, ${nothing} where ${of('mrr_status')} is not null`,
  },
  subscriptions: {
    table: 'subscriptions',
    key: ['id'],
    columns: ['status', 'currency', 'current_mrr_cents', 'reporting_mrr_cents', 'quantity'],
    adds: (of) => sql`
      select ${of('status')} as status, ${of('currency')} as part, (${of('current_mrr_cents')} > 0)::integer as earning,
             greatest(${of('current_mrr_cents')}, 0) as cents,
             case when ${of('current_mrr_cents')} > 0 then coalesce(${of('reporting_mrr_cents')}, 0) else 0 end as reporting,
             case when ${of('reporting_mrr_cents')} is null then greatest(${of('current_mrr_cents')}, 0) else 0 end
               as unconverted,
             (${of('current_mrr_cents')} > 0 and ${of('reporting_mrr_cents')} is null)::integer as apart
       where ${of('quantity')} is not null`,
  },
  matches: {
    table: 'matches',
    key: ['customer_id', 'portal_id'],
    columns: ['state'],
    adds: (of) => sql`
      select ${of('state')} as status, ${of('portal_id')} as part, ${nothing}
       where ${of('state')} is not null`,
  },
  customers: {
    table: 'customers',
    key: ['id'],
    columns: [
      'is_subscriber',
      'is_attached',
      'mrr_by_currency',
      'reporting_mrr_cents',
      'unconverted_by_currency',
    ],
    adds: (of) => sql`
      select case when ${of('is_attached')} then 'matched' else 'unmatched' end as status, part, 0 as earning, cents,
             reporting, unconverted, 0 as apart
        from (select key as part, value::bigint as cents, 0::bigint as reporting,
                     coalesce((${of('unconverted_by_currency')} ->> key)::bigint, 0) as unconverted
                from jsonb_each_text(${of('mrr_by_currency')})
              union all
              select '', 0, ${of('reporting_mrr_cents')}, 0) as each
       where ${of('is_subscriber')}`,
  },
}

/** What a customer `c` adds to the totals of its list, so that those of some customers are counted in the same way. */
export const addedByCustomer = countings.customers.adds((name) => sql.ref(`c.${name}`))

export type CountedWrite = {
  /** The rows that the statement may write, as a condition on `known`, which is the table. */
  which: RawBuilder<boolean>
  /** Inserts, updates or deletes rows of the list, whose table it names `known`, and ends before `returning`. */
  statement: RawBuilder<unknown>
  /** Columns of the written rows that the caller wants. */
  returned?: readonly string[]
  /** Whether the caller wants to know of each row if it was inserted, as `isNew`. */
  tellsNew?: boolean
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
  const { isFrequent, inserts = 0, isDelete = false, returned = [], tellsNew = false } = write
  const mark = isFrequent ? prepared : sql``
  const { table, key, columns, adds } = countings[list]
  const keys = sql.join(key.map((name) => sql.ref(`known.${name}`)))
  const plainKeys = sql.join(key.map((name) => sql.ref(name)))
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
  const changes = [sql`sum(one)`, ...sums.map(([, name]) => sql`sum(one * ${sql.ref(name)})`)]
  const { rows } = await sql<Row>`${mark}
    with before as materialized (select ${counted} from ${those}),
    written as (${write.statement} returning ${sql.join([...returned.map((name) => sql`${sql.ref(`known.${name}`)} as ${sql.ref(`wanted_${name}`)}`), counted])}),
    replaced as (select before.* from before join written using (${plainKeys})),
    totals as (
      insert into list_totals (organization_id, list, status, part, ${sumColumns})
      select ${tenant.organizationId}, ${sql.lit(list)}, change.status, change.part, ${sql.join(changes)}
        from (${differences}) as change
       group by change.status, change.part
      having ${anyOf(changes)})
    select ${sql.join([sql`1 as written`, ...returned.map((name) => sql`${sql.ref(`wanted_${name}`)} as ${sql.ref(name)}`), ...(tellsNew ? [sql`was is null as "isNew"`] : [])])} from written
      ${tellsNew ? sql`left join (select true as was, ${plainKeys} from before) as known using (${plainKeys})` : sql``}`.execute(
    tenant.sql,
  )
  return rows
}

const anyOf = (values: readonly RawBuilder<unknown>[]) =>
  sql.join(
    values.map((value) => sql`${value} <> 0`),
    sql` or `,
  )

/** The number of rows of a list, in total or with one of these statuses; no statuses mean all. */
export function countListed(
  tenant: Tenant,
  list: ListName,
  narrowed: { statuses?: readonly string[] | undefined; part?: RawBuilder<string | null> } = {},
): RawBuilder<number> {
  const { statuses = [] } = narrowed
  const ofStatus = statuses.length === 0 ? sql`` : sql` and status = any(${statuses}::text[])`
  const ofPart = narrowed.part === undefined ? sql`` : sql` and part = ${narrowed.part}`
  return sql<number>`
    select coalesce(sum(row_count), 0)::bigint from list_totals
     where organization_id = ${tenant.organizationId} and list = ${sql.lit(list)}${ofStatus}${ofPart}`
}

/** Adds up the differences, so that lists read few rows. Totals stay what they are. */
export async function addUpTotals(tenant: Tenant): Promise<void> {
  await lockTotals(tenant)
  const kept = ['row_count', ...sums.map(([column]) => column)].map((column) => sql`sum(${sql.ref(column)})`)
  await replaceTotals(
    tenant,
    sql`select list, status, part, ${sql.join(kept)} from gone group by list, status, part having ${anyOf(kept)}`,
  )
  await addUpMovements(tenant)
}

/**
 * Counts the rows of every list and all movements, in place of all differences. One statement sees one state of the database: either a
 * writer's rows and difference, or neither.
 */
export async function recountTotals(tenant: Tenant): Promise<void> {
  await lockTotals(tenant)
  await replaceTotals(tenant, recounted(tenant))
  await recountMovements(tenant)
}

/** What the totals are if nothing was missed. */
function recounted(tenant: Tenant): RawBuilder<unknown> {
  const each = listNames.map((list) => {
    const { table, adds } = countings[list]
    return sql`
      select ${sql.lit(list)} as list, added.status, added.part, count(*),
             ${sql.join(sums.map(([, name]) => sql`sum(${sql.ref(name)})`))}
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
    insert into list_totals (organization_id, list, status, part, ${sumColumns})
    select ${organizationId}::integer, totals.* from (${totals}) as totals`.execute(transaction)
}
