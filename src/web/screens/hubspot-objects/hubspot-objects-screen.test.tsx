import { screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkHubspotObjects } from '#contract/connections.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await person.connectHubspot()
  await person.post('/api/hubspot/objects')
})
afterAll(() => world.close())

const title = (name: string) => screen.findByRole('heading', { level: 2, name })
const expectNeutral = async () => {
  await title('HubSpot objects')
  expect(screen.getByText(/^Tributary keeps its records in two custom objects of HubSpot\./)).toBeTruthy()
  expect(screen.queryByText(/Nothing has to be done|where HubSpot does not let/)).toBeNull()
}

test('while HubSpot does not answer, the head says neither that the objects exist nor that they do not', async () => {
  let isAway = true
  const answer: typeof fetch = async (input, init) =>
    isAway && new URL(String(input), 'http://localhost').pathname === checkHubspotObjects.path
      ? Response.json(
          { error: { code: 'provider_unreachable', message: 'HubSpot does not answer.' } },
          { status: 502 },
        )
      : person.fetch(input, init)
  openApp(world, { ...person, fetch: answer }, '/hubspot-objects')
  const told = await screen.findByRole('alert', { name: 'The objects could not be checked' })
  expect(told.textContent).toMatch(/checkedHubSpot does not answer\.$/)
  await expectNeutral()
  isAway = false
  await press('Check again')
  await title('Your HubSpot objects')
})

test('to a member, who cannot check the objects, the head says the same', async () => {
  await inOrganization(world.deps.database, person.organizationId, ({ sql }) =>
    sql
      .updateTable('member')
      .set({ role: 'member' })
      .where('organizationId', '=', person.organizationId)
      .execute(),
  )
  openApp(world, person, '/hubspot-objects')
  await screen.findByText('Only owners and admins can check the objects.')
  await expectNeutral()
})
