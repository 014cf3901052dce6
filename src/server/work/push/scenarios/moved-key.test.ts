import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { standing, typeOf } from '#test/push/people.ts'

let db: TestDatabase
let bench: Bench
let before: ReturnType<typeof dumpCrm>
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const companies = ['alpha', 'beta'].map((name) => ({ name, domain: `${name}.example` }))
const account = (id: string, company: string, mrrCents = 1_000) => ({
  ...{ id, name: `Firm ${id}`, email: `kim@${company}.example`, mrrCents },
})

beforeEach(async () => {
  bench = await openBench(db, { seed: { companies, contacts: [] } })
  await bench.connect()
  await saveLedger(bench, [account('a', 'alpha'), account('b', 'beta')])
  bench.clock.now += minuteMs
  await bench.push()
  before = dumpCrm(bench)
  bench.clock.now += 10 * minuteMs
})

async function pushAfter(waitMs: number, options: Parameters<Bench['push']>[0] = {}) {
  bench.clock.now += waitMs
  const run = await bench.push(options)
  expect(run).toMatchObject({ status: 'completed', failed_records: 0 })
  return { run, log: (await bench.logOf(run.id)).join('\n'), errors: await bench.errorsOf(run.id) }
}

const kinds = [
  { kind: 'subscription', property: 'stripe_subscription_id', prefix: 'sub_' },
  { kind: 'event', property: 'tributary_event_id', prefix: 'ev_' },
] as const

describe.each(kinds)(
  'the key of a record of a $kind typed into another one',
  ({ kind, property, prefix }) => {
    const [a, b] = [`${prefix}a`, `${prefix}b`]
    const idOf = (key: string) =>
      standing(bench, kind).find(({ properties }) => properties[property] === key)?.id ?? ''
    /** A person's action in HubSpot. */
    const act = (what: string, body: object) =>
      bench.control(`/_control/${what}`, { hubId: enterprise, type: typeOf(bench, kind), ...body })
    const type = (id: string, key: string) => act('edit', { id, properties: { [property]: key } })
    async function swap(one: string, other: string): Promise<void> {
      const [first, second] = [idOf(one), idOf(other)]
      await type(first, '')
      await type(second, one)
      await type(first, other)
    }
    /** Each has its own values and ties, under its own id, and none is made a second time when they change. */
    async function expectAsBefore(ids: readonly string[]): Promise<void> {
      expect(dumpCrm(bench)).toEqual(before)
      expect([idOf(a), idOf(b)]).toEqual(ids)
      await saveLedger(bench, [account('a', 'alpha', 1_500), account('b', 'beta', 2_500)])
      await pushAfter(dayMs)
      expect(dumpCrm(bench).associations).toEqual(before.associations)
      expect(standing(bench, kind)).toHaveLength(before[kind].length)
    }

    it('goes back to the one whose key was removed, and the other gets its own', async () => {
      const ids = [idOf(a), idOf(b)]
      await type(idOf(a), '')
      await type(idOf(b), a)
      const { run, log, errors } = await pushAfter(10 * minuteMs)
      expect({ run, errors }).toMatchObject({ run: { processed_records: 2 }, errors: [] })
      for (const key of [a, b]) expect(log).toContain(`${key}: edited in HubSpot`)
      await expectAsBefore(ids)
    })

    it('is replaced by its own where the former one was deleted, which is told', async () => {
      const ids = [idOf(a), idOf(b)]
      await act('archive', { id: ids[0] })
      await type(idOf(b), a)
      const { log, errors } = await pushAfter(10 * minuteMs)
      expect(log).toContain(`${b}: edited in HubSpot`)
      expect(errors).toEqual([expect.stringContaining('This record was deleted in HubSpot')])
      expect(standing(bench, kind).map(({ id, properties }) => [id, properties[property]])).toEqual([
        [ids[1], b],
      ])
      await pushAfter(minuteMs, { retriesFailed: true })
      expect(dumpCrm(bench)).toEqual(before)
    })

    it('is replaced by its own also where the former one was deleted before and that is known', async () => {
      const id = idOf(b)
      await act('archive', { id: idOf(a) })
      await pushAfter(10 * minuteMs)
      await type(id, a)
      expect((await pushAfter(10 * minuteMs)).log).toContain(`${b}: edited in HubSpot`)
      expect(standing(bench, kind).map((one) => [one.id, one.properties[property]])).toEqual([[id, b]])
    })

    it('goes back where two were swapped', async () => {
      const ids = [idOf(a), idOf(b)]
      await swap(a, b)
      expect((await pushAfter(10 * minuteMs)).run).toMatchObject({ processed_records: 2 })
      await expectAsBefore(ids)
    })

    it('goes back where the two stand on different pages of a list', async () => {
      const between = Array.from({ length: 120 }, (_, n) => account(`m${n}`, 'alpha'))
      await saveLedger(bench, [...between, account('z', 'beta')])
      await pushAfter(minuteMs)
      before = dumpCrm(bench)
      bench.clock.now += minuteMs
      await swap(a, `${prefix}z`)
      const match = { pathPrefix: `/crm/objects/2026-09/${typeOf(bench, kind)}/search`, times: null }
      await bench.control('/_faults', { kind: 'status', status: 403, category: 'MISSING_SCOPES', match })
      expect((await pushAfter(dayMs)).run).toMatchObject({ processed_records: 2 })
      expect(dumpCrm(bench)).toEqual(before)
    })
  },
)
