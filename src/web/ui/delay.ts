const minuteSeconds = 60
const hourSeconds = 60 * minuteSeconds

/** Writes a duration in the unit that people would use: '45 seconds', '12 minutes', '3 hours'. */
export function formatDelay(seconds: number): string {
  if (seconds < 100) return inUnits(Math.max(1, seconds), 'second')
  if (seconds < 100 * minuteSeconds) return inUnits(Math.round(seconds / minuteSeconds), 'minute')
  return inUnits(Math.round(seconds / hourSeconds), 'hour')
}

function inUnits(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** How long most take, and nearly all: 'within 2 seconds (95% within 5 seconds)'. One time is told once. */
export function usualDelay({
  medianSeconds,
  p95Seconds,
}: {
  medianSeconds: number
  p95Seconds: number
}): string {
  const [most, nearlyAll] = [formatDelay(medianSeconds), formatDelay(p95Seconds)]
  return `within ${most}${nearlyAll === most ? '' : ` (95% within ${nearlyAll})`}`
}
