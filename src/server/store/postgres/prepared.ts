/**
 * Each connection parses a marked statement once and reuses its plan for all values and organizations.
 * Mark writes, and reads by primary key or within one run, with constant text.
 * Do not mark searches; `on conflict … where status = $1` would fail.
 * Name result columns, so that a migration may add one; a type change needs a restart.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'

const mark = '/* prepared */'

/** Put this first in a frequent statement; the head of this file says which ones. */
export const prepared = sql.raw(mark)

/** A connection that prepares the statements marked with `prepared`. */
export class PreparingClient extends pg.Client {
  // Keeps the library's signature; a marked statement arrives as its text and values.
  override query(...given: unknown[]): never {
    const [text, values, callback] = given
    const isMarked = typeof text === 'string' && text.startsWith(mark)
    const query: (...given: unknown[]) => unknown = super.query
    return query.apply(this, isMarked ? [{ name: nameOf(text), text, values }, callback] : given) as never
  }
}

const names = new Map<string, string>()

/** Equal text gets an equal name on every connection, so that a shared pooler cannot confuse statements. */
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
