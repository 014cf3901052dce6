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
  /** Such rows among the first of the list, where a page of frequent ones is found at once. */
  near?: (max: number) => Stretch[]
  /**
   * All such rows, if each is to be looked up. Up to `lookedUpMax` this is quicker than to walk along the list, whose
   * far end they may stand at.
   */
  lookedUp?: () => Stretch[]
  /** Where a page of such rows is read in the order of the list. `counts`: the rows of each part, up to `collectedMax`. */
  many: (counts: readonly number[]) => Stretch[]
  /** All such rows in the order of the list, for sums and exports. */
  whole: () => Stretch[]
}

/** How many rows a page is looked for among, for each row up to its end: few at first, since some orders sort them all. */
const near = { each: [4, 50], max: 20_000 }
const lookedUpMax = 5_000

/** One page of the rows that contain a text: few rows are collected and sorted, many are found along the list. */
export async function searchPage(
  tenant: Tenant,
  query: WantedPage,
  { isPartial }: Pick<Found, 'isPartial'>,
  rows: SearchedRows,
): Promise<Counted & { ids: string[] }> {
  const { parts, ids, isFew } = await collect(tenant, rows.parts, isPartial)
  const soon = isFew ? null : await nearPage(tenant, query, rows)
  if (soon !== null) return soon
  const many = async () => (await lookedUp(tenant, rows)) ?? rows.many(parts.map(({ length }) => length))
  const stretches = isFew ? rows.few(ids) : await many()
  const count = isFew || ids.length > countedMax ? ids.length : await countAll(tenant, stretches)
  const counted = { totalCount: Math.min(count, countedMax), isCapped: count > countedMax }
  return { ...counted, ids: await readPage(tenant, query, counted, stretches) }
}

/** The page, if it is full among the first rows of the list, which has more than are counted. */
async function nearPage(
  tenant: Tenant,
  query: WantedPage,
  rows: SearchedRows,
): Promise<(Counted & { ids: string[] }) | null> {
  if (rows.near === undefined) return null
  const counted = { totalCount: countedMax, isCapped: true }
  const end = Math.min(countedMax, query.page * query.limit)
  const length = Math.max(0, end - (query.page - 1) * query.limit)
  for (const each of near.each) {
    const ids = await readPage(tenant, query, counted, rows.near(Math.min(near.max, each * end)))
    if (ids.length === length) return { ...counted, ids }
  }
  return null
}

/** All rows that contain a text, in the order of the list. */
export async function searchWhole(
  tenant: Tenant,
  { isPartial }: Pick<Found, 'isPartial'>,
  rows: SearchedRows,
): Promise<Stretch[]> {
  const { ids, isFew } = await collect(tenant, rows.parts, isPartial)
  return isFew ? rows.few(ids) : rows.whole()
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

/** The ids that each part finds. They are few if these are all, and can be sorted. */
async function collect(
  tenant: Tenant,
  parts: SearchedRows['parts'],
  isPartial: boolean,
): Promise<{ parts: string[][]; ids: string[]; isFew: boolean }> {
  const arrays = parts.map((part) => sql`array(${part} limit ${collectedMax})`)
  const { rows } = await sql<{ parts: string[][] }>`
    select jsonb_build_array(${sql.join(arrays)}) as parts`.execute(tenant.sql)
  const found = rows[0]?.parts ?? []
  const ids = [...new Set(found.flat())]
  return { parts: found, ids, isFew: ids.length <= countedMax && !isPartial }
}

/** The rows as they are looked up, if they are not too many for that. */
async function lookedUp(tenant: Tenant, rows: SearchedRows): Promise<Stretch[] | null> {
  const stretches = rows.lookedUp?.() ?? []
  let count = 0
  for (const stretch of stretches)
    if (count <= lookedUpMax) count += await countRows(tenant, stretch, lookedUpMax + 1)
  return count > 0 && count <= lookedUpMax ? stretches : null
}

/** If too many customers match to be collected, counting may need to read the whole list. */
async function countAll(tenant: Tenant, stretches: readonly Stretch[]): Promise<number> {
  let count = 0
  for (const stretch of stretches) count += await countRows(tenant, stretch, collectedMax)
  return count
}
