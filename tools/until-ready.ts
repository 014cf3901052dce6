import type { ChildProcess } from 'node:child_process'
import pg from 'pg'

/** After a crash, up to `max_wal_size` of log is replayed first. */
const startTimeoutMs = 5 * 60_000
const wrongPassword = '28P01'

/** A PostgreSQL that was started, and what it has printed since. */
export type Starting = { url: string; folder: string; server: ChildProcess; told: () => string }

/** Waits for the start and, after a crash, the recovery (57P03). Throws an Error that says why it cannot start. */
export async function untilReady({ url, folder, server, told }: Starting): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  let last: unknown
  while (Date.now() < deadline) {
    if (server.exitCode !== null) {
      // What it printed last may still be on its way.
      await new Promise((next) => setTimeout(next, 100))
      throw new Error(`PostgreSQL does not start on ${folder}: ${reasonIn(told(), server.exitCode)}`)
    }
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if (Object(error)['code'] === wrongPassword) {
        server.kill('SIGINT')
        throw new Error(
          `The database in ${folder} has another password than secrets.json beside it: put back the one with which it was made.`,
        )
      }
      last = error
      await new Promise((next) => setTimeout(next, 50))
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw new Error(`PostgreSQL did not answer within ${startTimeoutMs / 1000} s.`, { cause: last })
}

/** Why PostgreSQL ended, in its own words, without time and process. */
export function reasonIn(told: string, code: number): string {
  const [, reason] = /(?:FATAL|PANIC|postgres): +(.+)/.exec(told) ?? []
  const [, detail] = /DETAIL: +(.+)/.exec(told) ?? []
  if (reason === undefined) return `it ended with code ${code}`
  return detail === undefined ? reason : `${reason}. ${detail}`
}
