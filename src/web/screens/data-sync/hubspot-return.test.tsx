import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const focused = () => document.activeElement?.getAttribute('aria-label')

test('the keyboard goes on at the card of HubSpot after the way over its page', async () => {
  const person = await world.person()
  for (const outcome of ['connected', 'denied']) {
    const app = openApp(world, person, `/data-sync?hubspot=${outcome}`)
    await waitFor(() => expect(focused(), outcome).toBe('HubSpot'))
    expect(app.address()).toBe('/data-sync')
    cleanup()
  }
  openApp(world, person, '/data-sync')
  await screen.findByRole('region', { name: 'HubSpot' })
  expect(focused()).not.toBe('HubSpot')
})
