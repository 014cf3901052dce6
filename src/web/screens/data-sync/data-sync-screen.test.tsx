import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAboutPortal } from '#server/store/connections/crm-connection.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { startImport } from '#server/work/import/start-import.ts'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { enterprise } from '#test/push/open-bench.ts'
import { makeKeyIn } from '#test/push/service-keys.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(4) })
  person = await world.person()
  await person.connectHubspot()
  await person.connectStripe()
})
afterAll(() => world.close())

const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })

async function disconnectItem(name: string): Promise<HTMLButtonElement> {
  await press(`More actions for ${name}`)
  return screen.findByRole<HTMLButtonElement>('menuitem', { name: `Disconnect ${name}` })
}

const countPushes = async () => {
  const query = "select id from runs where organization_id = $1 and kind = 'push'"
  return (await run(world.ownerUrl, query, [person.organizationId])).length
}

test('without connections it says what is missing and starts nothing', async () => {
  openApp(world, await world.person(), '/data-sync')
  expect(
    await screen.findByText('You need to connect both HubSpot and Stripe before you can sync data.'),
  ).toBeTruthy()
  for (const name of ['HubSpot', 'Stripe'])
    expect(within(screen.getByRole('region', { name })).getByText('Not connected')).toBeTruthy()
  expect((await button('Import from Stripe')).disabled).toBe(true)
  expect((await button('Sync to HubSpot')).disabled).toBe(true)
  expect(screen.queryByRole('region', { name: 'Sync Settings' })).toBeNull()
})

test.each(['/data-sync', '/setup/hubspot'])('%s names the portal by its number and domain', async (path) => {
  openApp(world, person, path)
  expect(await screen.findByText(/^Portal \d+$/)).toBeTruthy()
  expect(screen.getByText('harbour-demo.example')).toBeTruthy()
})

test('a running import holds up every other action, and can be cancelled', async () => {
  openApp(world, person, '/data-sync')
  await waitFor(async () => expect((await button('Import from Stripe')).disabled).toBe(false))
  await press('Import from Stripe')
  await button('Cancel')
  for (const name of ['Import from Stripe', 'Sync to HubSpot', 'Change API Key'])
    expect((await button(name)).disabled).toBe(true)
  for (const name of ['Stripe', 'HubSpot']) expect((await disconnectItem(name)).disabled).toBe(true)
  await press('Cancel')
  expect(await screen.findByText('Import Canceled')).toBeTruthy()
  await waitFor(async () => expect((await button('Import from Stripe')).disabled).toBe(false))
  await world.drain()
})

test('an import is followed by a push, and that by the matching', async () => {
  const app = openApp(world, person, '/data-sync')
  await waitFor(async () => expect((await button('Import from Stripe')).disabled).toBe(false))
  await press('Import from Stripe')
  await button('Cancel')
  await world.drain()
  await app.poll()
  await app.told('HubSpot sync started')
  await world.drain()
  await app.poll()
  await app.told(/(still needs? review|waits for a company)\.$/)
  const card = within(screen.getByRole('region', { name: 'Manual Data Sync' }))
  await waitFor(() => expect(card.getAllByText(/^([1-9][\d,]*) of \1$/)).toHaveLength(2))
  expect(card.getByText(/^Last sync /)).toBeTruthy()
  const result = card.getByRole('link', { name: /^\d+ subscriptions?, \d+ events?, \d+ links?\b/ })
  const [sync] = await run(
    world.ownerUrl,
    "select id from runs where organization_id = $1 and kind = 'push' order by created_at desc limit 1",
    [person.organizationId],
  )
  expect(result.getAttribute('href')).toBe(`/sync-history/${sync?.['id']}`)
})

test('what waits for a sync is said in the sidebar and beside the counts, and leads to its list', async () => {
  await inOrganization(world.deps.database, person.organizationId, ({ sql }) => {
    const links = sql.updateTable('crm_links').set({ confirmed_at: new Date(0) })
    const first = sql.selectFrom('subscriptions').select(({ fn }) => fn.min('id').as('id'))
    return links.where('source_id', '=', first).execute()
  })
  openApp(world, person, '/data-sync')
  for (const name of ['1 record waits, paused', /^\d+ of \d+: the others are in Sync Health$/])
    expect((await screen.findByRole('link', { name })).getAttribute('href')).toMatch(/^.(sync-health|setup)$/)
  await person.post('/api/sync/push-all')
  await world.drain()
})

test('a running import estimates once, and what it read of each kind is folded', async () => {
  const other = await world.person()
  await other.connectStripe()
  await other.post('/api/import/historical')
  await inOrganization(world.deps.database, other.organizationId, async ({ sql, organizationId }) => {
    const { id } = await sql.selectFrom('runs').select('id').executeTakeFirstOrThrow()
    const message = 'Prices active 30 of about 60. Less than a minute left to read.'
    await sql.updateTable('runs').set({ phase: 'importing', message }).where('id', '=', id).execute()
    const read = { created_from: 0, created_until: 1_000, cursor_at: 500, done_count: 30 }
    await sql
      .insertInto('import_windows')
      .values({ organization_id: organizationId, run_id: id, id: 'one', kind: 'prices_active', ...read })
      .execute()
  })
  openApp(world, other, '/data-sync')
  const card = within(await screen.findByRole('region', { name: 'Manual Data Sync' }))
  expect(await card.findByText(/^30 of about 60 records\. /)).toBeTruthy()
  expect(card.getByText('Importing from Stripe')).toBeTruthy()
  expect(card.queryByText(/left to read/)).toBeNull()
  ;(await card.findByRole('button', { name: 'Show what was read' })).click()
  expect(await card.findByText('Active prices: 30 of about 60')).toBeTruthy()
  await world.drain()
})

test('a running sync says what its bar counts, and what the figures below it count', async () => {
  openApp(world, person, '/data-sync')
  await waitFor(async () => expect((await button('Sync to HubSpot')).disabled).toBe(false))
  await press('Sync to HubSpot')
  const card = within(await screen.findByRole('region', { name: 'Manual Data Sync' }))
  expect(await card.findByText(/^0 records sent\. /)).toBeTruthy()
  expect(card.getByText(/^What is in HubSpot is counted a little later, without/)).toBeTruthy()
  await press('Cancel')
  await waitFor(async () => expect((await button('Sync to HubSpot')).disabled).toBe(false))
  await world.drain()
})

test('the sidebar says that nothing runs any more once a toast says that the sync has ended', async () => {
  const slow: typeof fetch = async (input, init) => {
    if (String(input).startsWith('/api/sync/state')) await new Promise((resolve) => setTimeout(resolve, 700))
    return person.fetch(input, init)
  }
  const app = openApp(world, { ...person, fetch: slow }, '/data-sync')
  await waitFor(async () => expect((await button('Sync to HubSpot')).disabled).toBe(false))
  await press('Sync to HubSpot')
  await screen.findByText('Sync in progress')
  await world.drain()
  await app.told('Sync Complete')
  expect(screen.queryByText('Sync in progress')).toBeNull()
  await app.told(/(still needs? review|waits for a company)\.$/)
})

test('an import that was started elsewhere is shown, and followed by no push', async () => {
  const before = await countPushes()
  await person.post('/api/import/historical')
  const app = openApp(world, person, '/data-sync')
  await button('Cancel')
  await world.drain()
  await app.poll()
  await waitFor(async () => expect((await button('Import from Stripe')).disabled).toBe(false))
  expect(await countPushes()).toBe(before)
})

test('a look at what changed that nobody asked for holds up nothing', async () => {
  const [from, until] = [new Date(world.now().getTime() - 60_000), world.now()]
  const origin = { isScheduled: true, isHint: true }
  await startImport(world.deps, person.organizationId, { mode: 'window', from, until }, origin)
  openApp(world, person, '/data-sync')
  await waitFor(async () => expect((await button('Import from Stripe')).disabled).toBe(false))
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  await world.drain()
})

test('an import that was started here is followed by a push also where the screen was left meanwhile', async () => {
  const before = await countPushes()
  openApp(world, person, '/data-sync')
  await waitFor(async () => expect((await button('Import from Stripe')).disabled).toBe(false))
  await press('Import from Stripe')
  await button('Cancel')
  cleanup()
  const app = openApp(world, person, '/data-sync')
  await button('Cancel')
  await world.drain()
  await app.poll()
  await app.told('HubSpot sync started')
  await world.drain()
  expect(await countPushes()).toBe(before + 1)
})

test('a run is found again by someone who left before the status could name it', async () => {
  let isHeld = false
  const holding: typeof fetch = (input, init) => {
    if (!isHeld || !String(input).startsWith('/api/sync/status')) return person.fetch(input, init)
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')))
    })
  }
  const app = openApp(world, { ...person, fetch: holding }, '/data-sync')
  await waitFor(async () => expect((await button('Import from Stripe')).disabled).toBe(false))
  isHeld = true
  await press('Import from Stripe')
  await button('Cancel')
  await app.goTo('/sync-history')
  await screen.findByRole('table', { name: 'Sync History' })
  isHeld = false
  await app.goTo('/data-sync')
  await press('Cancel')
  await world.drain()
})

test('disconnecting asks first', async () => {
  openApp(world, person, '/data-sync')
  fireEvent.click(await disconnectItem('Stripe'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect Stripe' }))
  expect(
    dialog.getByText(
      'Are you sure you want to disconnect from Stripe? This will reset your Stripe integration.',
    ),
  ).toBeTruthy()
  dialog.getByRole('button', { name: 'Cancel' }).click()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement).toBe(await button('More actions for Stripe'))
})

test('another account than before is asked about, and used when a person says so', async () => {
  await inOrganization(world.deps.database, person.organizationId, (tenant) => askAboutPortal(tenant, '7'))
  openApp(world, person, '/data-sync')
  const question = within(await screen.findByRole('alert'))
  expect(question.getByText('Another HubSpot account than before')).toBeTruthy()
  question.getByRole('button', { name: 'Use account 24180001' }).click()
  await waitFor(() => expect(screen.queryByText('Another HubSpot account than before')).toBeNull())
})

const hubspot = () => within(screen.getByRole('region', { name: 'HubSpot' }))
const changeOf = (of: Person, change: string) => run(world.ownerUrl, change, [of.organizationId])

test('says that automatic sync is paused until the setup is finished, with the way there', async () => {
  const app = openApp(world, person, '/data-sync')
  expect(await screen.findByText(/^Automatic sync is paused because the setup is not finished/)).toBeTruthy()
  fireEvent.click(screen.getByRole('link', { name: 'Finish the setup' }))
  await waitFor(() => expect(app.address()).toMatch(/^\/setup\//))
})

test('a service key that HubSpot refuses asks for a new one at once', async () => {
  const owner = await world.person()
  await owner.post('/api/hubspot/connect', { serviceKey: await makeKeyIn(world.hubspot, enterprise) })
  await changeOf(owner, "update connections set warning = 'The key was deleted.' where organization_id = $1")
  openApp(world, owner, '/data-sync')
  expect(await screen.findByLabelText('New HubSpot service key')).toBeTruthy()
  expect(hubspot().getByText('Refused')).toBeTruthy()
  await press('Cancel')
  expect(await button('Change Key')).toBeTruthy()
})

test('a refused consent shows after the failed run, and is renewed without resetting the setup', async () => {
  const owner = await world.person()
  await owner.connectStripe()
  await owner.connectHubspot()
  await owner.post('/api/import/historical')
  await world.drain()
  const finished = `insert into organization_settings (organization_id, setup_complete) values ($1, true)
    on conflict (organization_id) do update set setup_complete = true`
  await changeOf(owner, finished)
  const asked: string[] = []
  const noting: typeof fetch = (input, init) => {
    asked.push(String(input))
    return owner.fetch(input, init)
  }
  const app = openApp(world, { fetch: noting }, '/data-sync')
  const soon = 'Looks for changes in Stripe every 5 min, and syncs them to HubSpot at once'
  expect((await screen.findByText(/Next automatic run, also without/)).textContent).toContain(soon)
  const body = JSON.stringify({ hubId: enterprise })
  const revoked = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  await world.hubspot.fetch(new Request('http://hubspot.example/_control/revoke-app', revoked))
  await press('Sync to HubSpot')
  await button('Cancel')
  await world.drain()
  await app.told(/no longer accepts this connection/)
  expect(await hubspot().findByText('Refused')).toBeTruthy()
  expect(hubspot().queryByText('Connected')).toBeNull()
  expect(await screen.findByText('Automatic sync waits for a new connection.')).toBeTruthy()
  expect(screen.queryByText(/Next automatic run/)).toBeNull()
  fireEvent.click(await button('Reconnect HubSpot'))
  await waitFor(() => expect(asked).toContain('/api/hubspot/auth-url?returnTo=data-sync'))

  await app.goTo('/data-sync?hubspot=denied')
  expect(await hubspot().findByText('HubSpot was not connected. Please try again.')).toBeTruthy()
  await owner.connectHubspot()
  await app.goTo('/data-sync?hubspot=connected')
  await app.told('Connected to HubSpot')
  expect(await hubspot().findByText('Connected')).toBeTruthy()
  expect(screen.queryByText('Token needs refresh')).toBeNull()
  expect(hubspot().queryByText(/was not connected/)).toBeNull()
  expect(await screen.findByText(/Next automatic run/)).toBeTruthy()
  expect(screen.queryByText(/^Automatic sync is paused/)).toBeNull()
  const me = await (await owner.fetch('/api/auth/current-user')).json()
  expect(me).toMatchObject({ setupComplete: true, setupProgress: { dataImported: true } })
})
