import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const forms = [
  ['/sign-up', [], 'Sign up', 'Email'],
  ['/sign-in', [], 'Sign in', 'Email'],
  ['/sign-in', ['Forgot your password?'], 'Send a reset link', 'Email'],
  ['/account-profile', ['Change email address'], 'Continue', 'New email address'],
  ['/account-profile?tab=organization', [], 'Invite', 'Email address'],
] as const

/** Opens the form, presses its button with this address, and returns its field and what stands below that. */
async function sent([path, steps, button, label]: (typeof forms)[number], email: string, password: string) {
  const person = await world.person()
  openApp(world, path.startsWith('/account') ? person : world.stranger(), path)
  for (const step of steps) await press(step)
  const field = await screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}`), { selector: 'input' })
  fireEvent.change(field, { target: { value: email } })
  for (const [name, value] of [
    ['name', 'Mara'],
    ['password', password],
  ] as const)
    for (const other of document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`))
      if (other !== field) fireEvent.change(other, { target: { value } })
  await press(button)
  return field
}

const saidAt = (field: HTMLInputElement | null) =>
  (field?.getAttribute('aria-describedby')?.split(' ') ?? []).map(
    (id) => document.getElementById(id)?.textContent,
  )

test('an address that is none is told at its field before anything is sent, in each form', async () => {
  for (const form of forms) {
    const field = await sent(form, 'mara@nope', 'a-long-enough-passphrase')
    await screen.findByText('Enter an email address, such as name@example.com.')
    expect(saidAt(field), form[2]).toContain('Enter an email address, such as name@example.com.')
    expect(document.activeElement, form[2]).toBe(field)
    expect(screen.queryByRole('alert'), form[2]).toBeNull()
    cleanup()
  }
})

test('an address that only the server can tell from a right one is told at its field too', async () => {
  for (const form of forms) {
    const field = await sent(form, 'mara@192.0.2.1', 'a-long-enough-passphrase')
    await waitFor(() => expect(saidAt(field).join(), form[2]).toMatch(/^This is not an email address\./))
    expect(field.getAttribute('aria-invalid'), form[2]).toBe('true')
    expect(screen.queryByText(/^(email|newEmail):/), form[2]).toBeNull()
    cleanup()
  }
})

test('a wrong address and a short password are told in one round', async () => {
  await sent(forms[0], 'mara@nope', 'short')
  await screen.findByText('Enter an email address, such as name@example.com.')
  await screen.findByText('Use at least 10 characters.')
})
