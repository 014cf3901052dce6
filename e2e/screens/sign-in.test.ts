import { afterAll, beforeAll, expect, it } from 'vitest'
import { demo } from '../../tools/demo.ts'
import { standard, violationsOf } from '../axe.ts'
import { signUp, verifyLink } from '../person.ts'
import { button, expectTexts, expectTitle, openLook, type ScreenWorld } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

it('goes on to the start page, and keeps what was typed when it is refused', async () => {
  const { page } = await look.newPerson()
  await page.goto('/sign-in')
  await expect.poll(() => page.title()).toBe('Sign in · Tributary')
  await page.getByLabel('Email').fill(demo.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('not-the-password')
  await button(page, 'Sign in').click()
  await page.getByRole('alert').waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(demo.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
  await button(page, 'Sign in').click()
  await page.waitForURL((url) => url.pathname === '/')
  await expectTitle(page, 'Dashboard')
})

it('carries the typed address to the reset of a password and back', async () => {
  const { page } = await look.newPerson()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill('uma@exampel.example')
  await button(page, 'Forgot your password?').click()
  await page.getByRole('heading', { name: 'Reset your password', exact: true }).waitFor()
  await expect.poll(() => page.title()).toBe('Reset your password · Tributary')
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('uma@exampel.example')
  await page.getByLabel('Email').fill('uma@signup.example')
  await button(page, 'Back to sign-in').click()
  await page.getByRole('heading', { name: 'Sign in to Tributary', exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('uma@signup.example')
})

it('goes on to an address of our own alone', async () => {
  const { page } = await look.newPerson()
  for (const [redirectUrl, arrives] of [
    ['/events', '/events'],
    ['//elsewhere.example/x', '/'],
  ] as const) {
    await page.context().clearCookies()
    await page.goto(`/sign-in?redirectUrl=${encodeURIComponent(redirectUrl)}`)
    await page.getByLabel('Email').fill(demo.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
    await button(page, 'Sign in').click()
    await page.waitForURL((url) => url.pathname === arrives && url.origin === look.address)
  }
})

it('leads to the sign-up, and that back, and on to the wizard', async () => {
  const { page } = await look.newPerson()
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.waitForURL('**/sign-up')
  await expect.poll(() => page.title()).toBe('Sign up · Tributary')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL('**/sign-in')
  const person = { name: 'Uma', email: 'uma@signup.example', password: 'a-long-enough-passphrase' }
  await signUp(page, person)
  await page.waitForURL(`**/org-selection?redirectUrl=${encodeURIComponent('/setup')}`)
  await expectTexts(page, 'Welcome to Tributary')
})

it('shows mail of the simulated mode as it comes, in a tab beside the sign-up, in both schemes', async () => {
  const { page, context } = await look.newPerson()
  await page.goto('/sign-up')
  await page.getByLabel('Name').fill('Noa')
  await page.getByLabel('Email').fill('noa@signup.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('a-long-enough-passphrase')
  await button(page, 'Sign up').click()
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open the outbox' }).click()
  const outbox = await opened
  await expect.poll(() => outbox.title()).toBe('Outbox · Tributary')
  const mails = outbox.getByRole('article').filter({ hasText: 'To noa@signup.example, just now' })
  await expect.poll(() => mails.count()).toBe(1)
  for (const colorScheme of ['light', 'dark'] as const) {
    await outbox.emulateMedia({ colorScheme })
    await outbox.reload()
    expect(await violationsOf(outbox, standard)).toEqual([])
  }
  await mails.first().getByText('Address of this link').click()
  const address = await mails.first().locator('code').textContent()
  await outbox.evaluate(() => Object.assign(window, { isSamePage: true }))
  await button(page, 'Send again').click()
  await expect.poll(() => mails.count()).toBe(2)
  expect(await outbox.evaluate(() => 'isSamePage' in window)).toBe(true)
  expect(await mails.last().locator('details').getAttribute('open')).toBe('')

  const verify = mails.last().getByRole('link', { name: 'Verify your email address' })
  expect(await verify.getAttribute('href')).toBe(address)
  const closed = outbox.waitForEvent('close')
  // The page may be gone before the click has told of its end.
  await outbox
    .getByRole('link', { name: 'Back to Tributary' })
    .click()
    .catch(() => {})
  await closed
  await page.goto('/test-data')
  await page.goto('/outbox')
  await page.getByRole('link', { name: 'Back to Tributary' }).click()
  await page.waitForURL('**/test-data')
})

it('takes the link of a sign-up in another browser as the choice of a password', async () => {
  const person = { name: 'Nor', email: 'nor@signup.example', password: 'a-long-enough-passphrase' }
  const { page } = await look.newPerson()
  await page.goto('/sign-up')
  await page.getByLabel('Name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await button(page, 'Sign up').click()
  await page.getByText('Check your email').waitFor()
  await page.goto('/outbox')
  const link = await verifyLink(page, person.email).getAttribute('href')

  const { page: phone } = await look.newPerson()
  await phone.goto(String(link))
  await phone.getByRole('heading', { name: 'Verify your address', exact: true }).waitFor()
  await phone.getByText('You opened the link in another browser').waitFor()
  await phone.getByLabel('New password').fill('another-passphrase-here')
  await button(phone, 'Save the new password').click()
  await phone.getByText('Your address is verified').waitFor()
  await phone.getByRole('heading', { name: 'Address verified', exact: true }).waitFor()
  expect(await phone.getByRole('link', { name: 'Sign up' }).count()).toBe(0)
  await button(phone, 'Sign in').click()
  await phone.getByLabel('Email').fill(person.email)
  await phone.getByRole('textbox', { name: 'Password' }).fill('another-passphrase-here')
  await button(phone, 'Sign in').click()
  await phone.waitForURL(/org-selection/)

  await page.goto(String(link))
  await page.getByRole('alert').filter({ hasText: 'This link is no longer valid' }).waitFor()
  await expectTexts(page, 'Sign in to Tributary')
})
