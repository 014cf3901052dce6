import { sql } from 'kysely'
import pg from 'pg'

const mark = '/* prepared */'

/**
 * Put before a statement that is given by the hundred: each connection has PostgreSQL parse it once, and after a few times
 * plan it once. The plan that is kept knows nothing of the values: it suits rows that are found by their keys, but not what
 * needs a partial index by a value that is handed in (`on conflict … where status = $1` fails with it), nor a search. The
 * columns of its result have to be named, so that a migration may add one.
 */
export const prepared = sql.raw(mark)

/** A connection that prepares the statements marked as `prepared`. */
export class PreparingClient extends pg.Client {
  readonly #names = new Map<string, string>()

  // One signature for all that the library knows: what it is given and what it returns stay the library's.
  override query(...given: unknown[]): never {
    const [text, values, callback] = given
    const isMarked = typeof text === 'string' && text.startsWith(mark)
    const query: (...given: unknown[]) => unknown = super.query
    return query.apply(
      this,
      isMarked ? [{ name: this.#nameOf(text), text, values }, callback] : given,
    ) as never
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `statement_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
