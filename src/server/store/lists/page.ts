// Every list is read in the same way: its total is known first, then the ids of one page are read along an index, from the
// nearer end, so that the last page is as fast as the first. The caller joins what the page shows to these few ids.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** How many rows a list has. A search counts up to a limit, and `isCapped` says that there are more. */
export type Counted = { totalCount: number; isCapped: boolean }

/** Which page: `page` counts from 1. */
export type WantedPage = { page: number; limit: number }

/** What a list is sorted by; PostgreSQL finds the index only by the same expressions in the same order. */
export type SortKey = {
  by: RawBuilder<unknown>
  type: 'text' | 'bigint' | 'date' | 'timestamptz'
  isDescending: boolean
}

/** Rows in one order along one index. A list is one stretch, or several one after another. */
export type Stretch = {
  id: RawBuilder<string>
  from: RawBuilder<unknown>
  where: RawBuilder<boolean>
  order: readonly SortKey[]
}

/** The ids of one page; none past the end of the list. */
export async function readPage(
  tenant: Tenant,
  query: WantedPage,
  { totalCount, isCapped }: Counted,
  stretches: readonly Stretch[],
): Promise<string[]> {
  const offset = (query.page - 1) * query.limit
  const limit = Math.min(query.limit, totalCount - offset)
  if (limit <= 0) return []
  const fromEnd = totalCount - offset - limit
  if (isCapped || offset <= fromEnd) return readAcross(tenant, { offset, limit }, stretches)
  const backwards = stretches.toReversed().map(turned)
  return (await readAcross(tenant, { offset: fromEnd, limit }, backwards)).reverse()
}

/** Reads along the stretches. Counts the rows of those that end before the page. */
async function readAcross(
  tenant: Tenant,
  window: { offset: number; limit: number },
  stretches: readonly Stretch[],
): Promise<string[]> {
  const ids: string[] = []
  let { offset } = window
  for (const [at, stretch] of stretches.entries()) {
    const limit = window.limit - ids.length
    if (limit === 0) break
    const found = await readIds(tenant, stretch, { offset, limit })
    ids.push(...found)
    const isLast = at === stretches.length - 1
    offset = found.length > 0 || isLast ? 0 : Math.max(0, offset - (await countRows(tenant, stretch)))
  }
  return ids
}

async function readIds(
  tenant: Tenant,
  { id, from, where, order }: Stretch,
  { offset, limit }: { offset: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select ${id} as id from ${from} where ${where}
     order by ${sortedBy(order)} limit ${limit} offset ${offset}`.execute(tenant.sql)
  return rows.map((row) => row.id)
}

/** What stands behind `order by`. */
export function sortedBy(order: readonly SortKey[]): RawBuilder<unknown> {
  return sql.join(order.map(({ by, isDescending }) => (isDescending ? sql`${by} desc` : by)))
}

/** The number of rows of a stretch, up to `max`. */
export async function countRows(tenant: Tenant, { from, where }: Stretch, max?: number): Promise<number> {
  const most = max === undefined ? sql`` : sql` limit ${max}`
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from ${from} where ${where}${most}) as rows`.execute(tenant.sql)
  return rows[0]?.count ?? 0
}

/** The same rows from the last to the first. */
export function turned(stretch: Stretch): Stretch {
  return { ...stretch, order: turnedKeys(stretch.order) }
}

/** The same keys in the other direction. */
export function turnedKeys(order: readonly SortKey[]): SortKey[] {
  return order.map((key) => ({ ...key, isDescending: !key.isDescending }))
}
