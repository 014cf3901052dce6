/** The rows of a page, read from the start of the order, or from its end if that is nearer. */
export type PageWindow = { limit: number; offset: number; isFromEnd: boolean }

/** The window of a page in a list of `totalCount` rows; null past the end. Pages count from 1. */
export function windowOf(query: { page: number; limit: number }, totalCount: number): PageWindow | null {
  const offset = (query.page - 1) * query.limit
  const limit = Math.min(query.limit, totalCount - offset)
  if (limit <= 0) return null
  const fromEnd = totalCount - offset - limit
  if (fromEnd < offset) return { limit, offset: fromEnd, isFromEnd: true }
  return { limit, offset, isFromEnd: false }
}

/** A part of an order that is read separately, forwards or backwards. */
export type Piece = {
  list(window: PageWindow): Promise<string[]>
  count(): Promise<number>
}

/** The ids of one page over consecutive pieces of an order. Counts the rows of pieces before the page. */
export async function listAcross(pieces: readonly Piece[], window: PageWindow): Promise<string[]> {
  const ids: string[] = []
  let { offset } = window
  for (const piece of window.isFromEnd ? pieces.toReversed() : pieces) {
    const limit = window.limit - ids.length
    if (limit === 0) break
    const found = await piece.list({ limit, offset, isFromEnd: window.isFromEnd })
    ids.push(...found)
    offset = found.length > 0 ? 0 : Math.max(0, offset - (await piece.count()))
  }
  return window.isFromEnd ? ids.reverse() : ids
}
