import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { textsThatMayContain } from './customer-texts.ts'

/** A search is counted up to here; that there is more is told, and not how much. */
export const countedMax = 1_000

/** So many rows are collected and sorted; more are met soon by walking along the list. */
export const collectedMax = countedMax + 1

const productNamesMax = 201

/** How many a search finds, up to `countedMax`, and whether there are more. */
export type Counted = { totalCount: number; isCapped: boolean }

/** What was counted up to `collectedMax`. */
export function countedOf(count: number): Counted {
  return { totalCount: Math.min(count, countedMax), isCapped: count > countedMax }
}

type Searched = 'events' | 'subscriptions'

export type Found = {
  text: string
  /** Customers whose name, address, domain or company contains the text, or whose id begins with it. */
  customerIds: string[]
  /** Names of products that contain it, as the rows keep them. */
  productNames: string[]
  /** Whether these are only some of them, since there are more than are collected. */
  isPartial: boolean
}

/** What a text is found in, before any list is read. */
export async function findText(tenant: Tenant, text: string, table: Searched): Promise<Found> {
  const { rows } = await sql<{ called: string[]; beginning: string[]; productNames: string[] }>`
    select array(${customerIdsOf(tenant, text)}) as called,
           array(${customerIdsBeginning(tenant, text, table)}) as beginning,
           array(${productNamesOf(tenant, text, table)}) as "productNames"`.execute(tenant.sql)
  const { called = [], beginning = [], productNames = [] } = rows[0] ?? {}
  return {
    text,
    customerIds: [...new Set([...called, ...beginning])],
    productNames,
    isPartial:
      called.length === collectedMax ||
      beginning.length === collectedMax ||
      productNames.length === productNamesMax,
  }
}

/**
 * Ids of customers that contain the text, up to `collectedMax`, some of them twice. The packed texts tell who may; a
 * text that somebody was called by before is in them too.
 */
export function customerIdsOf(tenant: Tenant, text: string): RawBuilder<unknown> {
  const needle = sql`translate(lower(${text}), chr(30), ' ')`
  // The offset keeps each customer from being met otherwise than by its id.
  return sql`
    select line.id from ${textsThatMayContain(tenant, text)}
     cross join lateral unnest(t.ids, string_to_array(t.texts, chr(30))) as line (id, text)
     cross join lateral (select search_text from customers
                          where organization_id = ${tenant.organizationId} and id = line.id offset 0) as c
     where strpos(t.texts, ${needle}) > 0 and strpos(line.text, ${needle}) > 0 and ${customerContains(text)}
     limit ${collectedMax}`
}

/**
 * Whether the customer `c` contains the text, in any case. Of a pattern the planner believes that hardly a row matches, and
 * would rather sort all rows than walk until a page is full; of a position it believes that every third does.
 */
export function customerContains(text: string): RawBuilder<boolean> {
  return sql<boolean>`strpos(c.search_text, lower(${text})) > 0`
}

/** Whether a name contains the text, in any case. */
export function nameContains(name: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql<boolean>`strpos(lower(${name}), lower(${text})) > 0`
}

/** The customers of rows whose id begins with the text, each found by the step from one to the next in the index. */
function customerIdsBeginning(tenant: Tenant, text: string, table: Searched): RawBuilder<unknown> {
  const rows = sql`${sql.table(table)} where organization_id = ${tenant.organizationId} and customer_id ^@ ${text}`
  return sql`
    with recursive steps as (
      select min(customer_id) as id from ${rows}
      union all
      select (select min(customer_id) from ${rows} and customer_id > steps.id) from steps where steps.id is not null)
    select id from steps where id is not null limit ${collectedMax}`
}

/** The names that contain the text, by the same steps. */
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
