import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { type Bench, enterprise, openBench, saveLedger, starter } from '#test/push/open-bench.ts'
import { makeKey, recordScopes } from '#test/push/service-keys.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { getCrmObjects } from '../crm/ensure-crm-objects.ts'
import { openTokens } from '../crm/sealed-tokens.ts'
import { authorizeCrm, verifyCrm } from './connect-crm.ts'
import { connectCrmByKey } from './connect-crm-by-key.ts'
import { disconnectCrm } from './disconnect-crm.ts'
import { revokeAll } from './revoke-all.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db)
})

const connectBy = (key: string) => connectCrmByKey(bench.deps, bench.connector, key)
const connection = () =>
  inOrganization(bench.deps.database, bench.organizationId, (tenant) => findConnection(tenant, 'crm'))
const objects = () => getCrmObjects(bench.deps, bench.organizationId)
const mailed = async () =>
  (await query<{ subject: string }>(db.ownerUrl, 'select subject from outbox order by id')).map(
    ({ subject }) => subject,
  )

describe('a service key', () => {
  it('connects its portal: sealed, masked, without a clock, with both objects', async () => {
    const key = await makeKey(bench)
    const done = await connectBy(`  ${key.slice(0, 9)}\n${key.slice(9)}\u200b `)
    expect(done).toEqual({
      portalId: String(enterprise),
      message: `Connected to HubSpot (account ${enterprise}).`,
    })
    const kept = await connection()
    expect(kept).toMatchObject({
      account_id: String(enterprise),
      secret_hint: `pat-na1-••••${key.slice(-4)}`,
      expires_at: null,
      refresh_due_at: null,
      warning: null,
      details: { portalId: String(enterprise), currency: 'usd', domain: null },
    })
    expect(JSON.stringify(kept)).not.toContain(key)
    expect(kept && openTokens(bench.deps, bench.organizationId, kept)).toEqual({
      accessToken: key,
      refreshToken: null,
    })
    expect(await objects()).toMatchObject({ isReady: true, advice: null })
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: true })
  })

  it('pushes as a consent does, also after days, and is forgotten at a disconnect', async () => {
    await connectBy(await makeKey(bench))
    await saveLedger(bench, [{ id: 'a', name: 'Alpha', email: null, mrrCents: 1_000 }])
    bench.clock.now += 30 * 24 * 3_600_000
    expect(await bench.push()).toMatchObject({ status: 'completed', processed_records: 2, failed_records: 0 })
    expect(bench.simulator.requests.list('/oauth/2026-09/token')).toEqual([])
    await disconnectCrm(bench.deps, bench.organizationId)
    expect(await connection()).toBeUndefined()
    expect(bench.simulator.requests.list('/oauth/2026-09/token/revoke')).toEqual([])
  })

  it('of the EU region connects too', async () => {
    await bench.control('/_control/settings', { hubId: enterprise, dataHostingLocation: 'eu1' })
    const key = await makeKey(bench)
    expect(key).toMatch(/^pat-eu1-/)
    await connectBy(key)
    expect((await connection())?.secret_hint).toBe(`pat-eu1-••••${key.slice(-4)}`)
  })

  it('that lacks scopes is refused with each of them, and nothing is saved', async () => {
    const scopes = recordScopes.filter((scope) => scope !== 'crm.objects.contacts.write')
    await expect(connectBy(await makeKey(bench, { scopes }))).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringMatching(
        /lacks 3 scopes crm\.objects\.contacts\.write, crm\.schemas\.custom\.read, crm\.schemas\.custom\.write\. Add them to the key in HubSpot under Development > Keys > Service keys/,
      ),
    })
    expect(await connection()).toBeUndefined()
  })

  it('without the scopes for objects connects, says so, and the objects step names them', async () => {
    const scopes = recordScopes.filter((scope) => !scope.includes('.custom.'))
    const done = await connectBy(await makeKey(bench, { hubId: starter, scopes }))
    expect(done.message).toContain('The key lacks crm.schemas.custom.read, crm.schemas.custom.write')
    expect(await objects()).toMatchObject({
      isReady: false,
      objects: [
        { state: 'failed', reason: expect.stringContaining('crm.objects.custom.write') },
        { state: 'failed' },
      ],
      advice: expect.stringContaining('Add them to the service key in HubSpot'),
    })
  })

  it('that may write objects but not make them uses objects that stand there', async () => {
    await connectBy(await makeKey(bench))
    await disconnectCrm(bench.deps, bench.organizationId)
    await connectBy(await makeKey(bench, { scopes: recordScopes }))
    expect(await objects()).toMatchObject({ isReady: true })
  })
})

describe('a text that is no service key', () => {
  it.each([
    ['', /Please enter a HubSpot service key/],
    [`Ci${'Rua1'.repeat(30)}=`, /personal access key of HubSpot's command line/],
    [`CI${'rToaii'.repeat(20)}`, /access token of an app/],
    ['na1-0b1c-4d5e-9f00-112233445566', /developer key or a refresh token/],
    ['0b1c2d3e-4d5e-4f60-9f00-112233445566', /secret of an app or an API key of the old kind/],
    ['rk_live_abcdefghijk', /key of Stripe/],
    ['pat-na1-ключ', /not a complete key of HubSpot/],
    [`pat-na1-${'a'.repeat(600)}`, /not a complete key of HubSpot/],
  ])('%# is named before HubSpot is asked, with what to do', async (text, message) => {
    await expect(connectBy(text)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    })
    expect(bench.simulator.requests.list('/')).toEqual([])
  })

  it.each([400, 401, 403, 404])('that HubSpot refuses with %i is named as unknown', async (status) => {
    await bench.control('/_faults', { kind: 'status', status })
    await expect(connectBy(await makeKey(bench))).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringMatching(/does not know this key: it was rotated or deleted/),
    })
  })

  it('is not called unknown while HubSpot does not answer', async () => {
    await bench.control('/_faults', { kind: 'status', status: 503 })
    await expect(connectBy(await makeKey(bench))).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('another key', () => {
  it('of the same portal replaces the first, and the owners hear of it', async () => {
    await connectBy(await makeKey(bench))
    const key = await makeKey(bench)
    expect(await connectBy(key)).toMatchObject({ message: 'HubSpot service key updated.' })
    expect((await connection())?.secret_hint).toContain(key.slice(-4))
    expect((await connection())?.secret_version).toBe(2)
  })

  it('of another portal is refused, and the connection goes on', async () => {
    await connectBy(await makeKey(bench))
    const before = await connection()
    const key = await makeKey(bench, { hubId: starter })
    await expect(connectBy(key)).rejects.toMatchObject({
      code: 'other_account',
      message: `This key belongs to HubSpot account ${starter}, but account ${enterprise} is connected. Enter a key of account ${enterprise}, or disconnect it first.`,
    })
    expect(await connection()).toEqual(before)
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: true })
  })

  it('of another portal than the last one connects after a disconnect, and a person is asked', async () => {
    await connectBy(await makeKey(bench))
    await saveLedger(bench, [{ id: 'a', name: 'Alpha', email: 'pat@alpha.example', mrrCents: 1_000 }])
    await bench.push()
    await disconnectCrm(bench.deps, bench.organizationId)
    const done = await connectBy(await makeKey(bench, { hubId: starter }))
    expect(done.message).toContain(`another account than before (${enterprise})`)
    expect(await connection()).toMatchObject({
      account_id: String(starter),
      earlier_account_id: String(enterprise),
    })
  })

  it('takes the place of a consent, which is then revoked; a consent takes the place of a key', async () => {
    await bench.connect()
    await connectBy(await makeKey(bench))
    expect(bench.simulator.requests.list('/oauth/2026-09/token/revoke')).toHaveLength(1)
    expect(await connection()).toMatchObject({ secret_hint: expect.stringContaining('pat-na1-') })
    await bench.connect()
    expect(await connection()).toMatchObject({ secret_hint: null, account_id: String(enterprise) })
    expect(await bench.push()).toMatchObject({ status: 'completed' })
  })

  it('is told to the owners by mail, masked', async () => {
    await query(
      db.ownerUrl,
      `insert into member ("organizationId", "userId", role, "createdAt") values ($1, $2, 'owner', now())`,
      [bench.organizationId, bench.connector.userId],
    )
    const first = await makeKey(bench)
    await connectBy(first)
    await connectBy(first)
    expect(await mailed()).toEqual([])
    const second = await makeKey(bench)
    await connectBy(second)
    expect(await mailed()).toEqual(['Another HubSpot key was connected'])
    const [mail] = await query(db.ownerUrl, 'select * from outbox')
    expect(JSON.stringify(mail)).toContain(`pat-na1-••••${second.slice(-4)}`)
    expect(JSON.stringify(mail)).not.toContain(second)
  })
})

describe('a key that was rotated or deleted in HubSpot', () => {
  it('is named as such by the run, and the connection says so until a new one is entered', async () => {
    const key = await makeKey(bench)
    await connectBy(key)
    await saveLedger(bench, [{ id: 'a', name: 'Alpha', email: null, mrrCents: 1_000 }])
    await bench.control('/_control/delete-key', { key })
    await expect(bench.push()).rejects.toMatchObject({
      kind: 'unauthorized',
      message: expect.stringMatching(/no longer accepts the service key: it was rotated or deleted there/),
    })
    expect((await connection())?.warning).toMatch(/service key: it was rotated or deleted there/)
    bench.simulator.requests.clear()
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: false })
    expect(bench.simulator.requests.list('/')).toEqual([])
    await connectBy(await makeKey(bench))
    expect((await connection())?.warning).toBeNull()
    expect(await bench.resume()).toMatchObject({ status: 'completed', failed_records: 0 })
  })

  it('is named another way after all access was revoked here, and a new one connects', async () => {
    const key = await makeKey(bench)
    await connectBy(key)
    await revokeAll(bench.deps, { atCrm: true })
    expect((await connection())?.warning).toMatch(
      /service key was destroyed for safety\. Rotate it in HubSpot/,
    )
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: false })
    await connectBy(await makeKey(bench))
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: true })
  })

  it('goes on for its last days when it was rotated with a delay', async () => {
    const key = await makeKey(bench)
    await connectBy(key)
    await bench.control('/_control/rotate-key', { key, endsNow: false })
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: true })
    bench.clock.now += 8 * 24 * 3_600_000
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: false })
  })

  it('is not given up for a refusal that passes', async () => {
    await connectBy(await makeKey(bench))
    await bench.control('/_faults', {
      kind: 'status',
      status: 401,
      match: { pathPrefix: '/account-info', times: 2 },
    })
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: true })
    expect((await connection())?.warning).toBeNull()
  })
})

it('without an app there is no consent to begin, and the refusal names the other way', async () => {
  const deps = { ...bench.deps, crm: { ...bench.deps.crm, hasApp: false } }
  await expect(authorizeCrm(deps, bench.connector, 'popup')).rejects.toMatchObject({
    code: 'not_connected',
    message: expect.stringContaining('Connect with a service key instead'),
  })
})
