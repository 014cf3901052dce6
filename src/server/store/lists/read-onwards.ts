// An export reads a list of any length from its first row to its last. Each part begins behind the last row of the part
// before, in a short transaction of its own, so that a slow receiver holds nothing in the database.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { type SortKey, type Stretch, sortedBy } from './page.ts'

/** Where the next part begins: in which stretch, and behind which values of its order. */
export type ListPlace = { stretch: number; behind: readonly string[] | null }

export const listStart: ListPlace = { stretch: 0, behind: null }

/** The ids from a place on, up to `limit`, and where the next ones begin; `next` is null behind the last row. */
export async function readOnwards(
  tenant: Tenant,
  stretches: readonly Stretch[],
  { stretch: at, behind }: ListPlace,
  limit: number,
): Promise<{ ids: string[]; next: ListPlace | null }> {
  const stretch = stretches[at]
  if (stretch === undefined) return { ids: [], next: null }
  const { id, from, where, order } = stretch
  const onwards = behind === null ? sql`` : sql` and ${isBehind(order, behind)}`
  await readAlongIndexes(tenant)
  const { rows } = await sql<{ id: string; values: string[] }>`
    select ${id} as id, array[${sql.join(order.map(({ by }) => sql`(${by})::text`))}] as values
      from ${from} where ${where}${onwards} order by ${sortedBy(order)} limit ${limit}`.execute(tenant.sql)
  const last = rows.at(-1)
  const isFull = last !== undefined && rows.length === limit
  const next = isFull ? { stretch: at, behind: last.values } : { stretch: at + 1, behind: null }
  return { ids: rows.map((row) => row.id), next: next.stretch < stretches.length ? next : null }
}

/** Whether a row comes behind these values. The first comparison lets PostgreSQL begin at the right place of an index. */
function isBehind(order: readonly SortKey[], values: readonly string[]): RawBuilder<boolean> {
  const [key, ...others] = order
  const [value, ...otherValues] = values
  if (key === undefined || value === undefined) return sql<boolean>`false`
  const given = sql`${value}::${sql.raw(key.type)}`
  const beyond = key.isDescending ? sql`<` : sql`>`
  if (others.length === 0) return sql<boolean>`${key.by} ${beyond} ${given}`
  return sql<boolean>`(${key.by} ${beyond}= ${given}
    and (${key.by} ${beyond} ${given} or ${isBehind(others, otherValues)}))`
}
