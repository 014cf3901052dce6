import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import type { CrmPort } from '../providers/crm.ts'
import { type Bench, dumpCrm, openBench, saveLedger } from './push/test-support.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const seed = {
  companies: [
    { name: 'Alpha', domain: 'alpha.example' },
    { name: 'Twin One', domain: 'twin.example' },
    { name: 'Twin Two', domain: 'twin.example' },
  ],
  contacts: [{ email: 'pat@alpha.example', companyDomain: 'alpha.example' }],
}
const ledger = [
  { id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 },
  { id: 'b', name: 'Beta Ltd', email: 'kim@beta.example', mrrCents: 2_050 },
  { id: 'c', name: 'Beta Two', email: 'lee@beta.example', mrrCents: 300 },
  { id: 'd', name: 'Twin', email: 'sam@twin.example', mrrCents: 400 },
]

class Crash extends Error {}

/** The port, whose process dies before or after the nth call of the CRM; counts the calls when none is named. */
function dying(crm: CrmPort, deathAt: number | undefined, moment: 'before' | 'after') {
  const calls = { count: 0 }
  const port = new Proxy(crm, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (
        typeof member !== 'function' ||
        !/^(find|create|add|upsert|archive|list|ensure|associate|diss)/.test(String(name))
      )
        return member
      return async (...given: unknown[]) => {
        const isLast = ++calls.count === deathAt
        if (isLast && moment === 'before') throw new Crash()
        const answer = await Reflect.apply(member, target, given)
        if (isLast) throw new Crash()
        return answer
      }
    },
  })
  return { port, calls }
}

async function connected(): Promise<Bench> {
  const bench = await openBench(db, { seed })
  await bench.connect()
  await saveLedger(bench, ledger)
  return bench
}

describe('a push whose process dies', () => {
  it('ends, resumed, in the CRM of a perfect run, wherever it died', async () => {
    const perfect = await connected()
    const counting = dying(perfect.deps.crm, undefined, 'before')
    await perfect.push({ crm: counting.port })
    const golden = dumpCrm(perfect)
    expect(counting.calls.count).toBeGreaterThan(10)
    expect(golden.subscription).toHaveLength(4)

    for (let step = 1; step <= counting.calls.count; step++) {
      for (const moment of ['before', 'after'] as const) {
        const bench = await connected()
        const { port } = dying(bench.deps.crm, step, moment)
        await expect(bench.push({ crm: port }), `dies ${moment} step ${step}`).rejects.toThrow(Crash)
        const run = await bench.resume()
        expect(run, `dies ${moment} step ${step}`).toMatchObject({
          status: 'completed',
          total_records: 8,
          processed_records: 8,
          failed_records: 0,
        })
        expect(dumpCrm(bench), `dies ${moment} step ${step}`).toEqual(golden)
      }
    }
  })
})
