import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { dumpCrm, openBench, saveLedger } from '#test/push/open-bench.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const alpha = { id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 }
const customer = { id: 'b', name: 'Beta Ltd', email: 'kim@beta.example', mrrCents: 2_000 }

it.each([
  ['changed record', 408, /\/2-\d+\/batch\/upsert$/],
  ['changed record', 400, /\/2-\d+\/batch\/upsert$/],
  ['contact', 404, /\/0-1\/batch\/create$/],
  ['company', 421, /\/0-2\/batch\/create$/],
  ['association', 499, /\/batch\/associate\/default$/],
])('a %s is written in the end where a gateway answers once with a %i', async (_, status, path) => {
  const bench = await openBench(db)
  await bench.connect()
  await saveLedger(bench, [alpha])
  await bench.push()
  await saveLedger(bench, [{ ...alpha, mrrCents: 1_500 }, customer])
  const answer = bench.simulator.fetch
  let strays = 0
  vi.spyOn(bench.simulator, 'fetch').mockImplementation(async (request, ...rest) => {
    if (strays > 0 || !path.test(new URL(request.url).pathname)) return answer(request, ...rest)
    strays += 1
    return new Response('<html>', { status })
  })
  const run = await bench.push()
  expect([run.status, run.failed_records, await bench.errorsOf(run.id), strays]).toEqual([
    'completed',
    0,
    [],
    1,
  ])
  const crm = dumpCrm(bench)
  expect(crm.subscription.filter((record) => /"mrr":"(15|20)\.00"/.test(record))).toHaveLength(2)
  expect(crm.associations).toContain('subscription sub_b -> company beta.example')
  expect(crm.associations).toContain('subscription sub_b -> contact kim@beta.example')
})
