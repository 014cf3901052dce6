import { randomInt } from 'node:crypto'
import pg from 'pg'
import type { BrowserContextOptions } from 'playwright-core'
import { isAlone } from './alone.ts'
import type { SharedWorld } from './shared-world.ts'

/** Any number that the product itself locks nothing by. */
const lockNumber = 7_200_001

/** Waits until this file may use the shared world, beside others that only look or alone; gives the way to end that. */
export async function lockWorld({ superuserUrl }: SharedWorld, file: string): Promise<() => Promise<void>> {
  return hold(superuserUrl, isAlone(file) ? 'pg_advisory_lock' : 'pg_advisory_lock_shared', lockNumber)
}

/** Does something while no other file does anything under the same lock. */
export async function oneAtATime<T>({ superuserUrl }: SharedWorld, work: () => Promise<T>): Promise<T> {
  const end = await hold(superuserUrl, 'pg_advisory_lock', lockNumber + 1)
  try {
    return await work()
  } finally {
    await end()
  }
}

/** A network that browsers of this file come from: the product takes so many sign-ins a minute from one. */
export function ownNetwork(): Pick<BrowserContextOptions, 'extraHTTPHeaders'> {
  return { extraHTTPHeaders: { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.1` } }
}

/** A lock lasts as long as its connection. */
async function hold(url: string, lock: string, number: number): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`select ${lock}($1)`, [number])
  return () => client.end()
}
