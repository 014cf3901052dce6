import { fireEvent, screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addRun, addSubscription } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
let newcomer: Person
let customer: Person
beforeAll(async () => {
  world = await newWorld()
  newcomer = await world.person()
  customer = await world.person()
  await inOrganization(world.deps.database, customer.organizationId, async (tenant) => {
    await addConnections(tenant)
    await addSubscription(tenant, { id: 'sub_1', current_mrr_cents: 4_200 })
    await addRun(tenant, { id: 'imported', kind: 'import', status: 'completed' })
  })
})
afterAll(() => world.close())

const currentMrr = async () => within(await screen.findByRole('region', { name: 'Current MRR' }))

test('the current MRR is as of today, and as of the last import from when Stripe is disconnected', async () => {
  const app = openApp(world, customer, '/')
  for (const path of ['/', '/mrr-analytics']) {
    await app.goTo(path)
    await (await currentMrr()).findByText('$42.00')
    expect((await currentMrr()).getByText('As of today')).toBeTruthy()
  }
  await app.goTo('/data-sync')
  fireEvent.click(await screen.findByRole('button', { name: 'More actions for Stripe' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Disconnect Stripe' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect Stripe' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Disconnect' }))
  await screen.findByText('Stripe not connected')
  for (const path of ['/', '/mrr-analytics']) {
    await app.goTo(path)
    const link = await (await currentMrr()).findByRole('link', { name: /as of the last import$/ })
    expect(link.getAttribute('href')).toBe('/data-sync')
    expect(screen.queryByText('As of today')).toBeNull()
  }
})

test('before the first import, it is as of today', async () => {
  openApp(world, newcomer, '/')
  await (await currentMrr()).findByText('As of today')
})
