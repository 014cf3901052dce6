import { fireEvent, screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { updateSettings } from '#server/store/setup/settings.ts'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { addConnections, addCustomer, addMatch, addRun, addSubscription } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

async function newcomer() {
  const person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    await addSubscription(tenant, { id: 'sub_1', customer_id: 'cus_1' })
    await addRun(tenant, { id: 'imported', kind: 'import', status: 'completed' })
  })
  return person
}

test('before HubSpot is connected, nothing is said to be matched, nor that HubSpot follows', async () => {
  const person = await newcomer()
  // As after a disconnection, which leaves what was imported.
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    updateSettings(tenant, { dataImported: false }),
  )
  const app = openApp(world, person, '/match-review')
  await screen.findByText('Customers are matched once HubSpot is connected.')
  const hint = within(screen.getByText(/^Connect it under/))
  expect(hint.getByRole('link', { name: 'Data Sync' }).getAttribute('href')).toBe('/data-sync')
  expect(screen.queryByText(/HubSpot follows/)).toBeNull()
  await app.goTo('/sync-health')
  await screen.findByText('Customers are matched once HubSpot is connected under Data Sync.')
})

test('before customers were looked for, none is said to be matched', async () => {
  const person = await newcomer()
  await inOrganization(world.deps.database, person.organizationId, addConnections)
  openApp(world, person, '/match-review')
  await screen.findByText('Customers are matched by the first sync to HubSpot.')
})

test('while HubSpot is not connected, a strip leads to its connection, and nothing can be decided', async () => {
  const person = await newcomer()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addMatch(tenant, { customerId: 'cus_1', companyName: '', state: 'pending' })
    const object = { portal_id: '4711', kind: 'subscription', state: 'ready', object_type_id: '2-1' }
    await tenant.sql
      .insertInto('crm_objects')
      .values({ ...object, organization_id: tenant.organizationId })
      .execute()
  })
  openApp(world, person, '/match-review')
  const find = await screen.findByRole('button', { name: 'Find or create a company for Birch Press' })
  const strip = within(screen.getByRole('note', { name: 'HubSpot is not connected' }))
  expect(strip.getByRole('link', { name: 'Connect HubSpot' }).getAttribute('href')).toBe('/data-sync')
  expect(find).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: 'Run Matching' })).toHaveProperty('disabled', true)
  // By the key and in the dialog as well.
  const row = screen.getByRole('button', { name: 'Birch Press' })
  row.focus()
  fireEvent.keyDown(row, { key: 'i' })
  fireEvent.click(row)
  const dialog = within(await screen.findByRole('dialog', { name: 'Review Match' }))
  expect(dialog.getByRole('button', { name: 'Ignore Customer' })).toHaveProperty('disabled', true)
  expect(dialog.getByRole('button', { name: 'Create in HubSpot' })).toHaveProperty('disabled', true)
  expect(screen.queryByText(/^Not saved/)).toBeNull()
})
