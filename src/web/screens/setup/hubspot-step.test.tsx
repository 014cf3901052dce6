// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
