import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { connected, customer, inHubspot, push, recordIdOf } from '#test/match/matches.ts'
import { type Bench, saveLedger } from '#test/push/open-bench.ts'
import { listMatches } from '../../../store/lists/match-list.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { searchCompanies } from '../review/search-companies.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const createdAt = Date.parse('2024-03-03T09:30:00Z')
const lastActivityAt = Date.parse('2026-08-02T16:00:00Z')

/** A customer with two companies of its domain, of which only the first is in use. */
async function withDouble(countOfNone: null | '' | '0'): Promise<Bench> {
  const domain = 'ember.example'
  const bench = await connected(db, {
    companies: [
      { name: 'Ember', domain, createdAt, lastActivityAt, dealCount: 3 },
      { name: 'Ember double', domain, createdAt },
    ],
    contacts: [
      { email: 'ann@ember.example', companyDomain: domain },
      { email: 'bob@ember.example', companyDomain: domain },
    ],
  })
  await inHubspot(bench, 'settings', { openAnswers: { countOfNone } })
  await saveLedger(bench, [customer('ember', 'pay@ember.example')])
  return bench
}

async function candidatesOf({ deps, organizationId }: Bench) {
  const { matches } = await inOrganization(deps.database, organizationId, (tenant) =>
    listMatches(tenant, { page: 1, limit: 20, search: '', state: 'pending' }),
  )
  return matches[0]?.candidates.map(({ name, facts }) => ({ name, ...facts }))
}

const inUse = {
  createdAt: new Date(createdAt),
  contactCount: 2,
  dealCount: 3,
  lastActivityAt: new Date(lastActivityAt),
}

it.each([
  [null, null],
  ['', null],
  ['0', 0],
] as const)(
  'a candidate has what HubSpot says of it, where a count of none is %j',
  async (countOfNone, count) => {
    const bench = await withDouble(countOfNone)
    bench.simulator.requests.clear()
    await push(bench)
    const double = {
      createdAt: new Date(createdAt),
      contactCount: count,
      dealCount: count,
      lastActivityAt: null,
    }
    expect(await candidatesOf(bench)).toEqual([
      { name: 'Ember', ...inUse },
      { name: 'Ember double', ...double },
    ])
    const calls = bench.simulator.requests.list('/crm/objects/2026-09/0-2')
    expect(calls.map(({ method }) => method)).toEqual(['GET'])
    const { companies } = await searchCompanies(bench.deps, bench.organizationId, 'double', undefined)
    expect(companies.map(({ facts }) => facts)).toEqual([double])
  },
)

it('a candidate follows HubSpot, and has nothing to say once it is gone', async () => {
  const bench = await withDouble(null)
  await push(bench)
  const id = recordIdOf(bench, '0-2', 'name', 'Ember double')
  await inHubspot(bench, 'log-activity', { type: '0-2', id })
  const loggedAt = new Date(bench.clock.now)
  await push(bench)
  expect((await candidatesOf(bench))?.[1]).toMatchObject({ lastActivityAt: loggedAt })
  await query(db.ownerUrl, 'delete from crm_companies where record_id = $1', [id])
  expect((await candidatesOf(bench))?.[1]).toMatchObject({ name: 'Ember double', lastActivityAt: null })
})
