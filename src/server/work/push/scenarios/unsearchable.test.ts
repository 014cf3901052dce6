import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { recordIdOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { standing, typeOf } from '#test/push/people.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

beforeEach(async () => {
  bench = await openBench(db)
  await bench.connect()
  await saveLedger(
    bench,
    ['a', 'b'].map((id) => ({ id, name: `Firm ${id}`, email: null, mrrCents: 1_000 })),
  )
  await bench.push()
  bench.clock.now += 10 * minuteMs
  await bench.push()
})

const kinds = ['subscription', 'event'] as const
const refuse = (what: string, status: number, method = 'POST') =>
  Promise.all(
    kinds.map((kind) =>
      bench.control('/_faults', {
        ...{ kind: 'status', status, message: 'Not for this app', category: 'VALIDATION_ERROR' },
        match: { pathPrefix: `/crm/objects/2026-09/${typeOf(bench, kind)}${what}`, method, times: null },
      }),
    ),
  )

async function pushAfter(waitMs: number, options: Parameters<Bench['push']>[0] = {}) {
  bench.clock.now += waitMs
  const run = await bench.push(options)
  expect(run).toMatchObject({ status: 'completed', failed_records: 0 })
  return { run, errors: await bench.errorsOf(run.id) }
}

/** Between the two stands HubSpot's reason. */
const lines = (what: string, end: string) =>
  kinds.map((kind) =>
    expect.stringMatching(new RegExp(`^HubSpot refused to ${what} its ${kind} records: .+\\. ${end}$`)),
  )
const people = 'What people change or delete there is'
const notSearched = lines('search', `${people} found once a day, and when you sync by hand\\.`)
const notListed = lines('list', `${people} not found\\.`)

describe.each([400, 403, 404])('a push to a HubSpot that answers searches with %i', (status) => {
  beforeEach(() => refuse('/search', status))

  it.each([
    ['the clock a day later', dayMs, {}],
    ['a person', minuteMs, { retriesFailed: true }],
  ])(
    'finds what people edited and deleted by a list of all when started by %s',
    async (_, waitMs, options) => {
      const before = dumpCrm(bench)
      const type = typeOf(bench, 'subscription')
      const [a, b] = ['a', 'b'].map((id) => recordIdOf(bench, type, 'stripe_subscription_id', `sub_${id}`))
      await bench.control('/_control/edit', { hubId: enterprise, type, id: a, properties: { mrr: '7' } })
      await bench.control('/_control/archive', { hubId: enterprise, type, id: b })
      expect((await pushAfter(minuteMs)).errors).toEqual(notSearched)
      const { errors } = await pushAfter(waitMs, options)
      expect(errors).toEqual(
        expect.arrayContaining([
          ...notSearched,
          expect.stringContaining('This record was deleted in HubSpot'),
        ]),
      )
      expect(before.subscription).toEqual(expect.arrayContaining(dumpCrm(bench).subscription))
      expect(standing(bench, 'subscription')).toHaveLength(1)
    },
  )

  it('lists all no more than once a day, and says each time that nothing was searched', async () => {
    expect((await pushAfter(dayMs)).errors).toEqual(notSearched)
    bench.simulator.requests.clear()
    const { run, errors } = await pushAfter(10 * minuteMs)
    expect(errors).toEqual(notSearched)
    expect(run.message).not.toContain('up to date')
    const listed = bench.simulator.requests.list('/crm/objects/2026-09/2-')
    expect(listed.filter(({ method }) => method === 'GET')).toEqual([])
  })

  it('goes on, and says so, where lists are refused too', async () => {
    await refuse('', status, 'GET')
    const { errors } = await pushAfter(dayMs)
    expect(errors).toHaveLength(4)
    expect(errors).toEqual(expect.arrayContaining([...notSearched, ...notListed]))
  })
})
