import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { collectedMax, countedMax, type Found } from './find-text.ts'
import { type Counted, countRows, readPage, type Stretch, type WantedPage } from './page.ts'

/** The rows of a list that contain a text. */
export type SearchedRows = {
  /** Statements that select ids of such rows, each along an index. */
  parts: readonly RawBuilder<unknown>[]
  /** The rows with these ids, if they are few enough to be sorted. */
  few: (ids: readonly string[]) => Stretch[]
  /** All such rows in the order of the list. `counts`: how many rows each part found, up to `collectedMax`. */
  many: (counts: readonly number[]) => Stretch[]
}

/** One page of the rows that contain a text: few rows are collected and sorted, many are found along the list. */
export async function searchPage(
  tenant: Tenant,
  query: WantedPage,
  { isPartial }: Pick<Found, 'isPartial'>,
  rows: SearchedRows,
): Promise<Counted & { ids: string[] }> {
  const parts = await collect(tenant, rows.parts)
  const ids = [...new Set(parts.flat())]
  const isFew = ids.length <= countedMax && !isPartial
  const stretches = isFew ? rows.few(ids) : rows.many(parts.map(({ length }) => length))
  const count = isFew || ids.length > countedMax ? ids.length : await countAll(tenant, stretches)
  const counted = { totalCount: Math.min(count, countedMax), isCapped: count > countedMax }
  return { ...counted, ids: await readPage(tenant, query, counted, stretches) }
}

/** The rows with these ids. `offset 0` makes PostgreSQL look them up and sort them, where it would walk an index. */
export function theseAlone(
  { organizationId }: Tenant,
  table: 'events' | 'subscriptions' | 'customers',
  ids: readonly string[],
  name: string,
): RawBuilder<unknown> {
  return sql`(select * from ${sql.table(table)} where organization_id = ${organizationId} and id = any(${ids}::text[])
    offset 0) as ${sql.ref(name)}`
}

async function collect(tenant: Tenant, parts: SearchedRows['parts']): Promise<string[][]> {
  const arrays = parts.map((part) => sql`array(${part} limit ${collectedMax})`)
  const { rows } = await sql<{ parts: string[][] }>`
    select jsonb_build_array(${sql.join(arrays)}) as parts`.execute(tenant.sql)
  return rows[0]?.parts ?? []
}

/** If too many customers match to be collected, counting may need to read the whole list. */
async function countAll(tenant: Tenant, stretches: readonly Stretch[]): Promise<number> {
  let count = 0
  for (const stretch of stretches) count += await countRows(tenant, stretch, collectedMax)
  return count
}
