import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
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

const organizationPath = '/api/identity/organization'
const comeBack = () => act(async () => void window.dispatchEvent(new Event('focus')))
const elsewhere = '/org-selection?redirectUrl=/events'

/** Invites a person of another domain, who is asked, and returns the invitation. */
async function invite(owner: Person, email: string): Promise<string> {
  await owner.post(`${organizationPath}/invite-member`, { email, role: 'member' })
  const { invitations } = await (await owner.fetch(`${organizationPath}/members`)).json()
  return invitations[0].id
}

test('an organization that another tab made leads on, at the return and in place of a refusal', async () => {
  for (const isSeen of [true, false]) {
    const person = await world.person({ organization: null })
    const app = openApp(world, person, elsewhere)
    const name = await screen.findByRole('textbox', { name: 'Organization name' })
    await person.post(`${organizationPath}/create`, { name: 'Made', slug: `made-${isSeen}` })
    if (isSeen) await comeBack()
    else {
      fireEvent.change(name, { target: { value: 'Made again' } })
      await press('Create organization')
    }
    await waitFor(() => expect(app.address()).toBe('/events'))
    cleanup()
  }
})

test('an invitation that another tab took leads on, and so does its link when it is opened again', async () => {
  const owner = await world.person({ organization: 'Taken' })
  const own = await world.person({ email: 'own@elsewhere.example' })
  const invitationId = await invite(owner, own.email)
  const link = `/org-selection?${new URLSearchParams({ invitationId, redirectUrl: '/events' })}`
  const first = openApp(world, own, link)
  await screen.findByRole('button', { name: 'Join' })
  await own.post(`${organizationPath}/accept-invitation`, { invitationId })
  await press('Join')
  await waitFor(() => expect(first.address()).toBe('/events'))
  cleanup()
  const { organizations } = await (await own.fetch(`${organizationPath}/list`)).json()
  const [{ id: organizationId }] = organizations
  await own.post(`${organizationPath}/set-active`, { organizationId })
  let isDown = true
  const fetch: Person['fetch'] = (input, init) =>
    isDown && String(input).endsWith('/set-active')
      ? Promise.reject(new TypeError('Failed to fetch'))
      : own.fetch(input, init)
  const second = openApp(world, { ...own, fetch }, link)
  await screen.findByText('Your organization could not be opened')
  isDown = false
  await press('Try again')
  await waitFor(() => expect(second.address()).toBe('/events'))
  const { organization } = await (await own.fetch('/api/auth/current-user')).json()
  expect(organization.name).toBe('Taken')
})

test('whoever needs an invitation is told what another look finds, and keeps the focus', async () => {
  const owner = await world.person({ email: 'first@needed.example', organization: 'Needed' })
  const colleague = await world.person({ email: 'cara@needed.example', organization: null })
  const app = openApp(world, colleague, elsewhere)
  const again = await screen.findByRole('button', { name: 'Check again' })
  act(() => again.focus())
  await press('Check again')
  await screen.findByText('Still no invitation for cara@needed.example.')
  expect(focused()).toBe(again)
  await invite(owner, colleague.email)
  await press('Check again')
  await waitFor(() => expect(app.address()).toBe('/events'))
})
