import { act, screen } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { heading, openApp, press } from '#test/web/open-app.tsx'

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

describe('an error in the address', () => {
  test.each(['/org-selection', '/sign-up'])('is an invitation that is not open, told at %s', async (path) => {
    openApp(world, world.stranger(), `${path}?invitationId=nope`)
    expect(await screen.findByText(/^This invitation is no longer open\./)).toBeTruthy()
  })

  test.each(['/login', '/sign-in', '/sign-up', '/setup', '/anything'])(
    'is told to the signed out at %s',
    async (path) => {
      openApp(world, world.stranger(), `${path}?error=invalid_token`)
      expect(await screen.findByText(/^This link is no longer valid\./)).toBeTruthy()
    },
  )

  test('is told to the signed in wherever it leads, and can be dismissed', async () => {
    const app = openApp(world, await world.person(), '/setup?error=TOKEN_EXPIRED')
    expect(await screen.findByText(/^This link has expired\./)).toBeTruthy()
    await heading('Connect HubSpot')
    expect(screen.getByText(/^This link has expired\./)).toBeTruthy()
    await press('Dismiss')
    expect(app.address()).toBe('/setup/hubspot')
  })

  test('that is not known is told, too, and never repeated', async () => {
    openApp(world, world.stranger(), '/sign-in?error=%3Cb%3Ehello')
    expect(await screen.findByText('The sign-in did not succeed. Please sign in again.')).toBeTruthy()
    expect(document.body.textContent).not.toContain('hello')
  })
})

test('offline is said while it lasts', async () => {
  openApp(world, await world.person(), '/')
  await heading('Dashboard')
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(screen.getByText(/^You are offline/)).toBeTruthy()
  online.mockRestore()
  act(() => void window.dispatchEvent(new Event('online')))
  expect(screen.queryByText(/^You are offline/)).toBeNull()
})
