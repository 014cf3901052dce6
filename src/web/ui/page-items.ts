export type PageItem = { page: number } | { gapAfter: number }

/** Up to this many pages, all page numbers show. */
const allShownMax = 5

/** Returns the page numbers to show: all up to five, otherwise the first, the last and those around the current one. */
export function pageItems(page: number, totalPages: number): PageItem[] {
  const numbers =
    totalPages <= allShownMax
      ? Array.from({ length: totalPages }, (_, index) => index + 1)
      : [...new Set([1, page - 1, page, page + 1, totalPages])]
          .filter((candidate) => candidate >= 1 && candidate <= totalPages)
          .toSorted((a, b) => a - b)
  return numbers.flatMap((number, index): PageItem[] => {
    const before = numbers[index - 1] ?? 0
    return number > before + 1 ? [{ gapAfter: before }, { page: number }] : [{ page: number }]
  })
}
