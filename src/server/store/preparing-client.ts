import pg from 'pg'

/** From the time on that a connection is given a statement so often, it is prepared there. */
const preparedFrom = 3
/** Statements that one connection remembers; what comes after these is never prepared. */
const statementsMax = 200
/** A migration that adds a column would change the result of what is prepared, which PostgreSQL refuses. */
const everyColumn = /\b(?:select|returning) \*/

/**
 * A connection that has PostgreSQL parse and plan only once what it is given again and again. For who gives the same few
 * statements by the hundred, as a worker does: a plan that is kept knows nothing of the values, which fits an organization
 * of any size where rows are found by their keys, but not a search.
 */
export class PreparingClient extends pg.Client {
  readonly #given = new Map<string, { name: string; times: number }>()

  // One signature for all that the library knows: what it is given and what it returns stay the library's.
  override query(...given: unknown[]): never {
    const [text, values, callback] = given
    const name = typeof text === 'string' && Array.isArray(values) ? this.#nameOf(text) : undefined
    const query: (...given: unknown[]) => unknown = super.query
    return query.apply(this, name === undefined ? given : [{ name, text, values }, callback]) as never
  }

  /** The name of a statement that is to be prepared. */
  #nameOf(text: string): string | undefined {
    const known = this.#given.get(text)
    if (known) {
      known.times += 1
      return known.times < preparedFrom ? undefined : known.name
    }
    if (this.#given.size < statementsMax && !everyColumn.test(text))
      this.#given.set(text, { name: `statement_${this.#given.size}`, times: 1 })
    return undefined
  }
}
