/** Hears of every change: `before` or `after` is undefined where the row did not, or does no longer, exist. */
type ChangeListener<Row> = (before: Row | undefined, after: Row | undefined) => void

/** Tells the journal that a row changed. */
type Note = (table: string, key: string, row: unknown) => void

/** Rows by key, in the order they were first put, with every change told to the journal. */
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

  /** Sets a row, or removes it by null, without telling the journal: what a replay does. */
  restore(key: string, row: Row | null): void {
    const before = this.#rows.get(key)
    if (row === null) this.#rows.delete(key)
    else this.#rows.set(key, row)
    this.#onChange?.(before, row ?? undefined)
  }
}
