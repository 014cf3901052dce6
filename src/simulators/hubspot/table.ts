/** Called for every change: `before` is undefined for a new row, `after` for a removed one. */
type ChangeListener<Row> = (before: Row | undefined, after: Row | undefined) => void

/** Notes in the journal that a row changed. */
type Note = (table: string, key: string, row: unknown) => void

/** Rows by key, in the order of insertion; the journal learns of every change. */
export class Table<Row> {
  readonly name: string
  readonly #rows = new Map<string, Row>()
  readonly #note: Note
  readonly #onChange: ChangeListener<Row> | undefined

  constructor(name: string, note: Note, onChange?: ChangeListener<Row>) {
    this.name = name
    this.#note = note
    this.#onChange = onChange
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  values(): IterableIterator<Row> {
    return this.#rows.values()
  }

  entries(): IterableIterator<[string, Row]> {
    return this.#rows.entries()
  }

  put(key: string, row: Row): void {
    this.restore(key, row)
    this.#note(this.name, key, row)
  }

  delete(key: string): void {
    this.restore(key, null)
    this.#note(this.name, key, null)
  }

  /** Sets a row, or removes it if null, without noting it in the journal, for a replay. */
  restore(key: string, row: Row | null): void {
    const before = this.#rows.get(key)
    if (row === null) this.#rows.delete(key)
    else this.#rows.set(key, row)
    this.#onChange?.(before, row ?? undefined)
  }
}
