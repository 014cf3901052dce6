import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { reviewerOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, openBench, saveLedger } from '#test/push/open-bench.ts'
import { ignoreCustomer, restoreCustomer } from './review-match.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
  bench = await openBench(db, {})
  await bench.connect()
  await saveLedger(bench, [{ id: 'kim', name: 'Kim', email: 'kim@gmail.com', mrrCents: 100 }])
  await bench.push()
})
afterAll(() => db.close())

it('an ignored customer stays in the CRM as it is, with the contact of its records', async () => {
  const before = dumpCrm(bench)
  expect(before.associations).toContain('event ev_kim -> contact kim@gmail.com')
  for (const decide of [ignoreCustomer, restoreCustomer]) {
    const { message } = await decide(bench.deps, bench.organizationId, 'cus_kim', reviewerOf(bench))
    expect(message).toContain('Nothing changes in HubSpot.')
    await bench.push()
    expect(dumpCrm(bench)).toEqual(before)
  }
})
