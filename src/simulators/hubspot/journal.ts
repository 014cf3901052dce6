import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A table that the journal can fill and read. */
type JournalledTable = {
  readonly name: string
  entries(): Iterable<[string, unknown]>
  restore(key: string, row: unknown): void
}

/** Writes the changes of one request as one line, so that a line holds all of a request or nothing. */
export class Journal {
  readonly #path: string | undefined
  #pending = new Map<string, readonly [table: string, key: string, row: unknown]>()

  constructor(path: string | undefined) {
    this.#path = path
  }

  note(table: string, key: string, row: unknown): void {
    if (this.#path !== undefined) this.#pending.set(`${table} ${key}`, [table, key, row])
  }

  /** Appends the noted changes synchronously; called before the request is answered. */
  commit(): void {
    if (this.#path === undefined || this.#pending.size === 0) return
    appendFileSync(this.#path, `${JSON.stringify([...this.#pending.values()])}\n`)
    this.#pending = new Map()
  }

  /** Refills the tables from the file and rewrites it with the last state of each row only. */
  open(tables: readonly JournalledTable[]): void {
    if (this.#path === undefined) return
    mkdirSync(dirname(this.#path), { recursive: true })
    if (existsSync(this.#path)) replay(readFileSync(this.#path, 'utf8'), tables)
    this.#compact(this.#path, tables)
  }

  #compact(path: string, tables: readonly JournalledTable[]): void {
    const compacted = `${path}.compacting`
    writeFileSync(compacted, '')
    for (const table of tables) {
      const rows = [...table.entries()]
      for (let start = 0; start < rows.length; start += rowsPerCompactedLine) {
        const slice = rows.slice(start, start + rowsPerCompactedLine)
        appendFileSync(compacted, `${JSON.stringify(slice.map(([key, row]) => [table.name, key, row]))}\n`)
      }
    }
    renameSync(compacted, path)
  }
}

const rowsPerCompactedLine = 1_000

function replay(text: string, tables: readonly JournalledTable[]): void {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const lines = text.split('\n')
  // A crash cut a line without its newline before its request was answered.
  lines.pop()
  for (const line of lines) {
    const changes: [string, string, unknown][] = JSON.parse(line)
    for (const [table, key, row] of changes) byName.get(table)?.restore(key, row)
  }
}
