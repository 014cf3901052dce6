import type { StripeObject } from './world.ts'

/** Reads the words that find a row, such as its customer id. Each function has one index. */
export type Extractor = (row: StripeObject) => readonly string[]

export type Rows = readonly StripeObject[]

const nothing: Rows = []

/**
 * Stripe's list order: newest first by `created`. Stripe documents no order within a second. Ours is the same in every
 * answer and has nothing to do with the order of ids, so that no client can rely on that.
 */
export function newestFirst(a: StripeObject, b: StripeObject): number {
  if (a.created !== b.created) return b.created - a.created
  if (a.id === b.id) return 0
  return scattered(a.id) - scattered(b.id) || (a.id < b.id ? -1 : 1)
}

/** A number that says nothing about the order of ids. */
function scattered(id: string): number {
  let number = 0
  for (const sign of id) number = (Math.imul(number, 17) + (sign.codePointAt(0) ?? 0)) >>> 0
  return Math.imul(number, 2_246_822_519) >>> 0
}

/** One kind of object, sorted, with indexes by id and by word. Indexes are built on first use and kept. */
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
