import { sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import type { Tenant } from '../postgres/database.ts'

/** In the order in which an import reads them. */
const tables = {
  subscriptions: 'subscriptions',
  current_subscriptions: 'subscriptions',
  products: 'products',
  prices_active: 'prices',
  prices_archived: 'prices',
  coupons: 'coupons',
  customers: 'customers',
  ended_subscriptions: 'subscriptions',
  invoices: 'invoices',
  invoice_payments: 'invoice_payments',
} as const

/**
 * A complete import reads ended subscriptions only after the list of current ones is complete, so that a subscription
 * that ends meanwhile is in one of the two.
 */
export const readAfter = { list: 'ended_subscriptions', before: 'current_subscriptions' } as const

export type ListOfObjects = keyof typeof tables

const names = Object.keys(tables)

/** The place of a list in the order of reading; kinds that are no list come last. */
export function placeOfList(name: string): number {
  return names.includes(name) ? names.indexOf(name) : names.length
}

/** Reads the stored name of a list; throws if no list has it. */
export function listOf(name: string): ListOfObjects {
  if (!Object.hasOwn(tables, name)) throw new Error(`There is no list ${name}.`)
  return name as ListOfObjects
}

/** The kind of a list's objects: the name of their table, and of requests for single objects. */
export function tableOf(list: ListOfObjects): (typeof tables)[ListOfObjects] {
  return tables[list]
}

/** The ids among these from a provider's list that we do not have. */
export async function listUnknownObjectIds(
  tenant: Tenant,
  kind: ListOfObjects,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${ids}::text[]) as asked (id)
     where not exists (select from ${sql.table(tableOf(kind))} as kept
                        where kept.organization_id = ${tenant.organizationId} and kept.id = asked.id)`.execute(
    tenant.sql,
  )
  return rows.map(({ id }) => id)
}

/** The number of stored objects of a kind created at this time or later. Reads all of them. */
export async function countMadeSince(
  tenant: Tenant,
  kind: 'customers' | 'subscriptions' | 'invoices',
  since: Instant,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(kind)}
     where organization_id = ${tenant.organizationId} and created_at >= to_timestamp(${since})`.execute(
    tenant.sql,
  )
  return rows[0]?.count ?? 0
}
