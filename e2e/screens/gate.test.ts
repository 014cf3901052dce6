import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutOff, goOffline } from '../faults.ts'
import { becomeOwner, becomeUser, send } from '../prepare.ts'
import {
  button,
  countRequests,
  expectTexts,
  expectTitle,
  holdTime,
  openLook,
  type ScreenWorld,
  slowNetwork,
} from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

const password = 'a-long-enough-passphrase'

describe('the gate', () => {
  it('shows a spinner while it asks who is there, then the login to whoever is not signed in', async () => {
    const { page } = await look.newPerson()
    await slowNetwork(page, 300)
    const loading = page.goto('/events')
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    await loading
    await page.getByRole('heading', { name: 'Sign in to Tributary' }).waitFor()
    const asked = [countRequests(page, '/api/auth/current-user'), countRequests(page, '/api/dashboard')]
    for (const path of ['/', '/setup', '/data-sync', '/org-selection', '/account-profile']) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Sign in to Tributary' }).waitFor()
    }
    // Once per page, and without anything that requires a session.
    expect(asked.map((count) => count())).toEqual([5, 0])
  })

  it('leads whoever has no organization to choose one, except to their own account', async () => {
    const { page } = await look.newPerson()
    await becomeUser(page, { name: 'Gil', email: 'gil@gate.example', password })
    await page.goto('/events?search=a')
    await page.waitForURL(`**/org-selection?redirectUrl=${encodeURIComponent('/events?search=a')}`)
    await button(page, 'Create organization').waitFor()
    const listed = countRequests(page, '/api/identity/organization/list')
    await page.goto('/account-profile?tab=organization')
    await expectTexts(
      page,
      'Please select your organization from the dropdown above to access organization settings.',
      "If you don't see your organization, you may need to accept an invitation first.",
    )
    // An empty list is requested once more.
    await expect.poll(listed).toBe(2)
  })

  it('says that the server cannot be reached, and goes on once it can', async () => {
    const { page } = await look.demoOwner()
    const mend = await cutOff(page, '*/api/auth/current-user')
    await page.goto('/')
    await expectTexts(page, 'Tributary cannot be reached')
    await mend()
    await button(page, 'Try again').click()
    await expectTitle(page, 'Dashboard')
  })

  it('asks who is there at most every 30 seconds', async () => {
    const { page } = await look.demoOwner()
    const setTime = await holdTime(page)
    const asked = countRequests(page, '/api/auth/current-user')
    await page.goto('/')
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Events' }).click()
    await page.waitForURL('**/events')
    await setTime(29)
    await menu.getByRole('link', { name: 'Data Sync' }).click()
    await page.getByRole('heading', { name: 'Manual Data Sync' }).waitFor()
    expect(asked()).toBe(1)
    await menu.getByRole('link', { name: 'Dashboard' }).click()
    await expectTitle(page, 'Dashboard')
    await setTime(31)
    await menu.getByRole('link', { name: 'Data Sync' }).click()
    await expect.poll(asked).toBe(2)
  })

  it('asks once for what has no age, and not again for what failed, nor on coming back to the window', async () => {
    const { page } = await look.demoOwner()
    await page.clock.install()
    const settings = countRequests(page, '/api/settings/sync')
    const history = countRequests(page, '/api/sync/history')
    const toggle = page.getByRole('switch', { name: 'Auto-Create Contacts' })
    const askedOnWalk = async () => {
      const before = [settings(), history()] as const
      await page.goto('/data-sync')
      await expect.poll(() => toggle.isEnabled()).toBe(true)
      const mend = await cutOff(page, '*/api/sync/history*')
      await page.getByRole('tab', { name: 'Sync History' }).click()
      await expectTexts(page, 'An error occurred while fetching sync history.')
      await page.clock.fastForward(240_000)
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
      await page.getByRole('tab', { name: 'Data Sync' }).click()
      await expect.poll(() => toggle.isEnabled()).toBe(true)
      await mend()
      return [settings() - before[0], history() - before[1]]
    }
    // A run that begins meanwhile, perhaps by the demo's schedule, makes the page ask again. That is right.
    await expect.poll(askedOnWalk, { timeout: 120_000 }).toEqual([1, 1])
  })
})

it('says offline that a screen has not been loaded yet, and never reloads into nothing', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/')
  await expectTexts(page, 'Current MRR')
  await goOffline(page)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Events' }).click()
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await expectTexts(page, /^You are offline: what you see may be out of date/)
  await button(page, 'Try again').click()
  await expect.poll(() => button(page, 'Try again').isEnabled()).toBe(true)
  // Pages that were open before still work.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await expectTexts(page, 'Current MRR')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Events' }).click()
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  // Once the connection is back, the screen loads by itself.
  await page.context().setOffline(false)
  await expectTitle(page, 'Events')
  await page.getByRole('table', { name: 'Events' }).waitFor()
})

it('hides the page, dialogs included, when the session was ended elsewhere, and gives it back to its owner', async () => {
  const { page } = await look.newPerson()
  const person = { name: 'Kit', email: 'kit@hidden.example', password }
  const { page: owner } = await look.newPerson()
  await becomeOwner(owner, { ...person, email: 'kai@hidden.example' }, 'Hidden')
  await send(owner, 'POST', '/api/identity/organization/invite-member', {
    email: person.email,
    role: 'member',
  })
  await becomeUser(page, person)
  await page.goto('/')
  await expectTitle(page, 'Dashboard')
  await page.goto('/account-profile?tab=organization')
  await button(page, 'Leave organization').click()
  const question = page.getByRole('dialog', { name: 'Leave organization' })
  await question.waitFor()
  await send(page, 'POST', '/api/identity/sign-out', {})
  await question.getByRole('button', { name: 'Leave' }).click()
  const cover = page.getByRole('dialog', { name: 'Sign in again' })
  await cover.waitFor()
  await expect.poll(() => page.locator('body :focus').getAttribute('type')).toBe('password')
  for (const one of [question, page.locator('#root h1').first()]) expect(await one.isVisible()).toBe(false)
  await cover.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await cover.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/org-selection/)
})
