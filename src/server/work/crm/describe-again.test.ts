import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { connected, inHubspot } from '#test/match/matches.ts'
import type { Bench } from '#test/push/open-bench.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const day = 24 * 60 * 60_000

async function detailsOf({ deps, organizationId }: Bench) {
  const connection = await inOrganization(deps.database, organizationId, (tenant) =>
    findConnection(tenant, 'crm'),
  )
  return connection?.details
}

it('knows the host of an account that HubSpot has moved to another data center, and its currency', async () => {
  const bench = await connected(db)
  await bench.push()
  const before = await detailsOf(bench)
  await inHubspot(bench, 'settings', { dataHostingLocation: 'eu1', companyCurrency: 'EUR' })
  bench.clock.now += day
  await bench.control('/_faults', { kind: 'status', status: 403, match: { pathPrefix: '/account-info' } })
  expect(await bench.push({ retriesFailed: false })).toMatchObject({ status: 'completed' })
  expect(await detailsOf(bench)).toEqual(before)
  bench.clock.now += day
  await bench.push({ retriesFailed: false })
  const moved = { uiDomain: 'app-eu1.hubspot.com', currency: 'eur' }
  expect(await detailsOf(bench)).toEqual({ ...Object(before), ...moved })
})
