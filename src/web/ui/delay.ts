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
