import { sql } from 'kysely'
import { type SortKey, type Stretch, turned } from './page.ts'

/** The columns by which the list of events can be sorted. */
export type EventSort = 'transactionDate' | 'mrrChange'

export type EventOrder = { sort: EventSort; order: 'asc' | 'desc' }

export const newestFirst: EventOrder = { sort: 'transactionDate', order: 'desc' }

/** Newest first, as in every index that lists events. */
export const eventKeys: readonly SortKey[] = [
  { by: sql`e.occurred_at`, type: 'timestamptz', isDescending: true },
  { by: sql`e.position`, type: 'bigint', isDescending: true },
  { by: sql`e.id`, type: 'text', isDescending: false },
]

const change = sql`e.reporting_change_cents`

/** These events, newest first, in another order. By change, those that have no rate come last. */
export function inOrder(newest: Stretch, { sort, order }: EventOrder): Stretch[] {
  const directed = (stretch: Stretch) => (order === 'desc' ? stretch : turned(stretch))
  if (sort === 'transactionDate') return [directed(newest)]
  const byChange: SortKey = { by: change, type: 'bigint', isDescending: true }
  return [
    directed({
      ...newest,
      where: sql<boolean>`${newest.where} and ${change} is not null`,
      order: [byChange, ...newest.order],
    }),
    { ...newest, where: sql<boolean>`${newest.where} and ${change} is null` },
  ]
}
