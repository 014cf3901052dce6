import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { alertOwners } from './alert-owners.ts'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await person.connectStripe()
})
afterAll(() => world.close())
beforeEach(async () => {
  await sql('delete from outbox')
  await sql('delete from attempt_budgets')
  await sql('delete from runs')
  await sql('delete from alerts')
  await warn(null)
})

const sql = (text: string) => run<{ subject: string; recipient: string }>(world.ownerUrl, text)
const look = (at = world.now()) => alertOwners({ ...world.deps, now: () => at }, person.organizationId)
const subjects = async () =>
  (await sql('select subject from outbox order by id')).map(({ subject }) => subject)
const warn = (warning: string | null) =>
  run(world.ownerUrl, `update connections set warning = $1 where provider = 'payments'`, [warning])
const later = (minutes: number) => new Date(world.now().getTime() + minutes * 60_000)

async function end(
  id: string,
  status: 'failed' | 'completed' | 'cancelled',
  minutes: number,
  kind: 'import' | 'push' = 'import',
): Promise<void> {
  await run(
    world.ownerUrl,
    `insert into runs (organization_id, id, kind, status, created_at, completed_at) values ($1, $2, $3, $4, $5, $5)`,
    [person.organizationId, id, kind, status, later(minutes).toISOString()],
  )
}

it('tells of a dead connection once, and once that it works again', async () => {
  await look()
  await warn('The key was revoked.')
  for (let times = 0; times < 3; times += 1) await look()
  expect(await subjects()).toEqual(['The connection to Stripe needs attention'])
  await warn(null)
  for (let times = 0; times < 2; times += 1) await look()
  expect(await subjects()).toEqual([
    'The connection to Stripe needs attention',
    'The connection to Stripe works again',
  ])
})

it('tells of syncs that fail for an hour, not before, and not of what a dead connection causes', async () => {
  await end('a', 'completed', 0)
  await end('b', 'failed', 5)
  await look(later(64))
  expect(await subjects()).toEqual([])
  await warn('The key was revoked.')
  await look(later(66))
  expect(await subjects()).toEqual(['The connection to Stripe needs attention'])
  await warn(null)
  await look(later(70))
  // What failed before the connection worked again was part of that incident.
  await look(later(72))
  await end('c', 'failed', 75)
  await look(later(134))
  expect((await subjects()).slice(1)).toEqual(['The connection to Stripe works again'])
  await look(later(136))
  await look(later(137))
  await end('d', 'completed', 140)
  await look(later(141))
  expect((await subjects()).slice(2)).toEqual(['Syncs are failing', 'Syncs work again'])
})

it('tells nobody who turned it off, and no mailbox more than six times a day', async () => {
  const choose = (wantsAlerts: boolean) =>
    person.fetch('/api/account/alerts', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wantsAlerts }),
    })
  expect((await choose(false)).status).toBe(200)
  await warn('The key was revoked.')
  await look()
  expect(await subjects()).toEqual([])
  await choose(true)
  for (let times = 0; times < 10; times += 1) {
    await warn(null)
    await look()
    await warn('The key was revoked.')
    await look()
  }
  expect((await subjects()).length).toBe(6)
})

it('does not say that a connection works again which a person ended', async () => {
  await warn('The key was revoked.')
  await look()
  const call = await person.fetch('/api/stripe/disconnect', { method: 'POST' })
  expect(call.status).toBe(200)
  await sql('delete from outbox')
  await look()
  expect(await subjects()).toEqual([])
})

it('tells of syncs that fail although each import before them succeeds', async () => {
  await person.connectStripe()
  await person.connectHubspot()
  for (const hour of [1, 2, 3]) {
    await end(`import-${hour}`, 'completed', hour * 60)
    await end(`sync-${hour}`, 'failed', hour * 60 + 1, 'push')
    await look(later(hour * 60 + 2))
  }
  expect(await subjects()).toEqual(['Syncs are failing'])
  await end('sync-4', 'completed', 241, 'push')
  await look(later(242))
  expect((await subjects()).slice(1)).toEqual(['Syncs work again'])
})

it('tells of syncs that wait for HubSpot until the next import takes their place, hour after hour', async () => {
  await person.connectStripe()
  await person.connectHubspot()
  for (const hour of [1, 2, 3]) {
    await end(`import-${hour}`, 'completed', hour * 60)
    await end(`sync-${hour}`, 'cancelled', hour * 60 + 59, 'push')
    await look(later(hour * 60 + 60))
  }
  expect(await subjects()).toEqual([])
  await sql(`update runs set options = '{"displaced":"waiting"}' where kind = 'push'`)
  await look(later(240))
  expect(await subjects()).toEqual(['Syncs are failing'])
})

it('neither tells of syncs that fail nor that they work again once a person has ended the connection', async () => {
  const disconnect = async () =>
    expect((await person.fetch('/api/hubspot/disconnect', { method: 'POST' })).status).toBe(200)
  await person.connectStripe()
  await person.connectHubspot()
  await end('sync-1', 'failed', 1, 'push')
  await look(later(62))
  expect(await subjects()).toContain('Syncs are failing')
  await disconnect()
  await sql('delete from outbox')
  await end('import-1', 'completed', 63)
  await look(later(64))
  await sql('delete from alerts')
  await look(later(200))
  expect(await subjects()).toEqual([])
})
