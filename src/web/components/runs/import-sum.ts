type Count = { done: number; total: number | null }

/** Whether a total may still change, since not everything was read. */
export function isEstimate({ done, total }: Count): boolean {
  return total !== null && done < total
}

/** Adds up all kinds of an import. The total is 0 until every kind is known, because a partial total would mislead. */
export function sumOf(counts: readonly Count[]): { processed: number; total: number; isEstimate: boolean } {
  const processed = counts.reduce((sum, { done }) => sum + done, 0)
  const total = counts.reduce((sum, count) => sum + (count.total ?? Number.NaN), 0)
  return { processed, total: Number.isNaN(total) ? 0 : total, isEstimate: counts.some(isEstimate) }
}
