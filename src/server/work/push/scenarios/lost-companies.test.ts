import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { matchesOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** A portal too large to be listed at every push: only the nightly listing finds what search does not show. */
const many = Array.from({ length: 400 }, (_, n) => ({ name: `Other ${n}`, domain: `other${n}.example` }))
const seed = {
  companies: [...many, { name: 'Alpha', domain: 'alpha.example' }],
  contacts: [{ email: 'pat@alpha.example', companyDomain: 'alpha.example' }],
}
const alpha = { id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 }

async function pushed(): Promise<Bench> {
  const bench = await openBench(db, { seed })
  await bench.connect()
  await saveLedger(bench, [alpha, { id: 'o', name: 'Other', email: 'kim@other1.example', mrrCents: 500 }])
  bench.clock.now += 600_000
  await bench.push()
  bench.clock.now += 600_000
  return bench
}

const idOf = (bench: Bench, type: string, value: string) =>
  bench.simulator
    .portal(enterprise)
    .records(type)
    .find(({ properties }) => Object.values(properties).includes(value))?.id ?? ''
const remove = (bench: Bench, type: string, value: string) =>
  bench.control('/_control/archive', { hubId: enterprise, type, id: idOf(bench, type, value) })
const tiesOf = (bench: Bench, key: string) =>
  dumpCrm(bench).associations.filter((tie) => tie.startsWith(`${key} ->`))

describe('a company that somebody deleted in a large portal', () => {
  it('is noticed when an association with it is refused: its customer waits for a person, and it is said', async () => {
    const bench = await pushed()
    await remove(bench, '0-2', 'alpha.example')
    await saveLedger(bench, [{ ...alpha, id: 'b' }])
    await bench.control('/_control/archive', {
      hubId: enterprise,
      type: '0-1',
      id: idOf(bench, '0-1', 'pat@alpha.example'),
    })
    bench.simulator.requests.clear()
    const run = await bench.push()
    expect(
      bench.simulator.requests.list('/crm/objects/2026-09/0-2').filter(({ method }) => method === 'GET'),
    ).toEqual([])
    expect(run).toMatchObject({ status: 'completed', failed_records: 0 })
    const errors = await bench.errorsOf(run.id)
    expect(errors.filter((line) => line.includes('company of this customer was deleted'))).not.toEqual([])
    expect(await matchesOf(bench)).toMatchObject({ a: expect.stringMatching(/^pending company_gone/) })
    bench.clock.now += 600_000
    const next = await bench.push()
    expect(await bench.errorsOf(next.id)).toEqual([])
  })

  it.each([
    ['which leaves nothing open', 0, false],
    ['and too much changes meanwhile: the next push compares everything', 1_001, true],
  ])(
    'and that stands there anew is taken by the same push, for every record of the customer, %s',
    async (_, changes, isOpen) => {
      const bench = await pushed()
      await remove(bench, '0-2', 'alpha.example')
      await bench.ask('POST', '/crm/objects/2026-09/companies', {
        properties: { name: 'Alpha anew', domain: 'alpha.example' },
        associations: [],
      })
      bench.clock.now += 60_000
      await saveLedger(bench, [{ ...alpha, id: 'b' }])
      let open = changes
      const { crm } = bench.deps
      const associate: typeof crm.associate = async (...given) => {
        await query(
          db.ownerUrl,
          `insert into push_due (organization_id, customer_id) select $1, 'cus_' || n from generate_series(1, $2::integer) n`,
          [bench.organizationId, open],
        )
        open = 0
        return crm.associate(...given)
      }
      await bench.push({ crm: { ...crm, associate } })
      for (const key of ['subscription sub_a', 'event ev_a', 'subscription sub_b', 'event ev_b'])
        expect(tiesOf(bench, key), key).toContain(`${key} -> company alpha.example`)
      const [mark] = await query<{ compared_at: Date | null }>(
        db.ownerUrl,
        'select compared_at from push_marks where organization_id = $1',
        [bench.organizationId],
      )
      expect(mark?.compared_at === null).toBe(isOpen)
    },
  )
})
