// Row-level security keeps LIKE out of index searches, so a search reads the texts of all customers. They lie together, 25 to
// a row, because one long text is searched far faster than many short ones. Triggers add rows for new and changed customers.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** As in the triggers: about a third of a PostgreSQL page. */
const customersPerRow = 25
/** Searches stay fast with this many additional rows, plus this share of the rows that are needed. */
const extra = { rows: 50, share: 0.25 }

/**
 * Ids of customers whose text contains the needle, up to `limit`, with duplicates. Rows also contain earlier names, so
 * each hit is compared with the customer, who is `c` in `isFound`.
 */
export function customersCalled(
  tenant: Tenant,
  text: string,
  isFound: RawBuilder<boolean>,
  limit: number,
): RawBuilder<unknown> {
  const needle = needleOf(text)
  const isInLine = sql<boolean>`strpos(line.text, ${needle}) > 0`
  return lookedUp(tenant, sql<boolean>`strpos(t.texts, ${needle}) > 0`, isInLine, isFound, limit)
}

/** Ids of customers whose name begins with the text, up to `limit`, with duplicates. A name is the first of their text. */
export function customersBeginning(tenant: Tenant, text: string, limit: number): RawBuilder<unknown> {
  const needle = needleOf(text)
  const isInRow = sql<boolean>`strpos(chr(30) || t.texts, chr(30) || ${needle}) > 0`
  const isFound = sql<boolean>`c.search_text ^@ folded(${text})`
  return lookedUp(tenant, isInRow, sql<boolean>`line.text ^@ ${needle}`, isFound, limit)
}

const needleOf = (text: string) => sql`translate(folded(${text}), chr(30), ' ')`

function lookedUp(
  tenant: Tenant,
  isInRow: RawBuilder<boolean>,
  isInLine: RawBuilder<boolean>,
  isFound: RawBuilder<boolean>,
  limit: number,
): RawBuilder<unknown> {
  // `offset 0` forces PostgreSQL to look up each customer by id.
  return sql`
    select line.id from customer_texts t
     cross join lateral unnest(t.ids, string_to_array(t.texts, chr(30))) as line (id, text)
     cross join lateral (select search_text from customers
                          where organization_id = ${tenant.organizationId} and id = line.id offset 0) as c
     where t.organization_id = ${tenant.organizationId} and ${isInRow} and ${isInLine} and ${isFound}
     limit ${limit}`
}

/** Writes the texts of all customers again, without earlier names, if many rows are outdated. */
export async function packCustomerTexts(tenant: Tenant): Promise<void> {
  const ofTenant = sql`organization_id = ${tenant.organizationId}`
  const { rows } = await sql<{ isDue: boolean }>`
    select (select count(*) from customer_texts where ${ofTenant}) > ${extra.rows}::integer + ${1 + extra.share}::numeric
           * (select count(*) from customers where ${ofTenant}) / ${customersPerRow}::integer as "isDue"`.execute(
    tenant.sql,
  )
  if (rows[0]?.isDue) await packAgain(tenant, sql`true`, sql`true`)
}

/** Removes earlier names of these customers from the searched texts. */
export async function forgetFormerTexts(tenant: Tenant, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await packAgain(tenant, sql`ids && ${ids}::text[]`, sql`id in (select unnest(ids) from gone)`)
}

/** Replaces these rows by new ones, which contain these customers as they are now. */
async function packAgain(
  { organizationId, sql: transaction }: Tenant,
  isReplaced: RawBuilder<unknown>,
  isPacked: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with gone as (
      delete from customer_texts where organization_id = ${organizationId} and ${isReplaced} returning ids)
    insert into customer_texts (organization_id, ids, texts)
    select organization_id, array_agg(id), string_agg(translate(search_text, chr(30), ' '), chr(30))
      from (select organization_id, id, search_text,
                   row_number() over (order by id) / ${customersPerRow}::integer as part
              from customers
             where organization_id = ${organizationId} and ${isPacked} and btrim(search_text, chr(10)) <> '') as named
     group by organization_id, part`.execute(transaction)
}
