import { sql, type Transaction } from 'kysely'
import { createHubspotCrm } from '#server/providers/hubspot/create-hubspot-crm.ts'
import type { Database } from '#server/store/postgres/database.ts'
import type { DB } from '#server/store/postgres/tables.ts'
import type { Bench, Instead } from './open-bench.ts'
import { ownPaces } from './own-rate-limits.ts'

/** The end of a process in the middle of its work. */
export class Crash extends Error {}

/** The steps of a push: its requests to the CRM, and its writing transactions. */
export type StepKind = 'request' | 'write'

/**
 * before: the process dies with the step undone. after: it dies with the step done. lost: the step is done, and the
 * process continues without an answer.
 */
export const moments = ['before', 'after', 'lost'] as const
export type Death = { kind: StepKind; number: number; moment: (typeof moments)[number] }

/** `asked`: method and address of every request, without their common part. */
export type Dying = Instead & { steps: Record<StepKind, number>; asked: string[] }

/** A process that dies at one step, or only counts its steps if none is given. */
export function dying({ deps, simulator }: Bench, death?: Death): Dying {
  const steps = { request: 0, write: 0 }
  const asked: string[] = []
  let isDead = false
  const die = (): never => {
    isDead = true
    throw new Crash()
  }
  const isDeath = (kind: StepKind) => {
    const number = ++steps[kind]
    return death?.kind === kind && death.number === number
  }
  const fetch = async (request: Request): Promise<Response> => {
    if (isDead) die()
    const { pathname } = new URL(request.url)
    asked.push(
      `${request.method} ${pathname.replace(/^.*\/2026-09\//, pathname.includes('/properties/') ? 'properties/' : '')}`,
    )
    const isIt = isDeath('request')
    if (isIt && death?.moment === 'before') die()
    const answer = await simulator.fetch(request)
    if (!isIt) return answer
    if (death?.moment === 'lost') throw new TypeError('fetch failed')
    return die()
  }
  const execute = async <T>(work: (transaction: Transaction<DB>) => Promise<T>): Promise<T> => {
    if (isDead) die()
    let isIt = false
    const result = await deps.database.transaction().execute(async (transaction) => {
      const result = await work(transaction)
      isIt = (await hasWritten(transaction)) && isDeath('write')
      if (isIt && death?.moment === 'before') die()
      return result
    })
    if (!isIt) return result
    if (death?.moment === 'lost') throw connectionLost()
    return die()
  }
  const database: Database = new Proxy(deps.database, {
    get: (target, name) => (name === 'transaction' ? () => ({ execute }) : Reflect.get(target, name, target)),
  })
  const { now, sleep } = deps
  const paces = ownPaces(deps.database, now)
  const crm = createHubspotCrm({ ...deps.config.hubspot, fetch, now, sleep, paces })
  // Small enough that associations are written while records still are.
  const limits = { ...crm.limits, recordsPerBatch: 4, pairsPerBatch: 4 }
  return { crm: { ...crm, limits }, database, steps, asked }
}

async function hasWritten(transaction: Transaction<DB>): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select pg_current_xact_id_if_assigned() is not null as has`.execute(transaction)
  return rows[0]?.has ?? false
}

/** A commit whose outcome is unknown. */
function connectionLost(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' })
}
