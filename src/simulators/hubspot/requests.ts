/** One request in the ledger. */
type LedgerEntry = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** The path with `{id}` in place of ids and `{type}` in place of custom object types. */
  readonly route: string
  readonly status: number
  /** The number of inputs of a batch call. */
  readonly inputs: number
  readonly fault: string | null
}

type Count = { requests: number; inputs: number; statuses: Record<string, number> }

const entryLimit = 20_000

/** Counts the received requests, for tests and for people. A restart clears it. */
export class RequestLedger {
  #entries: LedgerEntry[] = []
  readonly #counts = new Map<string, Count>()
  #total = 0

  note(entry: Omit<LedgerEntry, 'route'>): void {
    const route = routeOf(entry.path)
    this.#total += 1
    this.#entries.push({ ...entry, route })
    if (this.#entries.length > entryLimit) this.#entries = this.#entries.slice(-entryLimit / 2)
    const key = `${entry.method} ${route}`
    const count = this.#counts.get(key) ?? { requests: 0, inputs: 0, statuses: {} }
    count.requests += 1
    count.inputs += entry.inputs
    count.statuses[entry.status] = (count.statuses[entry.status] ?? 0) + 1
    this.#counts.set(key, count)
  }

  /** The newest requests, oldest first, optionally only those whose path begins with a prefix. */
  list(pathPrefix = ''): readonly LedgerEntry[] {
    return this.#entries.filter((entry) => entry.path.startsWith(pathPrefix))
  }

  counters() {
    return { total: this.#total, byRoute: Object.fromEntries(this.#counts) }
  }

  clear(): void {
    this.#entries = []
    this.#counts.clear()
    this.#total = 0
  }
}

function routeOf(path: string): string {
  const segments = path.split('/').map((segment) => {
    if (/^(2-\d+|p\d+_\w+)$/.test(segment)) return '{type}'
    return /^\d{3,}$/.test(segment) || segment.includes('@') || segment.includes('%40') ? '{id}' : segment
  })
  return segments.join('/')
}
