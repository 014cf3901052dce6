/** Divides processed by total, rounds, and stays within 0 to 100. It returns 0 until the total is known. */
export function percentOf(processed: number, total: number): number {
  if (total <= 0) return 0
  return Math.min(100, Math.max(0, Math.round((processed / total) * 100)))
}
