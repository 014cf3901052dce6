/** Processed divided by total, rounded, within 0 to 100; 0 while the total is not known. */
export function percentOf(processed: number, total: number): number {
  if (total <= 0) return 0
  return Math.min(100, Math.max(0, Math.round((processed / total) * 100)))
}
