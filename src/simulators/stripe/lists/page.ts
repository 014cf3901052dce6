import { newestFirst, type Rows } from '../world/collection.ts'
import type { StripeObject } from '../world/world.ts'

/** Whole Unix seconds, both ends included. */
export type SecondsWindow = { fromSeconds: number; toSeconds: number }

export type PageRequest = {
  limit: number
  startingAfter?: StripeObject | undefined
  endingBefore?: StripeObject | undefined
  created: SecondsWindow
  keep: (row: StripeObject) => boolean
}

export type StripePage = { data: StripeObject[]; hasMore: boolean }

/**
 * Cuts a page out of rows sorted newest first. `startingAfter` continues with older rows, `endingBefore` with newer
 * ones (also sorted newest first); `hasMore` refers to that direction. O(log n + rows read).
 */
export function cutPage(rows: Rows, request: PageRequest): StripePage {
  const newest = firstIndex(rows, (row) => row.created <= request.created.toSeconds)
  const pastOldest = firstIndex(rows, (row) => row.created < request.created.fromSeconds)
  const { endingBefore, startingAfter } = request
  if (endingBefore !== undefined) {
    const at = firstIndex(rows, (row) => newestFirst(row, endingBefore) >= 0)
    const found = collect(rows, Math.min(at, pastOldest) - 1, newest - 1, -1, request)
    return { data: found.data.reverse(), hasMore: found.hasMore }
  }
  const at = startingAfter === undefined ? 0 : firstIndex(rows, (row) => newestFirst(row, startingAfter) > 0)
  return collect(rows, Math.max(at, newest), pastOldest, 1, request)
}

function collect(rows: Rows, from: number, end: number, step: 1 | -1, request: PageRequest): StripePage {
  const data: StripeObject[] = []
  for (let index = from; step > 0 ? index < end : index > end; index += step) {
    const row = rows[index]
    if (row === undefined || !request.keep(row)) continue
    if (data.length === request.limit) return { data, hasMore: true }
    data.push(row)
  }
  return { data, hasMore: false }
}

/** The first index at which `holds` is true; it must be false for every earlier row and true for every later one. */
function firstIndex(rows: Rows, holds: (row: StripeObject) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row !== undefined && holds(row)) high = middle
    else low = middle + 1
  }
  return low
}
