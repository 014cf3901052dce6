import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '#simulators/worlds/numbers/random.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, enterprise, openBench } from '#test/push/open-bench.ts'
import type { Deps } from '../../../deps.ts'
import { findConnection } from '../../../store/connections/connections.ts'
import { type Database, inOrganization, openDatabase } from '../../../store/postgres/database.ts'
import { deadTokenWarning, withCrm } from '../../crm/with-crm.ts'

let db: TestDatabase
let bench: Bench
const pools: Database[] = []
beforeAll(async () => {
  db = await newDatabase()
  const open = () => openDatabase({ url: db.url, poolSize: 4, statementTimeoutMs: 10_000, onError: () => {} })
  pools.push(open(), open())
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.destroy()))
  await db.close()
})
beforeEach(async () => {
  bench = await openBench(db)
  await bench.connect()
  await bench.control('/_control/settings', { hubId: enterprise, rotateRefreshTokens: true })
})

const schedules = Number(process.env['SCHEDULES'] ?? 200)
const halfAnHourMs = 30 * 60_000
const connection = () =>
  inOrganization(bench.deps.database, bench.organizationId, (tenant) => findConnection(tenant, 'crm'))
const exchanges = () => bench.simulator.requests.list('/oauth/2026-09/token')

/** A process with its own database connections, delayed at each step by a seeded random time. */
function processOf(pool: Database, random: Random): Deps {
  const hold = async () => {
    for (let turn = random.int(0, 5); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve))
  }
  const { crm } = bench.deps
  return {
    ...bench.deps,
    database: new Proxy(pool, {
      get: (target, name) =>
        name === 'transaction'
          ? () => ({
              execute: async (work: never) => {
                await hold()
                const result = await target.transaction().execute(work)
                await hold()
                return result
              },
            })
          : Reflect.get(target, name, target),
    }),
    crm: {
      ...crm,
      refreshTokens: async (token) => {
        await hold()
        const tokens = await crm.refreshTokens(token)
        await hold()
        return tokens
      },
    },
  }
}

const tokenOf = (deps: Deps) => withCrm(deps, bench.organizationId, ({ access }) => access.token())

describe('two processes that renew one token', () => {
  it(`exchange it once, in ${schedules} schedules, though a token used twice would be its end`, async () => {
    for (let seed = 1; seed <= schedules; seed++) {
      const random = createRandom(seed)
      bench.clock.now += halfAnHourMs
      bench.simulator.requests.clear()
      const version = (await connection())?.secret_version ?? 0
      const callers = Array.from({ length: random.int(2, 4) }, (_, index) => pools[index % 2])
      const tokens = await Promise.all(
        callers.flatMap((pool) => (pool ? tokenOf(processOf(pool, random)) : [])),
      )
      expect(
        exchanges().map(({ status }) => status),
        `seed ${seed}`,
      ).toEqual([200])
      expect(new Set(tokens).size, `seed ${seed}`).toBe(1)
      expect(await connection(), `seed ${seed}`).toMatchObject({
        secret_version: version + 1,
        warning: null,
        earlier_account_id: null,
      })
    }
  })
})

describe('a process that dies between the exchange and the commit', () => {
  const dying = (): Deps => ({
    ...bench.deps,
    crm: {
      ...bench.deps.crm,
      refreshTokens: async (token) => {
        await bench.deps.crm.refreshTokens(token)
        throw new Error('the process died')
      },
    },
  })

  it('costs nothing where the refresh token goes on', async () => {
    await bench.control('/_control/settings', { hubId: enterprise, rotateRefreshTokens: false })
    bench.clock.now += halfAnHourMs
    await expect(tokenOf(dying())).rejects.toThrow('died')
    await expect(tokenOf(bench.deps)).resolves.toMatch(/^access-/)
    expect(await connection()).toMatchObject({ warning: null })
  })

  it('asks for a reconnect where each may be used once, and loses nothing else', async () => {
    bench.clock.now += halfAnHourMs
    await expect(tokenOf(dying())).rejects.toThrow('died')
    await expect(tokenOf(bench.deps)).rejects.toMatchObject({ kind: 'unauthorized' })
    expect(await connection()).toMatchObject({ warning: deadTokenWarning, account_id: String(enterprise) })
    await bench.connect()
    expect(await connection()).toMatchObject({ warning: null, earlier_account_id: null })
  })
})
