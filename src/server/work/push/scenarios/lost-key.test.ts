import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'

let db: TestDatabase
let bench: Bench
let before: ReturnType<typeof dumpCrm>
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const account = { id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 }

beforeEach(async () => {
  bench = await openBench(db, {
    seed: { companies: [{ name: 'Alpha', domain: 'alpha.example' }], contacts: [] },
  })
  await bench.connect()
  await saveLedger(bench, [account, { ...account, id: 'b', mrrCents: 2_000 }])
  bench.clock.now += minuteMs
  await bench.push()
  before = dumpCrm(bench)
  bench.clock.now += 10 * minuteMs
})

async function pushAfter(waitMs: number) {
  bench.clock.now += waitMs
  const run = await bench.push()
  return { run, log: (await bench.logOf(run.id)).join('\n'), errors: await bench.errorsOf(run.id) }
}

const kinds = [
  {
    kind: 'subscription',
    name: 'tributary_subscription',
    key: 'stripe_subscription_id',
    value: 'sub_a',
    label: 'Stripe subscription ID',
  },
  { kind: 'event', name: 'tributary_event', key: 'tributary_event_id', value: 'ev_a', label: 'Event ID' },
] as const

describe.each(kinds)(
  'the key of a record of a $kind that a person changed',
  ({ name, key, value, label }) => {
    it.each(['typed over', ''])('to "%s" is written again, and no second record is made', async (typed) => {
      const type =
        bench.simulator
          .portal(enterprise)
          .schemas()
          .find((one) => one.name === name)?.typeId ?? ''
      const found = bench.simulator
        .portal(enterprise)
        .records(type)
        .find(({ properties }) => properties[key] === value)
      await bench.control('/_control/edit', {
        hubId: enterprise,
        type,
        id: found?.id,
        properties: { [key]: typed },
      })
      const { run, log, errors } = await pushAfter(10 * minuteMs)
      expect({ run, errors }).toMatchObject({
        run: { status: 'completed', processed_records: 1 },
        errors: [],
      })
      expect(log).toContain(`${value}: edited in HubSpot (${label})`)
      expect(dumpCrm(bench)).toEqual(before)
      await saveLedger(bench, [{ ...account, mrrCents: 1_500 }])
      await pushAfter(dayMs)
      const { subscription, event, associations } = dumpCrm(bench)
      expect([subscription.length, event.length]).toEqual([2, 2])
      expect(associations).toEqual(before.associations)
    })
  },
)

it('keys of more records than one batch holds are written again by a few requests', async () => {
  const many = Array.from({ length: 150 }, (_, n) => ({ ...account, id: `m${n}` }))
  await saveLedger(bench, many)
  await pushAfter(minuteMs)
  before = dumpCrm(bench)
  const portal = bench.simulator.portal(enterprise)
  const type = portal.schemas().find(({ name }) => name === 'tributary_subscription')?.typeId ?? ''
  bench.clock.now += 10 * minuteMs
  for (const { id } of portal.records(type)) {
    const properties = { stripe_subscription_id: `typed ${id}` }
    await bench.control('/_control/edit', { hubId: enterprise, type, id, properties })
  }
  bench.simulator.requests.clear()
  expect((await pushAfter(minuteMs)).run).toMatchObject({ processed_records: 152, failed_records: 0 })
  expect(dumpCrm(bench)).toEqual(before)
  const updates = bench.simulator.requests.list('/crm').filter(({ route }) => route.endsWith('/batch/update'))
  expect(updates).toHaveLength(2)
})
