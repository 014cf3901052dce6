import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, newDatabase, openBench, saveLedger } from '#test/push/open-bench.ts'
import { associateByHand } from './associate-by-hand.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
  bench = await openBench(db)
  await bench.connect()
  await saveLedger(bench, [
    { id: 'a', name: 'Alpha', email: null, mrrCents: 1_000 },
    { id: 'b', name: 'Beta', email: null, mrrCents: 2_000 },
  ])
  await bench.push()
})
afterAll(() => db.close())

const associate = (eventId: string, subscriptionId: string) =>
  associateByHand(bench.deps, bench.organizationId, { eventId, subscriptionId })

it('associates the two records and says what stood there before', async () => {
  expect(dumpCrm(bench).associations).not.toContain('event ev_a -> subscription sub_b')
  const made = await associate('ev_a', 'sub_b')
  expect(made).toMatchObject({ success: true, associations: [expect.any(String)] })
  expect(dumpCrm(bench).associations).toContain('event ev_a -> subscription sub_b')
  expect((await associate('ev_a', 'sub_b')).associations).toContain(made.result?.toRecordId)
})

it('leaves two that do not belong together no longer than to the next push', async () => {
  const [own, stray] = [await associate('ev_b', 'sub_b'), await associate('ev_b', 'sub_a')]
  expect([own.message, stray.message]).toEqual([
    'The association was there already, and nothing changed.',
    'The association was created. The two do not belong together, so the next sync takes it back.',
  ])
  await bench.push()
  const ties = dumpCrm(bench).associations.filter((tie) => tie.startsWith('event ev_b -> subscription'))
  expect(ties).toEqual(['event ev_b -> subscription sub_b'])
})

it('refuses what has no record yet, and says of another ID that nothing has it', async () => {
  await saveLedger(bench, [{ id: 'c', name: 'Gamma', email: null, mrrCents: 3_000 }])
  const message = 'This transaction has no record in HubSpot yet. Sync it first.'
  await expect(associate('ev_c', 'sub_b')).rejects.toMatchObject({ code: 'not_found', message })
  for (const [event, subscription, what] of [
    ['ev_z', 'sub_b', 'transaction'],
    ['ev_a', 'sub_z', 'subscription'],
  ] as const)
    await expect(associate(event, subscription)).rejects.toMatchObject({
      code: 'not_found',
      message: `There is no ${what} with this ID here. Check the ID.`,
    })
})
