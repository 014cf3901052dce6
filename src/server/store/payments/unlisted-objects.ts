import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { type ListOfObjects, tableOf } from './payment-lists.ts'

/**
 * Lists whose objects can be deleted at the provider: customers, draft invoices, and everything that a test clock
 * owns.
 */
const kinds = ['customers', 'invoices', 'subscriptions'] as const
type DeletableKind = (typeof kinds)[number]

/**
 * Before a full import reads its first list, notes all stored objects that could have been deleted since. Replaces
 * notes of an earlier import.
 */
export async function expectObjects(tenant: Tenant): Promise<void> {
  const { organizationId } = tenant
  // A large account needs more time than a request may take.
  await sql`select set_config('statement_timeout', '0', true)`.execute(tenant.sql)
  await forgetExpected(tenant)
  await sql`
    insert into unlisted_objects (organization_id, kind, id)
    select organization_id, 'customers', id from customers
     where organization_id = ${organizationId} and not is_deleted
    union all
    select organization_id, 'invoices', id from invoices
     where organization_id = ${organizationId} and status = 'draft'
    union all
    select organization_id, 'subscriptions', id from subscriptions
     where organization_id = ${organizationId} and body ->> 'endedAt' is null
       and exists (select from payment_mirrors m where m.organization_id = ${organizationId} and not m.is_live)`.execute(
    tenant.sql,
  )
}

/** The same for customers only, before their list is read completely. */
export async function expectCustomers(tenant: Tenant): Promise<void> {
  await forgetExpected(tenant)
  await sql`
    insert into unlisted_objects (organization_id, kind, id)
    select organization_id, 'customers', id from customers
     where organization_id = ${tenant.organizationId} and not is_deleted`.execute(tenant.sql)
}

/** Deletes the notes of an import that did not finish. */
export async function forgetExpected(tenant: Tenant): Promise<void> {
  await tenant.sql
    .deleteFrom('unlisted_objects')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

/** Whether any noted object has not appeared in a list yet. */
export async function hasExpected(tenant: Tenant): Promise<boolean> {
  const one = await tenant.sql
    .selectFrom('unlisted_objects')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/** Records that this list contained these objects, in the transaction of its page. */
export async function noteListed(tenant: Tenant, list: ListOfObjects, ids: readonly string[]): Promise<void> {
  const kind = kinds.find((one) => one === tableOf(list))
  if (kind === undefined || ids.length === 0) return
  await sql`
    delete from unlisted_objects
     where organization_id = ${tenant.organizationId} and kind = ${kind} and id = any(${ids}::text[])`.execute(
    tenant.sql,
  )
}

/** Removes and returns up to `limit` notes of one kind that no list contained; undefined if there are none left. */
export async function takeUnlisted(
  tenant: Tenant,
  limit: number,
): Promise<{ kind: DeletableKind; ids: [string, ...string[]] } | undefined> {
  for (const kind of kinds) {
    const { rows } = await sql<{ id: string }>`
      select id from unlisted_objects where organization_id = ${tenant.organizationId} and kind = ${kind}
       order by id limit ${limit}`.execute(tenant.sql)
    const [first, ...others] = rows.map(({ id }) => id)
    if (first === undefined) continue
    await noteListed(tenant, kind, [first, ...others])
    return { kind, ids: [first, ...others] }
  }
  return undefined
}
