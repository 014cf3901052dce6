import { noSuch, Refusal } from '../requests/refusal.ts'
import type { AccountJson, SimulatedAccount } from '../world/account.ts'
import type { Collection, Rows } from '../world/collection.ts'
import type { StripeObject } from '../world/world.ts'
import type { SimulatedEndpoint } from './endpoints.ts'
import { type Condition, meets } from './filter.ts'
import { cutPage } from './page.ts'
import { type Query, readLimit, readText, readWindow } from './query.ts'

export type ListAnswer = { rows: readonly AccountJson[]; hasMore: boolean }

/** The words Stripe uses for a kind in "No such …". */
export function nounOf(kind: string): string {
  return kind === 'payment_method' ? 'PaymentMethod' : kind
}

/** Lists an endpoint's objects: the smallest index that fits, then a page cut out of it. */
export function listObjects(
  endpoint: SimulatedEndpoint,
  query: Query,
  account: SimulatedAccount,
): ListAnswer {
  const conditions: Condition[] = []
  for (const [name, filter] of Object.entries(endpoint.filters)) {
    const condition = filter(query.get(name), query, account)
    if (condition !== undefined) conditions.push(condition)
  }
  const collection = account.collection(endpoint.kind)
  const { rows, rest } = narrow(collection, conditions)
  const find = (name: 'starting_after' | 'ending_before') =>
    findCursor(name, endpoint, query, collection, conditions)
  refuseBothCursors(query)
  const page = cutPage(rows, {
    limit: readLimit(query),
    startingAfter: find('starting_after'),
    endingBefore: find('ending_before'),
    created: readWindow(query.get('created')),
    keep: (row) => rest.every((condition) => meets(row, condition)),
  })
  return { rows: page.data, hasMore: page.hasMore }
}

/** Cuts a page out of an embedded list, in its own order. A missing cursor is refused with "No such invoice item". */
export function listEmbedded(rows: readonly AccountJson[], query: Query, noun: string): ListAnswer {
  refuseBothCursors(query)
  const limit = readLimit(query)
  const after = query.get('starting_after')
  const before = query.get('ending_before')
  const position = (name: string, id: string): number => {
    const index = rows.findIndex((row) => row['id'] === id)
    if (index === -1) throw noSuch(400, noun, id, name)
    return index
  }
  if (before !== undefined) {
    const end = position('ending_before', readText(before))
    const start = Math.max(0, end - limit)
    return { rows: rows.slice(start, end), hasMore: start > 0 }
  }
  const start = after === undefined ? 0 : position('starting_after', readText(after)) + 1
  return { rows: rows.slice(start, start + limit), hasMore: start + limit < rows.length }
}

function narrow(collection: Collection, conditions: readonly Condition[]): { rows: Rows; rest: Condition[] } {
  let rows = collection.rows
  let best: Condition | undefined
  for (const condition of conditions) {
    if (!('extract' in condition)) continue
    const group = collection.group(condition.extract, condition.word)
    if (best !== undefined && group.length >= rows.length) continue
    rows = group
    best = condition
  }
  return { rows, rest: conditions.filter((condition) => condition !== best) }
}

/**
 * The object that a cursor names. Stripe answers 400 if it is gone, and also if it no longer matches the filters of
 * the list (stripe-node issue 2368), except for the `created` window.
 */
function findCursor(
  name: 'starting_after' | 'ending_before',
  endpoint: SimulatedEndpoint,
  query: Query,
  collection: Collection,
  conditions: readonly Condition[],
): StripeObject | undefined {
  const parameter = query.get(name)
  if (parameter === undefined) return undefined
  const id = readText(parameter)
  const row = collection.find(id)
  if (row === undefined || !conditions.every((condition) => meets(row, condition)))
    throw noSuch(400, nounOf(endpoint.kind), id, name)
  return row
}

function refuseBothCursors(query: Query): void {
  if (query.has('starting_after') && query.has('ending_before'))
    throw new Refusal(
      400,
      'Received both starting_after and ending_before parameters. Please pass in only one.',
    )
}
