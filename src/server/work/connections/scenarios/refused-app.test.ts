import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { hubspotBy } from '#test/providers/hubspot-by.ts'
import { address } from '#test/push/build-deps.ts'
import { type Bench, openBench } from '#test/push/open-bench.ts'
import type { Deps } from '../../../deps.ts'
import { findConnection } from '../../../store/connections/connections.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { withCrm } from '../../crm/with-crm.ts'
import { authorizeCrm, completeCrmAuthorization } from '../connect-crm.ts'

const dayMs = 24 * 60 * 60 * 1_000
const cure = /HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET/

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** The same installation after its app got a new id or secret in HubSpot, and the settings kept the old one. */
function withOldSettings(bench: Bench, old: { clientId?: string; clientSecret?: string }): Deps {
  const { hubspot } = bench.deps.config
  const fetch = (request: Request) => bench.simulator.fetch(request)
  const now = bench.deps.now
  return {
    ...bench.deps,
    crm: hubspotBy(fetch, { ...hubspot, apiUrl: address, appUrl: address, now, ...old }),
  }
}

const readAccount = ({ organizationId }: Bench, deps: Deps) =>
  withCrm(deps, organizationId, ({ access }) => deps.crm.getAccount(access))

it.each([{ clientSecret: 'old' }, { clientId: 'old' }])(
  'a connection outlasts an app with %j, and the operator is told what to correct',
  async (old) => {
    const bench = await openBench(db)
    await bench.connect()
    bench.clock.now += dayMs
    const deps = withOldSettings(bench, old)
    await expect(readAccount(bench, deps)).rejects.toMatchObject({
      ...{ kind: 'unavailable', isAnswered: true },
      message: expect.stringMatching(cure),
      request: { path: '/oauth/2026-09/token' },
    })
    const connection = await inOrganization(deps.database, bench.organizationId, (tenant) =>
      findConnection(tenant, 'crm'),
    )
    expect(connection).toMatchObject({ warning: null })
    expect(await readAccount(bench, bench.deps)).toMatchObject({ uiDomain: expect.any(String) })
  },
)

it('a person who connects reads that the installation has to be corrected', async () => {
  const bench = await openBench(db)
  const consent = await fetchConsent(bench)
  const done = await completeCrmAuthorization(
    withOldSettings(bench, { clientSecret: 'old' }),
    bench.connector,
    consent,
  )
  expect(done).toMatchObject({ outcome: 'failed', message: expect.stringMatching(cure) })
})

/** What HubSpot sends back after a person has agreed. */
async function fetchConsent(bench: Bench): Promise<URLSearchParams> {
  const url = new URL(await authorizeCrm(bench.deps, bench.connector, 'popup'))
  const state = url.searchParams.get('state') ?? ''
  return new URLSearchParams({ code: 'any', state })
}
