/**
 * Returns the last month up to now as instants, for the import window. A day that the last month lacks becomes its
 * last day.
 */
export function lastMonth(now: Date): { startDate: string; endDate: string } {
  const start = new Date(now)
  start.setUTCDate(1)
  start.setUTCMonth(start.getUTCMonth() - 1)
  const daysInMonth = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
  start.setUTCDate(Math.min(now.getUTCDate(), daysInMonth))
  return { startDate: start.toISOString(), endDate: now.toISOString() }
}
