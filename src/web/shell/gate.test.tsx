// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { heading, openApp } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test.each(['/', '/subscriptions', '/setup/import', '/org-selection'])(
  'a signed-out visitor of %s sees the login screen',
  async (path) => {
    openApp(world, world.stranger(), path)
    expect(await screen.findByLabelText(/^email/i)).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
  },
)

test('a signed-out visitor reaches /test-data', async () => {
  openApp(world, world.stranger(), '/test-data')
  expect(await heading(/test/i)).toBeTruthy()
  expect(document.title).toBe('Test Subscription Data · Tributary')
  expect(screen.queryByLabelText(/^email/i)).toBeNull()
})

test('who has no organization is led to choose one, and remembers where to', async () => {
  const app = openApp(world, await world.person({ organization: null }), '/events?page=2')
  expect(await heading('Welcome to Tributary')).toBeTruthy()
  expect(await screen.findByRole('textbox', { name: /organization name/i })).toBeTruthy()
  expect(app.address()).toBe('/org-selection?redirectUrl=%2Fevents%3Fpage%3D2')
})

test('an unknown address is a page of its own', async () => {
  openApp(world, world.stranger(), '/nowhere')
  expect(await heading('Page Not Found')).toBeTruthy()
})
