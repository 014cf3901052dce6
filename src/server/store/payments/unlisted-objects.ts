import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { type ListOfObjects, tableOf } from './payment-lists.ts'

/** Lists whose objects the provider lets be deleted: customers, drafts of invoices, and whatever is tied to a test clock. */
const kinds = ['customers', 'invoices', 'subscriptions'] as const
type DeletableKind = (typeof kinds)[number]

/**
 * Notes everything that is kept, not known to be deleted, and could have been, before a full import reads the first
 * list. Replaces what an earlier import has left.
 */
export async function expectObjects(tenant: Tenant): Promise<void> {
  const { organizationId } = tenant
  // A large account takes longer than a request may.
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

/** The same of customers alone, before their list is read whole. */
export async function expectCustomers(tenant: Tenant): Promise<void> {
  await forgetExpected(tenant)
  await sql`
    insert into unlisted_objects (organization_id, kind, id)
    select organization_id, 'customers', id from customers
     where organization_id = ${tenant.organizationId} and not is_deleted`.execute(tenant.sql)
}

/** Forgets what an import that has not come to its end expected to see. */
export async function forgetExpected(tenant: Tenant): Promise<void> {
  await tenant.sql
    .deleteFrom('unlisted_objects')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

/** Whether anything is left that lists are expected to hold. */
export async function hasExpected(tenant: Tenant): Promise<boolean> {
  const one = await tenant.sql
    .selectFrom('unlisted_objects')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/** Notes that this list held these, in the transaction of its page. */
export async function noteListed(tenant: Tenant, list: ListOfObjects, ids: readonly string[]): Promise<void> {
  const kind = kinds.find((one) => one === tableOf(list))
  if (kind === undefined || ids.length === 0) return
  await sql`
    delete from unlisted_objects
     where organization_id = ${tenant.organizationId} and kind = ${kind} and id = any(${ids}::text[])`.execute(
    tenant.sql,
  )
}

/** Takes up to so many objects of one kind out that no list held; undefined when there are none (any more). */
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
