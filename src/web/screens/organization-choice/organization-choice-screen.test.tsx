// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

/** What Enter would press or fill in. */
const focused = () => document.activeElement

test('an invitation comes first, so that Enter founds no second organization', async () => {
  const owner = await world.person({ organization: 'Inviting' })
  const invited = await world.person({ email: 'ina@elsewhere.example', organization: null })
  await owner.post('/api/identity/organization/invite-member', { email: invited.email, role: 'member' })
  const app = openApp(world, invited, '/org-selection?redirectUrl=/events')
  await screen.findByText('You need to join or create an organization to continue')
  const join = await screen.findByRole('button', { name: 'Join' })
  expect(focused()).toBe(join)
  await screen.findByText('or create another organization')
  const create = await screen.findByRole('button', { name: 'Create organization' })
  expect(join.dataset['variant'] ?? 'filled').toBe('filled')
  expect(create.dataset['variant']).toBe('default')
  await press('Join')
  await waitFor(() => expect(app.address()).toBe('/events'))
})

test('whoever is invited by nobody can type the name of their organization at once', async () => {
  openApp(world, await world.person({ organization: null }), '/org-selection')
  const name = await screen.findByRole('textbox', { name: 'Organization name' })
  expect(focused()).toBe(name)
  expect(screen.queryByText('or create another organization')).toBeNull()
})
