import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import {
  companiesToChoose,
  connected,
  customer,
  inHubspot,
  matchOf,
  push,
  recordIdOf,
  reviewerOf,
  tiesOf,
} from '#test/match/matches.ts'
import { type Bench, saveLedger } from '#test/push/open-bench.ts'
import { linkCustomer, unlinkCustomer } from './review-match.ts'
import { undoDecision } from './undo-decision.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

beforeEach(async () => {
  bench = await connected(db, { companies: companiesToChoose })
  await saveLedger(bench, [customer('a', 'kim@alpha.example')])
  await bench.push()
})

const idOf = (name: string) => recordIdOf(bench, '0-2', 'name', name)
const merge = async (primary: string, secondary: string) => {
  await inHubspot(bench, 'merge', { type: '0-2', primaryId: idOf(primary), secondaryId: idOf(secondary) })
  await push(bench)
}
const undo = ({ decisionId }: { decisionId: string | null }) =>
  undoDecision(bench.deps, bench.organizationId, decisionId ?? '', 'member')
const unlink = () => unlinkCustomer(bench.deps, bench.organizationId, 'cus_a', reviewerOf(bench))
const link = (name: string) => {
  const choice = { companyRecordId: idOf(name), remember: false, by: reviewerOf(bench) }
  return linkCustomer(bench.deps, bench.organizationId, 'cus_a', choice)
}

it('an undo brings back the company that the former one was merged into', async () => {
  expect(await matchOf(bench, 'a')).toBe('linked company_domain Alpha')
  const unlinked = await unlink()
  await merge('Gamma', 'Alpha')
  await undo(unlinked)
  expect(await matchOf(bench, 'a')).toBe('linked company_domain Gamma')
  await push(bench)
  expect(tiesOf(bench, 'subscription sub_a', 'company')).toEqual(['gamma.example'])
  bench.clock.now += 24 * 60 * 60_000
  await push(bench)
  expect(await matchOf(bench, 'a')).toBe('linked company_domain Gamma')
})

it('a decision can be undone although its company was merged since', async () => {
  const linked = await link('Beta')
  await merge('Gamma', 'Beta')
  expect(await matchOf(bench, 'a')).toBe('linked person Gamma')
  await undo(linked)
  expect(await matchOf(bench, 'a')).toBe('linked company_domain Alpha')
})
