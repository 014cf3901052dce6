// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { addConnections, addCustomer, addRun, addSubscription } from '#test/store/seed.ts'
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
  openApp(world, person, '/match-review')
  await screen.findByText('Customers are matched once HubSpot is connected.')
  const hint = within(screen.getByText(/^Connect it under/))
  expect(hint.getByRole('link', { name: 'Data Sync' }).getAttribute('href')).toBe('/data-sync')
  expect(screen.queryByText(/HubSpot follows/)).toBeNull()
})

test('before customers were looked for, none is said to be matched', async () => {
  const person = await newcomer()
  await inOrganization(world.deps.database, person.organizationId, addConnections)
  openApp(world, person, '/match-review')
  await screen.findByText('Customers are matched by the first sync to HubSpot.')
})
