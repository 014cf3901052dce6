import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'

const mark = '/* prepared */'

/**
 * Stands first in a statement that is given by the hundred: each connection has PostgreSQL parse it once, and as a rule plan
 * it only a few times. The plan that is kept knows nothing of the values, and serves every organization. So it suits what is
 * written, and what is found by the whole of a primary key or within one run, but neither searches, nor rows of which an
 * organization has few or many, nor what needs a partial index by a value that is handed in: `on conflict … where status = $1`
 * fails with it. The text is the same each time, the columns of its result are named, so that a migration may add one (one
 * that changes a type needs the processes restarted), and no setting of the planner holds while it runs.
 */
export const prepared = sql.raw(mark)

/** A connection that prepares the statements marked as `prepared`. */
export class PreparingClient extends pg.Client {
  // What it is given and what it returns stay the library's; a marked statement comes as its text and its values.
  override query(...given: unknown[]): never {
    const [text, values, callback] = given
    const isMarked = typeof text === 'string' && text.startsWith(mark)
    const query: (...given: unknown[]) => unknown = super.query
    return query.apply(this, isMarked ? [{ name: nameOf(text), text, values }, callback] : given) as never
  }
}

const names = new Map<string, string>()

/** The same for the same text on every connection: a pooler that shares them can mix up nothing. */
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
