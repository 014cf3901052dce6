import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password } from '#test/api/test-app.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { openTokens } from '../crm/sealed-tokens.ts'
import { type Revocation, revokeAll } from './revoke-all.ts'

let world: TestWorld
let people: Person[]
let refreshTokens: string[]
let done: Revocation

beforeAll(async () => {
  world = await newWorld()
  people = [await world.person(), await world.person()]
  for (const person of people) {
    await person.connectStripe()
    await person.connectHubspot()
    await person.post('/api/import/historical')
    await person.post('/api/identity/organization/invite-member', {
      email: `guest-of-${person.email}`,
      role: 'member',
    })
    await person.post('/api/identity/request-password-reset', {
      email: person.email,
      redirectTo: '/reset-password',
    })
    const email = `new-${person.email}`
    await person.post('/api/identity/sign-up/email', { name: 'New', email, password })
  }
  await query(
    world.ownerUrl,
    `insert into payment_webhooks (organization_id, sealed_secret, secret_hint) select organization_id, sealed_secret, ''
       from connections where provider = 'payments'`,
  )
  refreshTokens = await Promise.all(people.map(readRefreshToken))
  done = await revokeAll(world.deps, { atCrm: true })
})
afterAll(() => world.close())

async function readRefreshToken({ organizationId }: Person): Promise<string> {
  const crm = await inOrganization(world.deps.database, organizationId, (tenant) =>
    findConnection(tenant, 'crm'),
  )
  if (!crm) throw new Error('not connected')
  return openTokens(world.deps, organizationId, crm).refreshToken ?? ''
}

const count = async (from: string) =>
  (await query<{ count: number }>(world.ownerUrl, `select count(*)::int from ${from}`))[0]?.count

describe('the day on which everything is revoked', () => {
  it('says what it ended', () => {
    expect(done).toEqual({
      sessions: 2,
      invitations: 2,
      links: 4,
      runs: 2,
      paymentKeys: 2,
      crmTokens: 2,
      revokedAtCrm: 2,
      unopenedErasures: 0,
    })
  })

  it('nobody is signed in, and no link of a mail lets anyone in', async () => {
    for (const { fetch } of people) expect((await fetch('/api/auth/current-user')).status).toBe(401)
    expect(await count('session')).toBe(0)
    expect(await count('verification')).toBe(0)
    expect(await count('sign_ups')).toBe(0)
    expect(await count(`invitation where status = 'pending'`)).toBe(0)
  })

  it('nothing runs, and who takes a run up finds it ended', async () => {
    expect(await query(world.ownerUrl, 'select status, message from runs')).toEqual(
      Array(2).fill({ status: 'cancelled', message: 'Stopped: all access was revoked for safety.' }),
    )
    await world.drain()
    expect(await count('customers')).toBe(0)
  })

  it('no secret is left, and HubSpot takes none of the tokens any more', async () => {
    expect(await count(`connections where sealed_secret <> 'revoked'`)).toBe(0)
    expect(await count('payment_webhooks')).toBe(0)
    for (const token of refreshTokens)
      await expect(world.deps.crm.refreshTokens(token)).rejects.toMatchObject({ kind: 'unauthorized' })
  })

  it('each organization finds it in its activity log', async () => {
    expect(
      await query(
        world.ownerUrl,
        `select organization_id, actor_email from audit_log where action = 'access_revoked' order by 1`,
      ),
    ).toEqual(people.map(({ organizationId }) => ({ organization_id: organizationId, actor_email: null })))
  })

  it('asked for once more, it finds nothing left', async () => {
    expect(await revokeAll(world.deps, { atCrm: true })).toEqual({
      sessions: 0,
      invitations: 0,
      links: 0,
      runs: 0,
      paymentKeys: 0,
      crmTokens: 0,
      revokedAtCrm: 0,
      unopenedErasures: 0,
    })
  })

  it('people sign in again, are told to connect anew, and go on with the same accounts', async () => {
    const [person] = people
    if (!person) throw new Error('nobody')
    await person.post('/api/identity/sign-in/email', { email: person.email, password })
    const status = async () => (await person.fetch('/api/connection-status')).json()
    expect(await status()).toMatchObject({
      hubspot: { dbConnected: true, apiConnected: false, warning: 'Token needs refresh' },
      stripe: {
        dbConnected: true,
        apiConnected: false,
        warning: expect.stringContaining('enter the new one'),
      },
    })
    await person.connectStripe()
    await person.connectHubspot()
    expect(await status()).toMatchObject({
      hubspot: { apiConnected: true, warning: null, earlierPortalId: null },
      stripe: { apiConnected: true, warning: null },
    })
    await person.post('/api/import/historical')
    await world.drain()
    expect(await count(`runs where status = 'completed' and kind = 'import'`)).toBe(1)
  })
})
