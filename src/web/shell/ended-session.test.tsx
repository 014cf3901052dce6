import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOrganizationMembers } from '#contract/organization.ts'
import { password } from '#test/api/test-app.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { heading, type OpenApp, openApp, press } from '#test/web/open-app.tsx'
import { call } from '../client.ts'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const cover = () => screen.findByRole('dialog', { name: 'Sign in again' })

async function signInAs(email: string) {
  const form = within(await cover())
  fireEvent.change(await form.findByLabelText(/^email/i), { target: { value: email } })
  fireEvent.change(form.getByLabelText(/^password/i), { target: { value: password } })
  fireEvent.click(form.getByRole('button', { name: 'Sign in' }))
}

/** Opens Account Settings and types a name without saving it. */
async function typeName(person: Person): Promise<OpenApp> {
  const app = openApp(world, person, '/account-profile')
  fireEvent.change(await screen.findByLabelText(/^name/i), { target: { value: 'Pat Renamed' } })
  return app
}

const isLocked = () => 'sessionEnded' in document.documentElement.dataset

test('an action after the session ended is done once the same person is back, and what was typed is there', async () => {
  const person = await world.person()
  const app = openApp(world, person, '/account-profile?tab=organization')
  const field = await screen.findByLabelText(/^email address/i)
  fireEvent.change(field, { target: { value: 'new@elsewhere.example' } })
  person.cookies.clear()
  await press('Invite')
  await cover()
  expect(isLocked()).toBe(true)
  expect(await person.fetch('/api/auth/current-user').then(({ status }) => status)).toBe(401)

  await signInAs(person.email)
  await app.told('Invitation sent')
  expect(isLocked()).toBe(false)
  expect(screen.queryByRole('dialog', { name: 'Sign in again' })).toBeNull()
  expect(await screen.findByText(/new@elsewhere\.example \(member\)/)).toBeTruthy()
  expect(app.reloads()).toBe(0)
})

test('a call of the identity library waits like any other, and the button that sent it keeps the focus', async () => {
  const person = await world.person()
  const app = await typeName(person)
  person.cookies.clear()
  const save = within(screen.getByRole('region', { name: 'Profile' })).getByRole('button', { name: 'Save' })
  act(() => save.focus())
  fireEvent.click(save)
  const form = within(await cover())
  const typing = await form.findByLabelText(/^password/i)
  act(() => typing.focus())
  await signInAs(person.email)
  await app.told('Profile saved')
  expect(document.activeElement).toBe(save)
  expect(screen.getByLabelText<HTMLInputElement>(/^name/i).value).toBe('Pat Renamed')
})

test('a wrong password leaves the page hidden', async () => {
  const person = await world.person()
  await typeName(person)
  person.cookies.clear()
  fireEvent.click(
    within(screen.getByRole('region', { name: 'Profile' })).getByRole('button', { name: 'Save' }),
  )
  const form = within(await cover())
  fireEvent.change(await form.findByLabelText(/^password/i), {
    target: { value: 'not the right passphrase' },
  })
  fireEvent.click(form.getByRole('button', { name: 'Sign in' }))
  expect(await form.findByText(/invalid email or password/i)).toBeTruthy()
  expect(isLocked()).toBe(true)
})

test('for anybody else the page is loaded anew, and nothing is sent on their behalf', async () => {
  const person = await world.person()
  const other = await world.person()
  const app = await typeName(person)
  person.cookies.clear()
  fireEvent.click(
    within(screen.getByRole('region', { name: 'Profile' })).getByRole('button', { name: 'Save' }),
  )
  await signInAs(other.email)
  await waitFor(() => expect(app.reloads()).toBe(1))
  expect(isLocked()).toBe(true)
  const now = await (await other.fetch('/api/auth/current-user')).json()
  expect(now.name).toBe('Pat Yard')
})

test('a page of the second of two organizations is gone on with in that one', async () => {
  const person = await world.person({ email: 'two@gmail.com', organization: 'First of two' })
  await person.post('/api/identity/organization/create', { name: 'Second of two', slug: 'second-of-two' })
  const app = openApp(world, person, '/account-profile?tab=organization')
  expect(await heading('Leave Second of two')).toBeTruthy()
  person.cookies.clear()
  const members = call(listOrganizationMembers)
  await signInAs(person.email)
  expect((await members).members).toHaveLength(1)
  expect(app.reloads()).toBe(0)
  const now = await (await person.fetch('/api/auth/current-user')).json()
  expect(now.organization.name).toBe('Second of two')
})

test('whoever signed in again in another tab is found when the window is looked at again', async () => {
  const person = await world.person()
  openApp(world, person, '/')
  await heading('Dashboard')
  person.cookies.clear()
  const members = call(listOrganizationMembers)
  await cover()
  await person.signIn()
  fireEvent.focus(window)
  expect((await members).members).toHaveLength(1)
  await waitFor(() => expect(isLocked()).toBe(false))
})

test('the way out does not ask to sign in again', async () => {
  const person = await world.person()
  let isDown = true
  const fetch: Person['fetch'] = (input, init) =>
    isDown && String(input).endsWith('/sign-out')
      ? Promise.reject(new TypeError('Failed to fetch'))
      : person.fetch(input, init)
  const app = openApp(world, { ...person, fetch }, '/')
  await press(/^Account of/)
  await press('Logout')
  await app.told('Logout failedThe server could not be reached. Please try again.')
  isDown = false
  await press('Logout')
  await waitFor(() => expect(app.address()).toBe('/sign-in'))
  expect(await screen.findByLabelText(/^email/i)).toBeTruthy()
  expect(isLocked()).toBe(false)
})
