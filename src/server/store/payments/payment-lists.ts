import { sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import type { Tenant } from '../postgres/database.ts'

const tables = {
  subscriptions: 'subscriptions',
  current_subscriptions: 'subscriptions',
  ended_subscriptions: 'subscriptions',
  products: 'products',
  prices_active: 'prices',
  prices_archived: 'prices',
  coupons: 'coupons',
  customers: 'customers',
  invoices: 'invoices',
  invoice_payments: 'invoice_payments',
} as const

/**
 * Where everything is read, what has ended waits until the list before it is in to its end: so whatever ends meanwhile is met
 * in one of the two.
 */
export const readAfter = { list: 'ended_subscriptions', before: 'current_subscriptions' } as const

export type ListOfObjects = keyof typeof tables

/** What the objects of a list are, as their table is named and as they are asked for one by one. */
export function tableOf(list: ListOfObjects): (typeof tables)[ListOfObjects] {
  return tables[list]
}

/** Of the ids of one of the provider's lists, those that are not kept here. */
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

/** How many are kept of a kind that were made at that instant or later. It looks through all of them. */
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
