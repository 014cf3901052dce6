import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getSyncState } from '#contract/sync.ts'
import { inOrganization, type Tenant } from '#server/store/postgres/database.ts'
import { type SettingsPatch, updateSettings } from '#server/store/setup/settings.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addRun, addSubscription } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
const inOwn = (act: (tenant: Tenant) => Promise<unknown>) =>
  inOrganization(world.deps.database, person.organizationId, act)
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOwn(async (tenant) => {
    await addConnections(tenant)
    await addRun(tenant, { id: 'push_1', kind: 'push', status: 'completed', at: world.now() })
    await tenant.sql.updateTable('runs').set({ completed_at: world.now() }).execute()
    await updateSettings(tenant, { setupComplete: true })
  })
})
afterAll(() => world.close())

/** Sets it, and waits for the line of the sidebar; returns where it leads. */
async function lineAfter(patch: SettingsPatch, poll: () => Promise<void>, name: string) {
  // A longer text is cut in the sidebar.
  expect(name.length).toBeLessThanOrEqual(30)
  await inOwn((tenant) => updateSettings(tenant, patch))
  await poll()
  return (await screen.findByRole('link', { name })).getAttribute('href')
}

test('says that nothing is synced by itself, and leads to what can be done', async () => {
  const { poll } = openApp(world, person, '/data-sync')
  const says = (patch: SettingsPatch, name: string) => lineAfter(patch, poll, name)
  expect(await says({}, 'Synced just now')).toBe('/sync-history')
  expect(await says({ setupComplete: false }, 'Setup not finished')).toBe('/setup')
  expect(await says({ setupComplete: true, autoSyncEnabled: false }, 'Automatic sync is off')).toBe(
    '/data-sync',
  )
  expect(await screen.findByText(/^Automatic sync is off. Records in HubSpot change only when/)).toBeTruthy()
  await inOwn(async (tenant) => {
    await addSubscription(tenant, { id: 'sub_1' })
    await addSubscription(tenant, { id: 'sub_2' })
    const link = { portal_id: '4711', kind: 'subscription', source_id: 'sub_1', record_id: '1' }
    const confirmed = { state: 'confirmed', confirmed_at: new Date('2100-01-01') }
    await tenant.sql
      .insertInto('crm_links')
      .values({ ...link, ...confirmed, organization_id: tenant.organizationId })
      .execute()
  })
  expect(await says({}, '1 record waits, sync off')).toBe('/data-sync')
  expect(await says({ autoSyncEnabled: true }, '1 record waits')).toBe('/sync-health')
})

test('the question before a disconnection says that automatic sync stops', async () => {
  openApp(world, person, '/data-sync')
  fireEvent.click(await screen.findByRole('button', { name: 'More actions for HubSpot' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Disconnect HubSpot' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect HubSpot' }))
  expect(dialog.getByText(/This will reset your setup progress\.$/)).toBeTruthy()
  expect(dialog.getByText('Automatic sync stops until you finish the setup again.')).toBeTruthy()
})

test('claims nothing while the browser is offline', async () => {
  openApp(world, person, '/data-sync')
  const known = '1 record waits'
  await screen.findByRole('link', { name: known })
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(screen.queryByRole('link', { name: known })).toBeNull()
  expect(screen.getByRole('link', { name: 'Offline, state not known' })).toBeTruthy()
  online.mockRestore()
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByRole('link', { name: known })).toBeTruthy()
})

test('says on every screen that the first import goes on, and reads the figures again when it has ended', async () => {
  const newcomer = await world.person()
  const inTheirs = (act: (tenant: Tenant) => Promise<unknown>) =>
    inOrganization(world.deps.database, newcomer.organizationId, act)
  await inTheirs((tenant) => addRun(tenant, { id: 'import_1', kind: 'import', status: 'in_progress' }))
  const { poll } = openApp(world, newcomer, '/')
  const banner = /^Your Stripe history is being imported/
  expect(await screen.findByText(banner)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Import in progress' })).toBeTruthy()
  expect(await screen.findByText('Not complete: the import goes on')).toBeTruthy()
  expect(screen.queryByText('Net New MRR')).toBeNull()

  await inTheirs(async (tenant) => {
    await addSubscription(tenant, { id: 'sub_1', current_mrr_cents: 123_456 })
    await tenant.sql.updateTable('runs').set({ status: 'completed', completed_at: world.now() }).execute()
  })
  await poll(getSyncState.path)
  expect(await screen.findAllByText('$1,234.56')).not.toEqual([])
  expect(screen.queryByText('Not complete: the import goes on')).toBeNull()
  expect(screen.queryByText(banner)).toBeNull()
})

test('figures follow a run that nobody here started, when somebody comes back to the page', async () => {
  const colleague = await world.person()
  const inTheirs = (act: (tenant: Tenant) => Promise<unknown>) =>
    inOrganization(world.deps.database, colleague.organizationId, act)
  const completed = async (id: string, mrrCents: number) =>
    inTheirs(async (tenant) => {
      await addSubscription(tenant, { id: `sub_${id}`, current_mrr_cents: mrrCents })
      await addRun(tenant, { id, kind: 'import', status: 'completed', at: world.now() })
      const completed_at = new Date(world.now().getTime() + mrrCents)
      await tenant.sql.updateTable('runs').set({ completed_at }).where('id', '=', id).execute()
    })
  await completed('first', 100_000)
  openApp(world, colleague, '/')
  expect(await screen.findAllByText('$1,000.00')).not.toEqual([])
  await completed('second', 50_000_000)
  const aged = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 120_000)
  act(() => void window.dispatchEvent(new Event('visibilitychange')))
  expect(await screen.findAllByText('$501,000.00')).not.toEqual([])
  aged.mockRestore()
})
