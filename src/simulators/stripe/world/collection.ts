import type { StripeObject } from './world.ts'

/** Reads the words under which a row is found, such as its customer id. One function is one index. */
export type Extractor = (row: StripeObject) => readonly string[]

export type Rows = readonly StripeObject[]

const nothing: Rows = []

/**
 * Stripe's list order: newest first by `created`. Several objects share a second, and Stripe names no second
 * key, so the id breaks the tie to keep pages repeatable.
 */
export function newestFirst(a: StripeObject, b: StripeObject): number {
  if (a.created !== b.created) return b.created - a.created
  if (a.id === b.id) return 0
  return a.id < b.id ? 1 : -1
}

/** One kind of object, sorted and found by id or by word. Indexes are built on first use and kept. */
export class Collection {
  readonly #source: Rows
  #sorted: Rows | undefined
  #byId: Map<string, StripeObject> | undefined
  readonly #groups = new Map<Extractor, Map<string, StripeObject[]>>()

  constructor(source: Rows) {
    this.#source = source
  }

  get size(): number {
    return this.#source.length
  }

  /** Every row, newest first. */
  get rows(): Rows {
    this.#sorted ??= this.#source.toSorted(newestFirst)
    return this.#sorted
  }

  find(id: string): StripeObject | undefined {
    this.#byId ??= new Map(this.#source.map((row) => [row.id, row]))
    return this.#byId.get(id)
  }

  /** The rows found under a word, newest first. */
  group(extract: Extractor, word: string): Rows {
    let groups = this.#groups.get(extract)
    if (groups === undefined) {
      groups = groupBy(this.rows, extract)
      this.#groups.set(extract, groups)
    }
    return groups.get(word) ?? nothing
  }
}

function groupBy(rows: Rows, extract: Extractor): Map<string, StripeObject[]> {
  const groups = new Map<string, StripeObject[]>()
  for (const row of rows) {
    for (const word of new Set(extract(row))) {
      const group = groups.get(word)
      if (group === undefined) groups.set(word, [row])
      else group.push(row)
    }
  }
  return groups
}
