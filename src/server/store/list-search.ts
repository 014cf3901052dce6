import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from './database.ts'
import { containing } from './like-pattern.ts'

/** Of so many customers and so many rows of products all is collected and sorted; more is met soon by walking the list. */
const collectedMax = { customers: 300, productRows: 3_000 }
/** So many customers are enough to count what they have up to the most that is counted. */
const customersMax = 5_000
const productNamesMax = 200

/** A search is counted up to here; how much more it finds is not told. */
export const countedMax = 10_000

type Searched = 'events' | 'subscriptions'

export type Found = {
  text: string
  /** Customers whose name, address, domain or company contains the text in any case, up to `customersMax`. */
  customerIds: string[]
  /** Names of products that contain it, as the rows keep them. */
  productNames: string[]
  /** Whether so little was found that it is collected. */
  isFew: boolean
}

/** What a text is found in, before any list is read. */
export async function findText(tenant: Tenant, text: string, table: Searched): Promise<Found> {
  const customerIds = await findCustomerIds(tenant, text)
  const productNames = await listProductNames(tenant, text, table)
  const isFew =
    customerIds.length <= collectedMax.customers && (await hasFewRows(tenant, productNames, table))
  return { text, customerIds, productNames, isFew }
}

/** Customers that contain the text, up to `customersMax`. */
async function findCustomerIds(tenant: Tenant, text: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers c where organization_id = ${tenant.organizationId} and ${customerContains(text)}
     limit ${customersMax}`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}

/** Whether the customer `c` contains the text, in any case. */
export function customerContains(text: string): RawBuilder<boolean> {
  return sql<boolean>`c.search_text like lower(${containing(text)})`
}

/** The names that contain the text, each found by the step from one name to the next in the index. */
async function listProductNames(tenant: Tenant, text: string, table: Searched): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive names as (
      select min(product_name) as name from ${sql.table(table)} where organization_id = ${tenant.organizationId}
      union all
      select (select min(product_name) from ${sql.table(table)}
               where organization_id = ${tenant.organizationId} and product_name > names.name)
        from names where names.name is not null)
    select name from names where lower(name) like lower(${containing(text)}) limit ${productNamesMax}`.execute(
    tenant.sql,
  )
  return rows.map(({ name }) => name)
}

async function hasFewRows(
  tenant: Tenant,
  productNames: readonly string[],
  table: Searched,
): Promise<boolean> {
  if (productNames.length === 0) return true
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ${sql.table(table)} where organization_id = ${tenant.organizationId}
         and product_name = any(${productNames}::text[])
       limit ${collectedMax.productRows + 1}) as rows`.execute(tenant.sql)
  return (rows[0]?.count ?? 0) <= collectedMax.productRows
}
