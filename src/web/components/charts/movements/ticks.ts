const steps = [1, 2, 2.5, 5, 10]

/**
 * About five round ticks that cover all values and zero: 0, 5,000, 10,000. Every tick is a multiple of one step, so that
 * a reader can count with them.
 */
export function niceTicks(values: readonly number[]): number[] {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  if (low === high) return [0]
  const rough = (high - low) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (steps.find((one) => one * power >= rough) ?? 10)
  const first = Math.floor(low / step)
  const last = Math.ceil(high / step)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** Room for the upper half of the highest tick's label, which would else be moved below its line. */
export const chartMargin = { top: 10 }

/** The ticks of an axis, all shown, and its ends at the outermost of them. */
export function axisOf(values: readonly number[]): {
  ticks: number[]
  domain: [number, number]
  interval: 0
} {
  const ticks = niceTicks(values)
  return { ticks, domain: [ticks[0] ?? 0, ticks.at(-1) ?? 0], interval: 0 }
}

/** Whether an axis names the one at `index` of `count` points: at most `most` at equal distances, and always the last. */
export function isNamed(index: number, count: number, most: number): boolean {
  return (count - 1 - index) % Math.ceil(count / most) === 0
}

const dayMs = 86_400_000

/** Within a season, the names of months would repeat. */
const daysOfSeason = 90

/**
 * The ticks of an axis of time. Up to a season, they are days, the last one too; over a longer time, first days of months,
 * also of the last month.
 */
export function timeTicks(first: number, last: number, most: number): { ticks: number[]; areDays: boolean } {
  const days = Math.round((last - first) / dayMs)
  const areDays = days < daysOfSeason
  const all = areDays
    ? Array.from({ length: days + 1 }, (_, at) => first + at * dayMs)
    : monthsBetween(first, last)
  return { ticks: all.filter((_, at) => isNamed(at, all.length, most)), areDays }
}

function monthsBetween(first: number, last: number): number[] {
  const start = new Date(first)
  const months: number[] = []
  for (let month = 0; ; month++) {
    const at = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month, 1)
    if (at > last) return months
    if (at >= first) months.push(at)
  }
}
