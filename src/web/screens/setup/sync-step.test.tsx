import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { enterprise } from '#test/push/open-bench.ts'
import { addRun } from '#test/store/seed.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(4) })
})
afterAll(() => world.close())

async function imported(): Promise<Person> {
  const person = await world.person()
  await person.connectStripe()
  await person.connectHubspot()
  await person.post('/api/import/historical')
  await world.drain()
  return person
}

const markSynced = (person: Person) =>
  person.fetch('/api/setup/progress', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dataSynced: true }),
  })

test.each([
  [1, '1 record is not complete in HubSpot; Sync Health says why.'],
  [2, '2 records are not complete in HubSpot; Sync Health says why.'],
])('tells of %i that HubSpot refused, and leads to the reason', async (count, text) => {
  const person = await imported()
  await person.post('/api/sync/push-all')
  await world.drain()
  await inOrganization(world.deps.database, person.organizationId, async ({ sql }) => {
    const pushed = await sql
      .selectFrom('crm_links')
      .select('source_id')
      .where('kind', '=', 'subscription')
      .limit(count)
      .execute()
    const ids = pushed.map(({ source_id: id }) => id)
    const refused = { state: 'failed' as const, error: 'Invalid owner.' }
    await sql.updateTable('crm_links').set(refused).where('source_id', 'in', ids).execute()
  })
  await markSynced(person)
  openApp(world, person, '/setup/sync')
  const link = await screen.findByRole('link', { name: 'Sync Health' })
  expect(link.parentElement?.textContent).toBe(text)
  // The organization of the second case shares the portal, where they are by then.
  const created = screen.queryByText(/^This sync created .*\d+ new contacts? in HubSpot\.$/)
  expect(created !== null).toBe(count === 1)
  fireEvent.click(link)
  const failing = within(await screen.findByRole('region', { name: 'Failing' }))
  const [reason] = within(await failing.findByRole('list', { name: 'Reasons' })).getAllByRole('listitem')
  expect(reason?.textContent).toMatch(new RegExp(`^${count} subscriptions?: Invalid owner\\.`))
})

test('claims nothing of a sync that was complete once, until its counts are read', async () => {
  const person = await imported()
  await person.post('/api/sync/push-all')
  await world.drain()
  await markSynced(person)
  let isCut = true
  const cut: typeof fetch = async (input, init) => {
    if (isCut && String(input).startsWith('/api/sync/status')) throw new TypeError('cut off')
    return person.fetch(input, init)
  }
  openApp(world, { fetch: cut }, '/setup/sync')
  await screen.findByText('The state of the sync could not be read')
  for (const claim of [/are in HubSpot\.$/, 'Sync Complete', /Remaining Records/, /nothing to sync/])
    expect(screen.queryByText(claim)).toBeNull()
  expect(screen.queryByRole('region', { name: 'Subscriptions' })).toBeNull()
  isCut = false
  await press('Try again')
  await screen.findByText('All subscriptions and events are in HubSpot.')
})

test('has no dead button while it runs, and its counts follow what HubSpot has', async () => {
  const person = await imported()
  const inPlace = <T,>(work: Parameters<typeof inOrganization<T>>[2]) =>
    inOrganization(world.deps.database, person.organizationId, work)
  await inPlace(async (tenant) => {
    await addRun(tenant, { id: 'push_r', kind: 'push', status: 'in_progress', at: world.now() })
    const counts = { total_records: 10, processed_records: 3 }
    await tenant.sql.updateTable('runs').set(counts).where('id', '=', 'push_r').execute()
  })
  openApp(world, person, '/setup/sync')
  await screen.findByText(/^3 of 10 records sent\./)
  expect(screen.queryByRole('button', { name: /Remaining Records|Starting sync/ })).toBeNull()
  const card = within(screen.getByRole('region', { name: 'Subscriptions' }))
  expect(card.getByText('0')).toBeTruthy()
  await inPlace(async ({ sql, organizationId }) => {
    const { id } = await sql.selectFrom('subscriptions').select('id').executeTakeFirstOrThrow()
    await sql
      .insertInto('crm_links')
      .values({
        ...{ organization_id: organizationId, portal_id: String(enterprise), kind: 'subscription' },
        ...{ source_id: id, record_id: '1', state: 'confirmed', confirmed_at: new Date('2100-01-01') },
      })
      .execute()
  })
  await waitFor(() => expect(card.queryByText('0')).toBeNull())
})

test.each([
  ['a desk', false],
  ['a phone', true],
])('says on %s that it is complete, with a toast where that covers nothing', async (_, isPhone) => {
  const person = await imported()
  const atDesk = window.matchMedia
  if (isPhone)
    window.matchMedia = (query) => Object.assign(atDesk(query), { matches: query === '(max-width: 639px)' })
  try {
    const app = openApp(world, person, '/setup/sync')
    await press(/^Sync [1-9]\d* Remaining Records to HubSpot$/)
    await app.told('HubSpot sync started')
    await world.drain()
    await app.poll()
    await screen.findByText('All subscriptions and events are in HubSpot.')
    if (isPhone) await expect(app.told(/^Sync Complete/, 1_000)).rejects.toThrow()
    else await app.told(/^Sync Complete/)
  } finally {
    window.matchMedia = atDesk
  }
})
