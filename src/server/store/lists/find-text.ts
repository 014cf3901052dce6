import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { customersCalled } from './customer-texts.ts'

/** Searches count up to this number; above it we say only that there are more. */
export const countedMax = 1_000

/** Up to this many rows we collect and sort; for more, walking the list finds a page quickly. */
export const collectedMax = countedMax + 1

const productNamesMax = 201

type Searched = 'events' | 'subscriptions'

export type Found = {
  text: string
  /** Customers whose name, address, domain or company contains the text, or whose id starts with it. */
  customerIds: string[]
  /** Product names that contain it, as stored in the rows. */
  productNames: string[]
  /** Invoices whose number is the text, for a search of events. */
  invoiceIds: string[]
  /** Whether more customers or products match than were collected. */
  isPartial: boolean
}

/** Finds the customers and products that contain a text, before any list is read. */
export async function findText(tenant: Tenant, text: string, table: Searched): Promise<Found> {
  type Row = Pick<Found, 'productNames' | 'invoiceIds'> & { called: string[]; beginning: string[] }
  const { rows } = await sql<Row>`
    select array(${customerIdsOf(tenant, text)}) as called,
           array(${customerIdsBeginning(tenant, text, table)}) as beginning,
           array(${productNamesOf(tenant, text, table)}) as "productNames",
           array(${table === 'events' ? invoicesNumbered(tenant, text) : sql`select null::text where false`}) as "invoiceIds"`.execute(
    tenant.sql,
  )
  const { called = [], beginning = [], productNames = [], invoiceIds = [] } = rows[0] ?? {}
  return {
    text,
    customerIds: [...new Set([...called, ...beginning])],
    productNames,
    invoiceIds,
    isPartial:
      called.length === collectedMax ||
      beginning.length === collectedMax ||
      productNames.length === productNamesMax,
  }
}

/** Ids of customers that contain the text, up to `collectedMax`, with duplicates. */
function customerIdsOf(tenant: Tenant, text: string): RawBuilder<unknown> {
  return customersCalled(tenant, text, customerContains(text), collectedMax)
}

/**
 * Whether the customer `c` contains the text, ignoring case and accents. For `like` the planner expects few matches and would
 * sort all rows; for `strpos` it expects a third and walks until the page is full.
 */
export function customerContains(text: string): RawBuilder<boolean> {
  return sql<boolean>`strpos(c.search_text, folded(${text})) > 0`
}

/** Whether a search finds the customer `c`, by a name or the start of the id. */
export function customerIsFound(text: string): RawBuilder<boolean> {
  return sql<boolean>`(${customerContains(text)} or c.id ^@ ${text})`
}

/** What a search means, as a condition on customers `c`: their ids, unless more are found than are collected. */
export async function findCustomers(
  tenant: Tenant,
  search: string,
): Promise<{ isPartial: boolean; contains: RawBuilder<boolean> }> {
  const { rows } = await sql<{ called: string[]; beginning: string[] }>`
    select array(${customerIdsOf(tenant, search)}) as called,
           array(select id from customers where organization_id = ${tenant.organizationId} and id ^@ ${search}
                  limit ${collectedMax}) as beginning`.execute(tenant.sql)
  const { called = [], beginning = [] } = rows[0] ?? {}
  const isPartial = called.length === collectedMax || beginning.length === collectedMax
  const contains = isPartial
    ? customerIsFound(search)
    : sql<boolean>`c.id = any(${[...called, ...beginning]}::text[])`
  return { isPartial, contains }
}

/** Whether a name contains the text, ignoring case and accents. */
export function nameContains(name: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql<boolean>`strpos(folded(${name}), folded(${text})) > 0`
}

/** The customers of rows whose customer id starts with the text; jumps through the index from one id to the next. */
function customerIdsBeginning(tenant: Tenant, text: string, table: Searched): RawBuilder<unknown> {
  const rows = sql`${sql.table(table)} where organization_id = ${tenant.organizationId} and customer_id ^@ ${text}`
  return sql`
    with recursive steps as (
      select min(customer_id) as id from ${rows}
      union all
      select (select min(customer_id) from ${rows} and customer_id > steps.id) from steps where steps.id is not null)
    select id from steps where id is not null limit ${collectedMax}`
}

/** Stripe writes the numbers of invoices in capitals. */
function invoicesNumbered(tenant: Tenant, text: string): RawBuilder<unknown> {
  return sql`select id from invoices
    where organization_id = ${tenant.organizationId} and number in (${text}, upper(${text})) limit ${collectedMax}`
}

/** The product names that contain the text, found by the same jumps. */
function productNamesOf(tenant: Tenant, text: string, table: Searched): RawBuilder<unknown> {
  const rows = sql`${sql.table(table)} where organization_id = ${tenant.organizationId}`
  return sql`
    with recursive steps as (
      select min(product_name) as name from ${rows}
      union all
      select (select min(product_name) from ${rows} and product_name > steps.name)
        from steps where steps.name is not null)
    select name from steps where ${nameContains(sql`name`, text)} limit ${productNamesMax}`
}
