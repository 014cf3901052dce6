import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { type Bench, enterprise, openBench } from '#test/push/open-bench.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findRunInProgress, startRun } from '../../store/runs/runs.ts'
import { getSettings, updateSettings } from '../../store/setup/settings.ts'
import { getRunFacts } from '../../store/setup/setup-facts.ts'
import { getCrmObjects } from '../crm/ensure-crm-objects.ts'
import { deadTokenWarning, withCrm } from '../crm/with-crm.ts'
import { authorizeCrm, completeCrmAuthorization, verifyCrm } from './connect-crm.ts'
import { disconnectCrm } from './disconnect-crm.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db)
})

const connection = () =>
  inOrganization(bench.deps.database, bench.organizationId, (tenant) => findConnection(tenant, 'crm'))
const tokenCalls = () => bench.simulator.requests.list('/oauth/2026-09/token').length
const readAccount = () =>
  withCrm(bench.deps, bench.organizationId, ({ access }) => bench.deps.crm.getAccount(access))
const introspect = '/oauth/2026-09/token/introspect'
const halfAnHourMs = 30 * 60 * 1_000

async function freshState(): Promise<string> {
  const address = await authorizeCrm(bench.deps, bench.connector, 'data-sync')
  return new URL(address).searchParams.get('state') ?? ''
}

describe('connecting the CRM', () => {
  it('keeps the tokens sealed, describes the account and makes both objects', async () => {
    const done = await bench.connect()
    expect(done).toMatchObject({ outcome: 'connected', returnTo: 'popup' })
    const kept = await connection()
    expect(kept).toMatchObject({ account_id: String(enterprise), warning: null, secret_version: 1 })
    expect(kept?.details).toMatchObject({ portalId: String(enterprise), domain: 'harbour-demo.example' })
    expect(kept?.scopes).toContain('crm.objects.custom.write')
    expect(kept?.sealed_secret).toMatch(/^s1\./)
    expect(await getCrmObjects(bench.deps, bench.organizationId)).toMatchObject({
      isReady: true,
      advice: null,
    })
    expect(
      bench.simulator
        .portal(enterprise)
        .schemas()
        .map(({ name }) => name),
    ).toEqual(['tributary_subscription', 'tributary_event'])
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: true })
  })

  it('says that the CRM will refuse the address of this installation, before its page opens', async () => {
    const { config } = bench.deps
    const redirectProblem = {
      isRefused: true,
      text: 'Set PUBLIC_URL to an address that begins with https://.',
    }
    const refused = { ...bench.deps, config: { ...config, hubspot: { ...config.hubspot, redirectProblem } } }
    await expect(authorizeCrm(refused, bench.connector, 'popup')).rejects.toThrow(redirectProblem.text)
  })

  it('does without the domain of an account that cannot be asked for it', async () => {
    await bench.control('/_faults', { kind: 'status', status: 503, match: { pathPrefix: introspect } })
    expect(await bench.connect()).toMatchObject({ outcome: 'connected' })
    expect((await connection())?.details).toMatchObject({ portalId: String(enterprise), domain: null })
    expect(await getCrmObjects(bench.deps, bench.organizationId)).toMatchObject({ isReady: true })
  })

  it('finds the objects on the next connect instead of making them again', async () => {
    await bench.connect()
    await disconnectCrm(bench.deps, bench.organizationId)
    bench.simulator.requests.clear()
    await bench.connect()
    const made = bench.simulator.requests
      .list('/crm-object-schemas')
      .filter(({ method }) => method === 'POST')
    expect(made).toEqual([])
    expect((await getCrmObjects(bench.deps, bench.organizationId)).isReady).toBe(true)
  })

  it('leaves everything as it was when the person denies', async () => {
    expect(await bench.connect({ decision: 'deny' })).toMatchObject({ outcome: 'denied' })
    expect(await connection()).toBeUndefined()
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: false })
  })
})

describe('the state of a consent', () => {
  const answer = (state: string, connector = bench.connector, more: Record<string, string> = {}) =>
    completeCrmAuthorization(bench.deps, connector, new URLSearchParams({ code: 'x', state, ...more }))

  it('serves once', async () => {
    const state = await freshState()
    expect(await answer(state, bench.connector, { error: 'access_denied' })).toMatchObject({
      outcome: 'denied',
      returnTo: 'data-sync',
    })
    expect((await answer(state)).message).toContain('expired')
  })

  it.each(['userId', 'sessionId', 'organizationId'] as const)('is refused for another %s', async (field) => {
    const other = (await openBench(db)).connector
    const isShared = other[field] === bench.connector[field]
    const given = await answer(await freshState(), {
      ...bench.connector,
      [field]: isShared ? other[field] + 1 : other[field],
    })
    expect(given).toMatchObject({ outcome: 'failed', returnTo: 'popup' })
    expect(tokenCalls()).toBe(0)
  })

  it('is refused to a member, whatever they were when they set out, and used up', async () => {
    const state = await freshState()
    const given = await answer(state, { ...bench.connector, role: 'member' })
    expect(given).toMatchObject({
      outcome: 'failed',
      returnTo: 'data-sync',
      message: 'Only owners and admins can connect HubSpot.',
    })
    expect((await answer(state, { ...bench.connector, role: 'owner' })).message).toContain('expired')
    expect([tokenCalls(), await connection()]).toEqual([0, undefined])
  })

  it('is refused after ten minutes, without a session, and when it was never given out', async () => {
    const state = await freshState()
    bench.clock.now += 10 * 60 * 1_000
    expect((await answer(state)).outcome).toBe('failed')
    expect((await answer('')).outcome).toBe('failed')
    const unknown = await completeCrmAuthorization(
      bench.deps,
      null,
      new URLSearchParams({ code: 'x', state }),
    )
    expect(unknown.message).toBe('Please sign in and connect again.')
    expect(tokenCalls()).toBe(0)
  })

  it('is not kept as it was given out', async () => {
    const state = await freshState()
    const rows = await query<{ state_hash: string }>(
      db.ownerUrl,
      `select state_hash from oauth_states where organization_id = ${bench.organizationId}`,
    )
    expect(state.length).toBeGreaterThanOrEqual(22)
    expect(rows.map(({ state_hash }) => state_hash)).not.toContain(state)
  })

  it('does not help a code that the CRM refuses', async () => {
    const given = await answer(await freshState())
    expect(given).toMatchObject({ outcome: 'failed', returnTo: 'data-sync' })
    expect(given.message).toContain('Failed to connect to HubSpot')
    expect(await connection()).toBeUndefined()
  })
})

describe('the access token', () => {
  beforeEach(async () => {
    await bench.connect()
    bench.simulator.requests.clear()
  })

  it('is used until 80 % of its life are over, then renewed once for all who ask', async () => {
    bench.clock.now += halfAnHourMs * 0.79
    await readAccount()
    expect(tokenCalls()).toBe(0)
    bench.clock.now += halfAnHourMs * 0.02
    await Promise.all(Array.from({ length: 6 }, readAccount))
    expect(tokenCalls()).toBe(1)
    expect(await connection()).toMatchObject({ secret_version: 2, warning: null })
  })

  it('survives rotation of the refresh token under parallel callers', async () => {
    await bench.control('/_control/settings', { hubId: enterprise, rotateRefreshTokens: true })
    for (let round = 0; round < 3; round++) {
      bench.clock.now += halfAnHourMs
      await Promise.all(Array.from({ length: 4 }, readAccount))
    }
    expect(tokenCalls()).toBe(3)
    expect(await connection()).toMatchObject({ secret_version: 4, warning: null })
  })

  it('marks the connection only when the CRM says that the grant is gone, and asks no more then', async () => {
    await bench.control('/_control/revoke-app', { hubId: enterprise })
    bench.clock.now += halfAnHourMs
    const asked = { method: 'POST', path: '/oauth/2026-09/token' }
    await expect(readAccount()).rejects.toMatchObject({ kind: 'unauthorized', request: asked })
    expect(await connection()).toMatchObject({ warning: deadTokenWarning })
    const calls = tokenCalls()
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: false })
    expect(tokenCalls()).toBe(calls)
    await bench.connect()
    expect(await connection()).toMatchObject({ warning: null })
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: true })
  })

  it.each([
    { kind: 'status', status: 500 },
    { kind: 'html' },
    { kind: 'reset' },
    { kind: 'status', status: 429 },
    { kind: 'status', status: 401 },
  ])('is not given up for %j', async (fault) => {
    await bench.control('/_faults', { ...fault, match: { pathPrefix: '/oauth/2026-09/token', times: null } })
    bench.clock.now += halfAnHourMs * 0.9
    await readAccount()
    bench.clock.now += halfAnHourMs
    await expect(readAccount()).rejects.toBeInstanceOf(ProviderError)
    expect(await connection()).toMatchObject({ warning: null })
    bench.simulator.faults.clear()
    await readAccount()
  })

  it('is renewed once when the CRM refuses it although it should be good', async () => {
    await bench.control('/_faults', { kind: 'status', status: 401, match: { pathPrefix: '/account-info' } })
    await readAccount()
    expect(tokenCalls()).toBe(1)
    await bench.control('/_faults', {
      kind: 'status',
      status: 401,
      match: { pathPrefix: '/account-info', times: null },
    })
    await expect(readAccount()).rejects.toMatchObject({ kind: 'unauthorized' })
    expect(tokenCalls()).toBe(2)
  })
})

describe('disconnecting the CRM', () => {
  it('forgets and revokes the tokens, stops the run and resets the setup', async () => {
    await bench.connect()
    await inOrganization(bench.deps.database, bench.organizationId, async (tenant) => {
      await updateSettings(tenant, { currentStep: 'finish', setupComplete: true })
      await startRun(tenant, { id: 'pushed', kind: 'push', options: {}, at: bench.deps.now() })
      await sql`update runs set status = 'completed' where organization_id = ${tenant.organizationId}`.execute(
        tenant.sql,
      )
      expect(await getRunFacts(tenant)).toMatchObject({ push: 'done' })
      await startRun(tenant, { id: 'running', kind: 'push', options: {}, at: bench.deps.now() })
    })
    await disconnectCrm(bench.deps, bench.organizationId)
    await inOrganization(bench.deps.database, bench.organizationId, async (tenant) => {
      expect(await findConnection(tenant, 'crm')).toBeUndefined()
      expect(await findRunInProgress(tenant)).toBeUndefined()
      expect(await getSettings(tenant)).toMatchObject({ currentStep: 'crm', setupComplete: false })
      expect(await getRunFacts(tenant)).toMatchObject({ push: 'forgotten' })
    })
    expect(bench.simulator.requests.list('/oauth/2026-09/token/revoke')).toHaveLength(1)
    expect(bench.simulator.portal(enterprise).schemas()).toHaveLength(2)
  })

  it('works when the CRM cannot be reached, and without a connection', async () => {
    await bench.connect()
    await bench.control('/_faults', { kind: 'reset', match: { pathPrefix: '/oauth', times: null } })
    await disconnectCrm(bench.deps, bench.organizationId)
    expect(await connection()).toBeUndefined()
    await disconnectCrm(bench.deps, bench.organizationId)
  })
})
