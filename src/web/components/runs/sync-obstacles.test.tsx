// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAboutPortal } from '#server/store/connections/crm-connection.ts'
import { saveCrmObject } from '#server/store/crm/crm-objects.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addCustomer, addMatch, addRun, addSubscription } from '#test/store/seed.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const inOwn = (person: Person, act: Parameters<typeof inOrganization>[2]) =>
  inOrganization(world.deps.database, person.organizationId, act)

/** Somebody with a customer that waits for a match, and a subscription that is not in HubSpot. */
async function connected(): Promise<Person> {
  const person = await world.person()
  await inOwn(person, async (tenant) => {
    await addConnections(tenant)
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    await addMatch(tenant, { customerId: 'cus_1', companyName: '', state: 'pending' })
    await addSubscription(tenant, { id: 'sub_1', customer_id: 'cus_1' })
    await addRun(tenant, { id: 'imported', kind: 'import', status: 'completed' })
  })
  return person
}

const button = async (name: string) => (await screen.findByRole('button', { name })) as HTMLButtonElement
const nextSync = /(?:follows?|takes them to HubSpot) with the next|The next sync takes/

describe('while another HubSpot account is not confirmed', () => {
  test('each screen that speaks of syncs says so, promises none, and stops once it is confirmed', async () => {
    const person = await connected()
    await inOwn(person, (tenant) => askAboutPortal(tenant, '7'))
    for (const path of ['/sync-health', '/match-review']) {
      openApp(world, person, path)
      const strip = within(await screen.findByRole('note', { name: 'Another HubSpot account is connected' }))
      const cure = strip.getByRole('link', { name: 'Decide on Data Sync' })
      expect(cure.getAttribute('href')).toBe('/data-sync')
      await screen.findByText('HubSpot account not confirmed')
      expect(document.body.textContent).not.toMatch(nextSync)
      expect(document.body.textContent).not.toContain('have not been synced yet')
      cleanup()
    }
    openApp(world, person, '/')
    const attention = within(await screen.findByRole('region', { name: 'Needs attention' }))
    const [first] = await attention.findAllByRole('listitem')
    expect(first?.textContent).toMatch(/^Another HubSpot account is connectedIt is 4711, and was 7\./)
    cleanup()
    const app = openApp(world, person, '/data-sync')
    await press('Use account 4711')
    await waitFor(() => expect(screen.queryByText('HubSpot account not confirmed')).toBeNull())
    await app.goTo('/sync-health')
    await screen.findByText(/^They have not been synced yet/)
    expect(screen.queryByText('Another HubSpot account is connected')).toBeNull()
  })

  test('nothing can be decided in Match Review', async () => {
    const person = await connected()
    await inOwn(person, (tenant) => askAboutPortal(tenant, '7'))
    openApp(world, person, '/match-review')
    expect((await button('Find or create a company for Birch Press')).disabled).toBe(true)
    expect((await button('Run Matching')).disabled).toBe(true)
  })
})

test('without the custom objects, Match Review says so and promises no sync before they are there', async () => {
  const person = await connected()
  const lost = { kind: 'event', objectTypeId: null, state: 'failed', reason: null, advice: null } as const
  await inOwn(person, (tenant) => saveCrmObject(tenant, '4711', lost, new Date()))
  openApp(world, person, '/match-review')
  const strip = within(await screen.findByRole('note', { name: 'The custom objects in HubSpot are missing' }))
  expect(strip.getByText(/^You can decide here, but nothing is synced/)).toBeTruthy()
  await screen.findByText(/HubSpot follows with the next sync, once the custom objects are there\.$/)
})

test('without Stripe, Match Review lets people decide, and no screen promises a sync before it is connected', async () => {
  const person = await connected()
  await inOwn(person, (tenant) =>
    tenant.sql.deleteFrom('connections').where('provider', '=', 'payments').execute(),
  )
  openApp(world, person, '/match-review')
  const strip = within(await screen.findByRole('note', { name: 'Stripe is not connected' }))
  expect(strip.getByText(/^You can decide here, but nothing is synced/)).toBeTruthy()
  expect((await button('Find or create a company for Birch Press')).disabled).toBe(false)
  await screen.findByText(/HubSpot follows with the next sync, once Stripe is connected\.$/)
  await inOwn(person, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_2', name: 'Birch Wood' })
    await addSubscription(tenant, { id: 'sub_2', customer_id: 'cus_2' })
  })
  for (const path of ['/customers/cus_2', '/subscriptions/sub_2']) {
    cleanup()
    openApp(world, person, path)
    await screen.findByText(/The next sync does it, once Stripe is connected\.$/)
  }
})
