// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import { afterAll, beforeAll, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('before the first import nothing is said of an earlier one', async () => {
  const person = await world.person()
  await person.connectStripe()
  openApp(world, person, '/data-sync')
  await screen.findByText('Reads everything from Stripe. Begin with this: nothing has been imported yet.')
  await screen.findByText(/then syncs it to HubSpot\. The sync waits until HubSpot can take records\.$/)
  cleanup()
  await person.post('/api/import/historical')
  await world.drain()
  openApp(world, person, '/data-sync')
  await screen.findByText(/^Reads everything from Stripe again, as the first import did\./)
})
