import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, newWorld, type TestWorld } from '#test/harness.ts'
import { heading, openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const password = 'a-long-enough-passphrase'

function type(given: Record<string, string>) {
  for (const [name, value] of Object.entries(given))
    for (const field of document.querySelectorAll(`input[name="${name}"]`))
      fireEvent.change(field, { target: { value } })
}

async function signUp(browser: Browser, email: string) {
  const app = openApp(world, browser, '/sign-up')
  await heading(/^Sign up for/)
  type({ name: 'Mara', email, password })
  await press('Sign up')
  await heading('Check your email')
  return app
}

/** Opens the link of the newest mail to this address, as another tab of the same browser would. */
async function openLink(browser: Browser, email: string) {
  const page = await (await browser.fetch('/outbox')).text()
  const mail = page.slice(page.indexOf(`To ${email}`))
  const link = /href="([^"]*verify-email[^"]*)"/.exec(mail)?.[1]?.replaceAll('&amp;', '&') ?? ''
  await browser.fetch(new URL(link).href.replace(new URL(link).origin, ''))
}

const comeBack = () => act(async () => void window.dispatchEvent(new Event('focus')))

test('Check your email goes on once another tab has confirmed the address', async () => {
  const browser = world.stranger()
  const app = await signUp(browser, 'mara@confirmed.example')
  await comeBack()
  await heading('Check your email')
  await openLink(browser, 'mara@confirmed.example')
  await comeBack()
  await waitFor(() => expect(app.address()).toBe('/org-selection?redirectUrl=%2Fsetup'))
})

test('Check your email tells each mail, and leads back to the address', async () => {
  await signUp(world.stranger(), 'wrong@told.example')
  expect(document.title).toBe('Check your email · Tributary')
  await press('Send again')
  await screen.findByText('Sent again.')
  await press('Send again')
  await screen.findByText('Sent again (2 times).')
  await press('Change the address')
  await waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe('email'))
  expect(document.activeElement).toHaveProperty('value', 'wrong@told.example')
})

test('so does a sign-in that waits for the address to be confirmed', async () => {
  const browser = world.stranger()
  await signUp(browser, 'nora@confirmed.example')
  cleanup()
  const app = openApp(world, browser, '/sign-in?redirectUrl=/account-profile')
  await heading(/^Sign in to/)
  type({ email: 'nora@confirmed.example', password })
  await press('Sign in')
  await screen.findByText('Check your email')
  await openLink(browser, 'nora@confirmed.example')
  await comeBack()
  await waitFor(() => expect(app.address()).toBe('/account-profile'))
})
