import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password } from '#test/api/test-app.ts'
import { run as query } from '#test/database.ts'
import { dumpOf } from '#test/dump.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'

let world: TestWorld
let owner: Person
let neighbour: Person
beforeAll(async () => {
  world = await newWorld()
  owner = await world.person({ email: 'olive@orchard.example', organization: 'Orchard' })
  neighbour = await world.person({ email: 'nina@nursery.example', organization: 'Nursery' })
  for (const person of [owner, neighbour]) {
    await person.connectStripe()
    await person.connectHubspot()
    await person.post('/api/import/historical')
    await world.drain()
  }
})
afterAll(() => world.close())

async function join(email: string, role: 'admin' | 'member'): Promise<Person> {
  await owner.post('/api/identity/organization/invite-member', { email, role })
  const person = await world.person({ email, organization: null })
  const { invitations } = await (
    await person.fetch('/api/identity/organization/list-user-invitations')
  ).json()
  await person.post('/api/identity/organization/accept-invitation', { invitationId: invitations[0].id })
  return person
}

function ask(person: Person, path: string, body: object): Promise<Response> {
  return person.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

const deleteOrganization = (person: Person, body: object) =>
  ask(person, '/api/identity/organization/delete', { name: 'Orchard', password, ...body })
const deleteAccount = (person: Person, body: object = {}) =>
  ask(person, '/api/identity/account/delete', { email: person.email, password, ...body })

const revocations = () => world.hubspot.requests.list('/oauth/2026-09/token/revoke').length

/** The organization's rows, counted by table. */
async function countRows(organizationId: number): Promise<Record<string, number>> {
  const tables = await query<{ name: string; column: string }>(
    world.ownerUrl,
    `select table_name as name, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name in ('organization_id', 'organizationId')`,
  )
  const counts: Record<string, number> = {}
  for (const { name, column } of tables) {
    const [row] = await query<{ count: number }>(
      world.ownerUrl,
      `select count(*)::int as count from "${name}" where "${column}" = ${organizationId}`,
    )
    if (row && row.count > 0) counts[name] = row.count
  }
  return counts
}

describe('an account', () => {
  it('stays where its last owner would leave an organization alone', async () => {
    const answer = await deleteAccount(owner)
    expect([answer.status, (await answer.json()).error.message]).toEqual([
      409,
      'You are the only owner of Orchard. Transfer the ownership or delete the organization first.',
    ])
    expect((await owner.fetch('/api/auth/current-user')).status).toBe(200)
  })

  it('stays without its address typed, or without the password', async () => {
    const leaver = await join('stays@leaver.example', 'member')
    expect((await deleteAccount(leaver, { email: 'other@leaver.example' })).status).toBe(400)
    expect((await deleteAccount(leaver, { password: 'a passphrase of nobody' })).status).toBe(403)
    expect((await leaver.fetch('/api/auth/current-user')).status).toBe(200)
  })

  it('goes with its sessions, and its address with it from everywhere', async () => {
    const leaver = await join('lena@leaver.example', 'admin')
    await leaver.post('/api/import/historical')
    const [run] = await query<{ id: string }>(
      world.ownerUrl,
      `select id from runs where status = 'in_progress'`,
    )
    await leaver.post(`/api/sync/cancel/${run?.id}`)
    await world.drain()
    // A person started to sign up with an address that is already taken.
    await query(
      world.ownerUrl,
      `insert into sign_ups (email, name, password_hash, link_hash, browser_hash, expires_at)
       values ('lena@leaver.example', 'Lena', 'x', 'x', 'x', now() + interval '1 hour')`,
    )
    expect(await dumpOf(world.ownerUrl)).toContain('lena@leaver.example')
    expect((await deleteAccount(leaver)).status).toBe(200)
    expect((await leaver.fetch('/api/auth/current-user')).status).toBe(401)
    expect(await dumpOf(world.ownerUrl)).not.toContain('lena@leaver.example')
    const lines = await query(
      world.ownerUrl,
      `select distinct actor_user_id, address from audit_log where actor_email = 'a deleted account'`,
    )
    expect(lines).toEqual([{ actor_user_id: null, address: null }])
    const [line] = await query(world.ownerUrl, `select kind, subject_id from deletions`)
    expect(line).toEqual({ kind: 'account', subject_id: leaver.userId })
  })

  it('takes no longer address with it that has its own in it', async () => {
    const longer = ['amia@short.example', 'mia@short.example.org']
    for (const email of longer) await join(email, 'admin')
    const leaver = await join('mia@short.example', 'admin')
    await query(
      world.ownerUrl,
      `insert into verification (identifier, value, "expiresAt")
       values ('a', '{"to":"amia@short.example"}', now() + interval '1 hour'),
              ('b', '{"to":"Mia@short.example"}', now() + interval '1 hour')`,
    )
    await query(
      world.ownerUrl,
      `insert into outbox (recipient, subject, body) values ('olive@orchard.example', 'S', 'amia@short.example, mia@short.example.')`,
    )
    const subjects = () =>
      query<{ subject: string }>(
        world.ownerUrl,
        `select subject from audit_log where action = 'member_invited' order by id desc limit 3`,
      )
    const before = await subjects()
    expect((await deleteAccount(leaver)).status).toBe(200)
    expect(await subjects()).toEqual([{ subject: 'a deleted account (admin)' }, ...before.slice(1)])
    expect(await query(world.ownerUrl, `select identifier from verification`)).toEqual([{ identifier: 'a' }])
    expect(await query(world.ownerUrl, `select body from outbox where subject = 'S'`)).toEqual([
      { body: 'amia@short.example, Somebody whose account is deleted.' },
    ])
  })
})

describe('an organization', () => {
  it('stays for whoever is no owner, and without its name or the password', async () => {
    const before = await countRows(owner.organizationId)
    const admin = await join('ada@orchard-staff.example', 'admin')
    expect((await deleteOrganization(admin, {})).status).toBe(403)
    expect((await deleteOrganization(owner, { name: 'Orchards' })).status).toBe(400)
    expect((await deleteOrganization(owner, { password: 'a passphrase of nobody' })).status).toBe(403)
    const after = await countRows(owner.organizationId)
    expect(after['subscriptions']).toBe(before['subscriptions'])
    expect((await owner.fetch('/api/dashboard/stats')).status).toBe(200)
  })

  it('goes whole, with what runs, its tokens at HubSpot and its claim, and nobody else with it', async () => {
    await owner.post('/api/sync/push-all')
    const untouched = await countRows(neighbour.organizationId)
    expect(revocations()).toBe(0)
    expect((await deleteOrganization(owner, {})).status).toBe(200)
    expect(await countRows(owner.organizationId)).toEqual({})
    await world.drain()
    expect(await countRows(owner.organizationId)).toEqual({})
    expect(await countRows(neighbour.organizationId)).toEqual(untouched)
    expect(revocations()).toBe(1)
    const [line] = await query(
      world.ownerUrl,
      `select subject_id, crm_revoked from deletions where kind = 'organization'`,
    )
    expect(line).toEqual({ subject_id: owner.organizationId, crm_revoked: true })
    expect(await dumpOf(world.ownerUrl)).not.toContain('Orchard')
    expect((await (await owner.fetch('/api/auth/current-user')).json()).needsOrganization).toBe(true)
    expect((await (await neighbour.fetch('/api/dashboard/stats')).json()).currentMrr).toBeGreaterThan(0)
  })

  it('leaves its last owner free to go', async () => {
    expect((await deleteAccount(owner)).status).toBe(200)
    expect(await dumpOf(world.ownerUrl)).not.toContain('olive@orchard.example')
  })
})
