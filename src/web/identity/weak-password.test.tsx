import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld, type Visitor } from '#test/harness.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const weakness = 'Choose a password with more different characters.'

/** A visitor whose password the server refuses. */
const refused = (visitor: Visitor): Visitor => ({
  ...visitor,
  fetch: async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost')
    return /\/api\/identity\/(sign-up|reset-password|change-password)/.test(pathname)
      ? Response.json({ code: 'WEAK_PASSWORD', message: weakness }, { status: 400 })
      : visitor.fetch(input, init)
  },
})

test('what is wrong with a chosen password stands at its field, in each form', async () => {
  const person = await world.person()
  for (const [visitor, address, button, label] of [
    [world.stranger(), '/sign-up', 'Sign up', 'Password'],
    [world.stranger(), '/sign-in?token=t', 'Save the new password', 'New password'],
    [world.stranger(), '/sign-in?token=t&signUp=1', 'Save the new password', 'New password'],
    [person, '/account-profile', 'Change password', 'New password'],
  ] as const) {
    openApp(world, refused(visitor), address)
    await screen.findByRole('button', { name: button })
    const type = (name: string, value: string) => {
      for (const field of document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`))
        fireEvent.change(field, { target: { value } })
    }
    if (address === '/sign-up') type('name', 'Ana')
    type('email', 'ana@weak.example')
    type('current', 'a-long-enough-passphrase')
    for (const name of ['password', 'wanted']) type(name, 'aaaaaaaaaaab')
    await press(button)
    const field = await screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}`), {
      selector: 'input',
    })
    await screen.findAllByText(weakness)
    expect(field.getAttribute('aria-invalid'), address).toBe('true')
    const below = field.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(below.map((id) => document.getElementById(id)?.textContent)).toContain(weakness)
    expect(screen.queryAllByRole('alert').filter((alert) => alert.textContent === weakness)).toEqual([])
    cleanup()
  }
})
