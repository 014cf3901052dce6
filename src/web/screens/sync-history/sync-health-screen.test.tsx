import { screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAboutPortal } from '#server/store/connections/crm-connection.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addCustomer, addEvent, addMatch, addRun, addSubscription } from '#test/store/seed.ts'
import { openApp, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
const at = new Date('2026-10-01T08:00:00Z')
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addConnections(tenant)
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    await addMatch(tenant, { customerId: 'cus_1', companyName: '', state: 'pending' })
    for (const id of ['sub_1', 'sub_2'])
      await addSubscription(tenant, { id, customer_id: 'cus_1', current_mrr_cents: 4_200 })
    for (const id of ['ev_1', 'ev_2', 'ev_3'])
      await addEvent(tenant, { id, subscription_id: 'sub_1', updated_at: at })
    const ofPortal = { organization_id: tenant.organizationId, portal_id: '4711', kind: 'subscription' }
    await tenant.sql
      .insertInto('crm_links')
      .values({ ...ofPortal, source_id: 'sub_1', state: 'failed', error: 'Invalid owner.' })
      .execute()
    await tenant.sql
      .insertInto('crm_links')
      .values({
        ...ofPortal,
        kind: 'event',
        source_id: 'ev_1',
        record_id: '1',
        state: 'confirmed',
        confirmed_at: at,
      })
      .execute()
  })
})
afterAll(() => world.close())

const section = async (name: string) => within(await screen.findByRole('region', { name }))

test('each part has its rows and leads to its list, and what is refused says why', async () => {
  openApp(world, person, '/sync-health')
  expect(await rowsOf('Failing subscriptions', (rows) => rows.length === 1)).toEqual([
    ['Birch Press', '$42.00', '-'],
  ])
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Failing',
    'Waiting',
    'In sync',
  ])
  const failing = await section('Failing')
  failing.getByText('1 subscription', { selector: 'p' })
  failing.getByText(/^HubSpot refused their records or changed them back, so it may show other figures\./)
  const reasons = within(failing.getByRole('list', { name: 'Reasons' })).getAllByRole('listitem')
  expect(reasons[0]?.textContent).toMatch(/^1 subscription: Invalid owner\.Every sync tries it again\./)
  await failing.findByRole('button', { name: 'Retry Failed Records' })
  const waiting = await section('Waiting')
  expect(waiting.getByText('1 customer, 1 subscription, 2 events')).toBeTruthy()
  const leadsTo = (name: string) => waiting.getByRole('link', { name }).getAttribute('href')
  expect(leadsTo('View All 1 Customers to match')).toBe('/match-review')
  expect(leadsTo('View All 1 Subscriptions not in HubSpot')).toBe(
    '/subscriptions?isInHubspot=false&isFailing=false&sort=currentMrr',
  )
  expect(leadsTo('View All 2 Events not in HubSpot')).toBe('/events?isInHubspot=false&isFailing=false')
  const inSync = await section('In sync')
  expect(inSync.getByText('1 event')).toBeTruthy()
  await rowsOf('Subscriptions not in HubSpot', (rows) => rows.length === 1)
  expect(await rowsOf('Customers to match', (rows) => rows.length === 1)).toEqual([
    ['Birch Press', expect.any(String), 'By domain'],
  ])
  const choose = waiting.getByRole('link', { name: 'Choose the company of Birch Press' })
  expect(choose.getAttribute('href')).toBe('/match-review?search=cus_1')
  expect(waiting.queryByText(/^Subscriptions (changed|late)/)).toBeNull()
})

test('rows of one company name their customers, except one of the same name', async () => {
  const other = await world.person()
  await inOrganization(world.deps.database, other.organizationId, async (tenant) => {
    await addConnections(tenant)
    const names: [string, string | null, string?][] = [
      ['cus_1', 'Birch Press'],
      ['cus_2', 'Ember Studio'],
      ['cus_3', null, 'books@harbor.test'],
    ]
    for (const [id, name, email] of names) {
      await addCustomer(tenant, { id, name, ...(email === undefined ? {} : { email }) })
      await addMatch(tenant, { customerId: id, companyName: 'Birch Press', state: 'linked' })
      await addSubscription(tenant, { id: `sub_${id}`, customer_id: id, current_mrr_cents: 100 })
    }
  })
  openApp(world, other, '/sync-health')
  const rows = await rowsOf('Subscriptions not in HubSpot', (found) => found.length === 3)
  expect(rows.map(([company]) => company?.replace(' (opens in a new tab)', '').trim()).sort()).toEqual([
    'Birch Press',
    'Birch Press Ember Studio',
    'Birch Press books@harbor.test',
  ])
})

test('what stops every sync comes before all that is failing: a failed sync, a refused connection', async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addRun(tenant, { id: 'run_failed', kind: 'push', status: 'failed' })
    const ended = { completed_at: new Date(), error: 'Property values were not valid' }
    await tenant.sql.updateTable('runs').set(ended).execute()
  })
  const { poll } = openApp(world, person, '/sync-health')
  // One button tries everything again.
  await screen.findByText(/^Correct what the reasons name.* Then , above, tries all of them again/)
  expect(screen.queryByRole('button', { name: 'Retry Failed Records' })).toBeNull()
  // They wait because that sync failed: nobody deleted their records.
  expect(
    screen.getAllByText(/^They have not been synced yet: the last sync failed before it wrote/),
  ).toHaveLength(2)
  const failed = await screen.findByRole('alert', { name: /^The last sync to HubSpot failed/ })
  expect(within(failed).getByText('Property values were not valid')).toBeTruthy()
  expect(within(failed).getByRole('link').getAttribute('href')).toBe('/sync-history/run_failed')
  expect(within(failed).getByRole('button', { name: 'Sync to HubSpot' })).toBeTruthy()
  const setWarning = (warning: string | null) =>
    inOrganization(world.deps.database, person.organizationId, (tenant) =>
      tenant.sql.updateTable('connections').set({ warning }).where('provider', '=', 'crm').execute(),
    )
  await setWarning('Revoked.')
  await poll()
  const notice = await screen.findByRole('alert', { name: 'HubSpot refuses the connection' })
  expect(within(notice).getByRole('link').getAttribute('href')).toBe('/data-sync')
  await setWarning(null)
})

test('an organization without data is told what each part will show', async () => {
  openApp(world, await world.person(), '/sync-health')
  const inSync = await section('In sync')
  expect(inSync.getByText('No subscription and no event is in sync. Nothing is imported yet.')).toBeTruthy()
  const waiting = await section('Waiting')
  expect(waiting.getByText(/^Nothing is imported yet\.( Import|$)/)).toBeTruthy()
  const way = waiting.getByRole('link', { name: 'Import from Stripe under Data Sync' })
  expect(way.getAttribute('href')).toBe('/data-sync')
  const failing = await section('Failing')
  expect(failing.getByText('No record was refused.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Retry Failed Records' })).toBeNull()
})

test('a reason that HubSpot gave of many records is told once, with its records behind it, page by page', async () => {
  const other = await world.person()
  await inOrganization(world.deps.database, other.organizationId, async (tenant) => {
    await addConnections(tenant)
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    for (let n = 1; n <= 12; n++) {
      const id = `sub_${n}`
      await addSubscription(tenant, { id, customer_id: 'cus_1', current_mrr_cents: n * 100 })
      const link = { portal_id: '4711', kind: 'subscription', source_id: id, state: 'failed' }
      const [error, refused_hash] = n === 12 ? ['Invalid owner.', 'x'] : ['The limit is reached.', null]
      await tenant.sql
        .insertInto('crm_links')
        .values({ ...link, organization_id: tenant.organizationId, error, refused_hash })
        .execute()
    }
    await addRun(tenant, { id: 'run_full', kind: 'push', status: 'failed' })
    const ended = {
      completed_at: new Date(),
      error: 'HubSpot refused new records: The limit is reached. Due.',
    }
    await tenant.sql.updateTable('runs').set(ended).execute()
  })
  openApp(world, other, '/sync-health')
  const failing = await section('Failing')
  const reasons = within(await failing.findByRole('list', { name: 'Reasons' })).getAllByRole('listitem')
  expect(reasons.map(({ textContent }) => textContent)).toEqual([
    '11 subscriptions: for the reason above.Every sync tries them again.Show 11 subscriptions',
    '1 subscription: Invalid owner.Automatic syncs try it again only after it has changed.Show 1 subscription',
  ])
  expect(screen.getAllByText(/The limit is reached/)).toHaveLength(1)
  expect(failing.getByRole('link', { name: 'Open in Subscriptions' }).getAttribute('href')).toBe(
    '/subscriptions?isFailing=true&sort=currentMrr',
  )
  failing.getByRole('button', { name: 'Show 11 subscriptions' }).click()
  const first = await rowsOf('Failing subscriptions', (rows) => rows.length === 10)
  expect(first[0]).toEqual(['Birch Press', '$11.00', '-'])
  failing.getByRole('button', { name: 'Page 2' }).click()
  expect(await rowsOf('Failing subscriptions', (rows) => rows.length === 1)).toEqual([
    ['Birch Press', '$1.00', '-'],
  ])
})

test('a refused record says when it was last tried', async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addRun(tenant, { id: 'run_tried', kind: 'push', status: 'completed' })
    await tenant.sql.updateTable('runs').set({ completed_at: world.now() }).execute()
    await tenant.sql.updateTable('crm_links').set({ run_id: 'run_tried' }).execute()
  })
  openApp(world, person, '/sync-health')
  const [row] = await rowsOf('Failing subscriptions', (rows) => rows.length === 1)
  expect(row?.[2]).toBe('just now')
})

test('claims nothing of records in a HubSpot that is not connected', async () => {
  const other = await world.person()
  const inOther = (act: Parameters<typeof inOrganization>[2]) =>
    inOrganization(world.deps.database, other.organizationId, act)
  await inOther(async (tenant) => {
    await addConnections(tenant)
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    for (const id of ['sub_1', 'sub_2']) {
      await addSubscription(tenant, { id, customer_id: 'cus_1', current_mrr_cents: 100, updated_at: at })
      const link = { portal_id: '4711', kind: 'subscription', source_id: id, record_id: id }
      const state = id === 'sub_1' ? { state: 'confirmed', confirmed_at: at } : { state: 'failed' }
      await tenant.sql
        .insertInto('crm_links')
        .values({ ...link, ...state, organization_id: tenant.organizationId })
        .execute()
    }
    // The portal whose records count also while it is disconnected.
    const object = { portal_id: '4711', kind: 'subscription', state: 'ready', object_type_id: '2-1' }
    await tenant.sql
      .insertInto('crm_objects')
      .values({ ...object, organization_id: tenant.organizationId })
      .execute()
    await addRun(tenant, { id: 'run_1', kind: 'push', status: 'completed', at: world.now() })
    await tenant.sql
      .updateTable('runs')
      .set({ completed_at: world.now() })
      .where('id', '=', 'run_1')
      .execute()
  })
  const app = openApp(world, other, '/sync-health')
  const note = 'Their records in HubSpot are as they are here.'
  expect((await section('In sync')).getByText(new RegExp(`^${note}`))).toBeTruthy()
  expect(screen.queryByText(/not connected/)).toBeNull()
  const object = (state: string) =>
    inOther((tenant) => tenant.sql.updateTable('crm_objects').set({ state }).execute())
  await object('failed')
  await app.poll()
  const lost = within(await screen.findByRole('note', { name: 'The custom objects in HubSpot are missing' }))
  lost.getByRole('link', { name: 'See what to do on Data Sync' })
  await object('ready')
  // The account may hold what an earlier connection wrote, but nobody has looked at it since.
  await inOther((tenant) => askAboutPortal(tenant, '7'))
  await app.poll()
  await screen.findByRole('note', { name: 'Another HubSpot account is connected' })
  expect(screen.queryByRole('note', { name: /custom objects/ })).toBeNull()
  expect(screen.queryByText(new RegExp(note))).toBeNull()
  await inOther((tenant) => tenant.sql.deleteFrom('connections').where('provider', '=', 'crm').execute())
  await app.poll()
  const notice = within(await screen.findByRole('note', { name: 'HubSpot is not connected' }))
  expect(notice.getByRole('link', { name: 'Connect HubSpot' }).getAttribute('href')).toBe('/data-sync')
  const known = await section('Last known in sync')
  expect(known.getByText('1 subscription, last sync just now')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'In sync' })).toBeNull()
  expect(screen.queryByText(new RegExp(note))).toBeNull()
  expect(screen.getByRole('button', { name: 'Retry Failed Records' })).toHaveProperty('disabled', true)
})
