import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { addDays, type Day } from '#domain/date-range.ts'
import type { Tenant } from '../postgres/database.ts'
import type { DB } from '../postgres/tables.ts'

/** Which lines are wanted. `deleted` are accounts that are gone; `nobody` was signed in for what happens by itself. */
export type AuditFilter = {
  personId?: number | 'deleted' | 'nobody' | undefined
  action?: readonly string[] | undefined
  /** UTC days, both included. */
  from?: Day | undefined
  to?: Day | undefined
}

/** A page of lines, newest first, and how many there are. */
export async function listAudit(tenant: Tenant, query: AuditFilter & { page: number; limit: number }) {
  const lines = await newestFirst(tenant, query)
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  const { count } = await tenant.sql
    .selectFrom('audit_log')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .where((e) => e.and(conditionsOf(e, query)))
    .executeTakeFirstOrThrow()
  return { lines, totalCount: count }
}

/** Behind which line a part of an export begins. Its time is text, which keeps every microsecond. */
export type AuditPlace = { happenedAt: string; id: number }

/** Lines from a place on, newest first, and where the next begin; null behind the last. Counts nothing. */
export async function readAuditOnwards(
  tenant: Tenant,
  filter: AuditFilter,
  { behind, limit }: { behind: AuditPlace | null; limit: number },
) {
  const isBehind = sql<boolean>`(happened_at, id) < (${behind?.happenedAt}::timestamptz, ${behind?.id}::bigint)`
  const lines = await newestFirst(tenant, filter)
    .select(sql<string>`happened_at::text`.as('happenedAt'))
    .$if(behind !== null, (query) => query.where(isBehind))
    .limit(limit)
    .execute()
  const last = lines.length < limit ? undefined : lines.at(-1)
  const next: AuditPlace | null = last === undefined ? null : { happenedAt: last.happenedAt, id: last.id }
  return { lines, next }
}

export type AuditLine = Awaited<ReturnType<typeof listAudit>>['lines'][number]

function newestFirst(tenant: Tenant, filter: AuditFilter) {
  return tenant.sql
    .selectFrom('audit_log')
    .select(['id', 'happened_at', 'actor_email', 'address', 'action', 'subject', 'outcome'])
    .where('organization_id', '=', tenant.organizationId)
    .where((e) => e.and(conditionsOf(e, filter)))
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')
}

type Audit = ExpressionBuilder<DB, 'audit_log'>

function conditionsOf(e: Audit, { personId, action, from, to }: AuditFilter) {
  return [
    ...(personId === undefined ? [] : [isOf(e, personId)]),
    ...(action === undefined ? [] : [sql<SqlBool>`action = any(${action}::text[])`]),
    ...(from === undefined ? [] : [e('happened_at', '>=', startOf(from))]),
    ...(to === undefined ? [] : [e('happened_at', '<', startOf(addDays(to, 1)))]),
  ]
}

/** The line of a deleted account keeps a text in place of the address; that of nobody has none. */
function isOf(e: Audit, personId: number | 'deleted' | 'nobody') {
  if (typeof personId === 'number') return e('actor_user_id', '=', personId)
  // Word for word the expression of `audit_log_without_actor_idx`, or PostgreSQL does not use the index.
  const isNobody = sql<SqlBool>`(actor_email is null) = ${personId === 'nobody'}`
  return e.and([e('actor_user_id', 'is', null), isNobody])
}

const startOf = (day: Day) => new Date(`${day}T00:00:00Z`)

/** Who did something, and what was done: each once, however long the log is. */
export async function listAuditOptions(tenant: Tenant): Promise<{
  people: { personId: number; address: string }[]
  hasDeleted: boolean
  hasNobody: boolean
  actions: string[]
}> {
  const own = sql`organization_id = ${tenant.organizationId}`
  // Leaps from one value to the next along an index, since `distinct` would read every line.
  const each = (column: 'actor_user_id' | 'action') => {
    const name = sql.ref(column)
    return sql`
      (select min(${name}) as value from audit_log where ${own})
       union all
      select (select min(${name}) from audit_log where ${own} and ${name} > each_of.value) from each_of
       where value is not null`
  }
  const people = await sql<{ personId: number; address: string }>`
    with recursive each_of as (${each('actor_user_id')})
    select value as "personId",
           (select actor_email from audit_log where ${own} and actor_user_id = value
             order by happened_at desc, id desc limit 1) as address
      from each_of where value is not null order by address`.execute(tenant.sql)
  const actions = await sql<{ value: string }>`
    with recursive each_of as (${each('action')})
    select value from each_of where value is not null`.execute(tenant.sql)
  const has = (personId: 'deleted' | 'nobody') =>
    tenant.sql
      .selectFrom('audit_log')
      .select('id')
      .where('organization_id', '=', tenant.organizationId)
      .where((e) => isOf(e, personId))
      .limit(1)
      .executeTakeFirst()
  return {
    people: people.rows,
    hasDeleted: (await has('deleted')) !== undefined,
    hasNobody: (await has('nobody')) !== undefined,
    actions: actions.rows.map(({ value }) => value),
  }
}
