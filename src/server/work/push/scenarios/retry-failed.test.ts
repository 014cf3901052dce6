import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { dumpCrm, openBench, saveLedger } from '#test/push/open-bench.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

it('pushes what HubSpot refused, and leaves what merely changed to the next push', async () => {
  const bench = await openBench(db)
  await bench.connect()
  const fine = { id: 'fine', name: 'Fine', email: null, mrrCents: 100 }
  const refused = { id: 'bad', name: 'Refused by HubSpot', email: null, mrrCents: 100 }
  await saveLedger(bench, [fine, refused])
  const first = await bench.push()
  expect(first.failed_records).toBeGreaterThan(0)

  bench.clock.now += 60_000
  await saveLedger(bench, [
    { ...fine, mrrCents: 200 },
    { ...refused, name: 'Accepted' },
  ])
  const retry = await bench.retryFailed()
  expect(retry).toMatchObject({
    status: 'completed',
    processed_records: first.failed_records,
    failed_records: 0,
  })
  const mrrs = () =>
    dumpCrm(bench)
      .subscription.map((row) => /"mrr":"([\d.]+)"/.exec(row)?.[1])
      .sort()
  expect(mrrs()).toEqual(['1.00', '1.00'])
  await bench.push()
  expect(mrrs()).toEqual(['1.00', '2.00'])
})
