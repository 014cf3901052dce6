import { randomInt } from 'node:crypto'
import pg from 'pg'
import type { BrowserContextOptions } from 'playwright-core'
import { isAlone } from './alone.ts'
import type { SharedWorld } from './shared-world.ts'

/** Any number that the product does not use for its own locks. */
const lockNumber = 7_200_001

/**
 * Waits until this file may use the shared world, in parallel with readers or alone; returns the function that releases
 * it.
 */
export async function lockWorld({ superuserUrl }: SharedWorld, file: string): Promise<() => Promise<void>> {
  return hold(superuserUrl, isAlone(file) ? 'pg_advisory_lock' : 'pg_advisory_lock_shared', lockNumber)
}

/** Runs the work while no other file runs any under the same lock. */
export async function oneAtATime<T>({ superuserUrl }: SharedWorld, work: () => Promise<T>): Promise<T> {
  const end = await hold(superuserUrl, 'pg_advisory_lock', lockNumber + 1)
  try {
    return await work()
  } finally {
    await end()
  }
}

/** A network address for this file's browsers, because the product limits sign-ins per minute for each network. */
export function ownNetwork(): Pick<BrowserContextOptions, 'extraHTTPHeaders'> {
  return { extraHTTPHeaders: { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.1` } }
}

/** A lock lasts as long as its connection. */
async function hold(url: string, lock: string, number: number): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query(`select ${lock}($1)`, [number])
  return () => client.end()
}
