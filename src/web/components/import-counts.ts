type Count = { done: number; total: number | null }

/** All kinds of an import together; the total is 0 while one of them is not known, as a part of it would be a lie. */
export function sumOf(counts: readonly Count[]): { processed: number; total: number } {
  const processed = counts.reduce((sum, { done }) => sum + done, 0)
  const total = counts.reduce((sum, count) => sum + (count.total ?? Number.NaN), 0)
  return { processed, total: Number.isNaN(total) ? 0 : total }
}
