import { type LedgerEntry, noteWrite } from './attempted-writes.ts'

export type LedgerCounters = {
  readonly total: number
  readonly byPath: Readonly<Record<string, number>>
  readonly byStatus: Readonly<Record<string, number>>
  readonly writes: number
}

/** The most requests, and the most writes, that are kept whole. */
const entriesMax = 1000
const writesMax = 1000

/**
 * Keeps the last requests whole and counts all of them, with `:id` in place of ids. Status 0 means that the
 * connection was cut before an answer.
 */
export class RequestLedger {
  #entries: LedgerEntry[] = []
  #next = 0
  #total = 0
  #writeCount = 0
  readonly #writes: LedgerEntry[] = []
  readonly #byPath = new Map<string, number>()
  readonly #byStatus = new Map<string, number>()

  record(entry: LedgerEntry, countedPath: string): void {
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % entriesMax
    this.#total += 1
    count(this.#byPath, countedPath)
    count(this.#byStatus, String(entry.status))
    if (entry.method === 'GET') return
    this.#writeCount += 1
    noteWrite(entry)
    if (this.#writes.length < writesMax) this.#writes.push(entry)
  }

  /** The last requests, oldest first. */
  get entries(): readonly LedgerEntry[] {
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)]
  }

  /** Every request other than GET: an importer must make none. */
  get writes(): readonly LedgerEntry[] {
    return this.#writes
  }

  get counters(): LedgerCounters {
    return {
      total: this.#total,
      byPath: Object.fromEntries(this.#byPath),
      byStatus: Object.fromEntries(this.#byStatus),
      writes: this.#writeCount,
    }
  }

  clear(): void {
    this.#entries = []
    this.#next = 0
    this.#total = 0
    this.#writeCount = 0
    this.#writes.length = 0
    this.#byPath.clear()
    this.#byStatus.clear()
  }
}

function count(counts: Map<string, number>, word: string): void {
  counts.set(word, (counts.get(word) ?? 0) + 1)
}
