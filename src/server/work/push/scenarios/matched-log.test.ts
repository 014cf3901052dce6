import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { recordIdOf } from '#test/match/matches.ts'
import { openBench, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { updateSettings } from '../../../store/setup/settings.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const seed = {
  companies: [{ name: 'Alpha', domain: 'alpha.example' }],
  contacts: [{ email: 'pat@alpha.example', companyDomain: 'alpha.example' }],
}

it('logs of each open customer what became of it', async () => {
  const bench = await openBench(db, { seed })
  await bench.connect()
  await saveLedger(bench, [
    { id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 },
    { id: 'b', name: 'Kim Free', email: 'kim@gmail.com', mrrCents: 300 },
    { id: 'c', name: 'Nobody', email: null, mrrCents: 400 },
  ])
  await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
    updateSettings(tenant, { autoCreateContacts: false, autoCreateCompanies: false }),
  )
  const first = await bench.push()
  expect(await bench.logOf(first.id)).toContain('Matched 1 of 3 open customers; 2 wait for review.')
  const company_record_id = recordIdOf(bench, '0-2', 'name', 'Alpha')
  await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
    sql
      .updateTable('matches')
      .set({ state: 'linked', evidence: 'person', company_record_id, company_name: 'Alpha' })
      .where('customer_id', '=', 'cus_c')
      .execute(),
  )
  const second = await bench.push()
  expect(await bench.logOf(second.id)).toContain(
    'Matched 0 of 2 open customers; 1 waits for review, 1 lacked only a contact.',
  )
})
