/** How many objects of a kind are imported, and about how many exist; null if unknown. */
export type KindCount = { kind: string; done: number; total: number | null }

/** How many objects of a kind were imported at the first observation, and when that was. */
export type Begun = { kind: string; done: number; atMs: number }

const minuteMs = 60_000
/** A rate measured over less time is unreliable. */
const watchedMsMin = 10_000
const kindsMax = 3

const number = new Intl.NumberFormat('en-US')

/**
 * Lists the kinds that are still being read, largest first, and estimates the time left. The slowest kind
 * decides, since all kinds are read at once. If a total is unknown, it gives no time.
 */
export function progressText(counts: readonly KindCount[], begun: readonly Begun[], atMs: number): string {
  const open = counts.filter(({ done, total }) => total === null || done < total)
  const parts = open
    .toSorted((a, b) => leftOf(b) - leftOf(a))
    .slice(0, kindsMax)
    .map(
      ({ kind, done, total }) =>
        `${labelOf(kind)} ${number.format(done)}${total === null ? '' : ` of about ${number.format(total)}`}`,
    )
  if (parts.length === 0) return ''
  const leftMs = timeLeft(open, begun, atMs)
  return `${parts.join(', ')}.${leftMs === null ? '' : ` ${timeText(leftMs)}`}`
}

function leftOf({ done, total }: KindCount): number {
  return (total ?? done) - done
}

function timeLeft(open: readonly KindCount[], begun: readonly Begun[], atMs: number): number | null {
  const begunOf = new Map(begun.map((one) => [one.kind, one]))
  const times = open.flatMap((count) => {
    const { done, atMs: sinceMs } = begunOf.get(count.kind) ?? { done: 0, atMs }
    const [read, watchedMs] = [count.done - done, atMs - sinceMs]
    if (watchedMs < watchedMsMin && count.total !== null) return []
    return count.total === null || read <= 0 ? Number.NaN : (leftOf(count) * watchedMs) / read
  })
  const longest = Math.max(...times)
  return Number.isFinite(longest) ? longest : null
}

function timeText(leftMs: number): string {
  if (leftMs < minuteMs) return 'Less than a minute left to read.'
  const minutes = Math.ceil(leftMs / minuteMs)
  return `About ${number.format(minutes)} ${minutes === 1 ? 'minute' : 'minutes'} left to read.`
}

/** Lists whose name does not begin with what people call them. */
const labels: Record<string, string> = { prices_active: 'Active prices', prices_archived: 'Archived prices' }

function labelOf(kind: string): string {
  if (labels[kind] !== undefined) return labels[kind]
  const words = kind.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
