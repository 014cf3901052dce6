import { cleanup, screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const isOff = (name: string) => (screen.getByRole('button', { name }) as HTMLButtonElement).disabled

test('before the first import, only that can be started, and nothing is said of an earlier one', async () => {
  const person = await world.person()
  await person.connectStripe()
  await person.connectHubspot()
  openApp(world, person, '/data-sync')
  await screen.findByText(/^Reads everything from Stripe, because nothing has been imported yet, then syncs/)
  await screen.findAllByText('0 of 0')
  screen.getByText(/^For later: reads everything from Stripe again\./)
  screen.getByText('There is nothing to sync yet.')
  expect(isOff('Import from Stripe')).toBe(false)
  for (const name of ['Import All History', 'Sync to HubSpot']) expect(isOff(name)).toBe(true)
  cleanup()
  await person.post('/api/hubspot/disconnect')
  await person.post('/api/import/historical')
  await world.drain()
  openApp(world, person, '/data-sync')
  await screen.findByText(/^Reads everything from Stripe again, as the first import did\./)
  await screen.findByText(/then syncs it to HubSpot\. The sync waits until HubSpot can take records\.$/)
  expect(isOff('Import All History')).toBe(false)
  expect(screen.queryByText('There is nothing to sync yet.')).toBeNull()
})
