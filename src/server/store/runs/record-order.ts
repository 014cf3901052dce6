import { type RawBuilder, sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'

const weighty = sql.join(['status', 'mrr', 'quantity', 'productName'].map((name) => sql.lit(name)))

/** Whether a push changed figures of the record, and not only a day. These come first in the list of a run. */
export function isWeighty(record: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from unnest(array[${weighty}]) as field
     where ${record}.told_before ->> field is distinct from ${record}.told_after ->> field)`
}

/** The row that a record of a run comes from, as it is now. The newest `at` come first in the list of a run. */
export function rowNow(tenant: Tenant, kind: CrmKind, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const [table, time] = kind === 'event' ? ['events', 'occurred_at'] : ['subscriptions', 'updated_at']
  // Each row is looked up by its key, whatever the planner believes of the tables.
  return sql`(select id, updated_at, ${sql.ref(time)} as at from ${sql.table(table)}
               where organization_id = ${tenant.organizationId} and id = ${id} limit 1)`
}
