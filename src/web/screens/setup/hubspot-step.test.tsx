import { cleanup, screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveCrmObject } from '#server/store/crm/crm-objects.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { addConnections } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('a connection that HubSpot refuses is not called connected, and can be connected again', async () => {
  const person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addConnections(tenant)
    const warning = 'Token needs refresh'
    await tenant.sql.updateTable('connections').set({ warning }).where('provider', '=', 'crm').execute()
  })
  openApp(world, person, '/setup/hubspot')
  expect(await screen.findByRole('note', { name: 'HubSpot refuses the connection' })).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Connect HubSpot' })).toBeTruthy()
  expect(screen.queryByText('HubSpot is connected')).toBeNull()
})

test('what stands on a step from the beginning interrupts no screen reader', async () => {
  const person = await world.person()
  openApp(world, person, '/setup/hubspot')
  expect(await screen.findByRole('note', { name: 'An Enterprise hub is needed' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  cleanup()
  openApp(world, person, '/data-sync')
  expect(await screen.findByRole('note', { name: 'Setup Required' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('offers a key or an admin for the custom objects only where that helps, and else to connect again', async () => {
  const person = await world.person()
  const failed = { kind: 'event', objectTypeId: null, state: 'failed', reason: null, advice: null } as const
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addConnections(tenant)
    await saveCrmObject(tenant, '4711', failed, new Date())
  })
  const opened = async (path: string) => {
    cleanup()
    openApp(world, person, path)
    await screen.findByText(/custom objects could not be created/)
    return screen.queryByRole('region', { name: 'Ways to the custom objects' }) !== null
  }
  const places: [string, { name: string; role: string }][] = [
    ['/setup/hubspot', { role: 'button', name: 'Connect HubSpot' }],
    ['/setup/objects', { role: 'link', name: 'Reconnect HubSpot' }],
    ['/setup/sync', { role: 'link', name: 'Connect HubSpot' }],
    ['/data-sync', { role: 'button', name: 'Reconnect HubSpot' }],
  ]
  for (const [place, again] of places) {
    expect([place, await opened(place)]).toEqual([place, false])
    // The steps above have such a link, too.
    const where = within(screen.getByRole(place === '/setup/sync' ? 'alert' : 'main'))
    expect(where.getByRole(again.role, { name: again.name })).toBeTruthy()
  }
  const scopes = ['crm.objects.custom.read', 'crm.objects.custom.write']
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    tenant.sql.updateTable('connections').set({ scopes }).where('provider', '=', 'crm').execute(),
  )
  for (const [place] of places) expect([place, await opened(place)]).toEqual([place, true])
})
