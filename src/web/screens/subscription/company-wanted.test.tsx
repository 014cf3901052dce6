import { screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addCustomer, addMatch, addSubscription } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

const states = { cus_pending: 'pending', cus_ignored: 'ignored', cus_linked: 'linked' } as const

let world: TestWorld
let person: Person
let unconnected: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  unconnected = await world.person()
  for (const { organizationId } of [person, unconnected])
    await inOrganization(world.deps.database, organizationId, async (tenant) => {
      if (organizationId === person.organizationId) await addConnections(tenant)
      for (const id of [...Object.keys(states), 'cus_new']) {
        await addCustomer(tenant, { id, name: `Person ${id}` })
        await addSubscription(tenant, { id: `sub_${id}`, customer_id: id })
      }
      for (const [customerId, state] of Object.entries(states))
        await addMatch(tenant, { customerId, companyName: 'Birch Press', state })
    })
})
afterAll(() => world.close())

const fact = async (name: string) =>
  (await screen.findByRole('row', { name: new RegExp(`^${name}`) })) as HTMLElement

test.each([
  ['cus_pending', 'Waits for review', '/match-review?search=cus_pending'],
  ['cus_ignored', 'Ignored', '/match-review?search=cus_ignored&state=ignored'],
])(
  'the page of a subscription says that the customer has no company (%s), as that of the customer does',
  async (id, text, to) => {
    const app = openApp(world, person, `/subscriptions/sub_${id}`)
    const choose = await screen.findByRole('link', { name: 'Choose the company' })
    expect(choose.getAttribute('href')).toBe(to)
    expect(within(await fact('In HubSpot')).getByText(text)).toBeTruthy()
    await app.goTo(`/customers/${id}`)
    expect((await screen.findByRole('link', { name: 'Choose the company' })).getAttribute('href')).toBe(to)
    expect(within(await fact('Company')).getByText(text)).toBeTruthy()
  },
)

test('one that nobody has looked up waits for the next sync', async () => {
  openApp(world, person, '/subscriptions/sub_cus_new')
  expect(await screen.findByText('Not looked up yet. The next sync does it.')).toBeTruthy()
})

test.each([
  ['with a company', () => person, 'cus_linked'],
  ['without HubSpot', () => unconnected, 'cus_pending'],
])('one %s asks for nothing', async (_, who, id) => {
  openApp(world, who(), `/subscriptions/sub_${id}`)
  await fact('Customer')
  expect(screen.queryByRole('row', { name: /^In HubSpot/ })).toBeNull()
})
