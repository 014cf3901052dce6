import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { cutOff } from '../faults.ts'
import { expectToast } from '../person.ts'
import { becomeOwner, becomeUser, send } from '../prepare.ts'
import {
  button,
  countRequests,
  expectTexts,
  expectTitle,
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
const entries = ['Dashboard', 'Customers', 'Subscriptions', 'Events', 'MRR Analytics', 'Match Review']
entries.push('Data Sync')
const withoutCount = (name: string) => name.replace(/[\d,]+ to review$/, '')

describe('the gate', () => {
  it('shows a spinner while it asks who is there, then the login to whoever is not signed in', async () => {
    const { page } = await look.newPerson()
    await slowNetwork(page, 300)
    const loading = page.goto('/events')
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    await loading
    await page.getByRole('heading', { name: 'Log in to Tributary' }).waitFor()
    const asked = [countRequests(page, '/api/auth/current-user'), countRequests(page, '/api/dashboard')]
    for (const path of ['/', '/setup', '/data-sync', '/org-selection', '/account-profile']) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Log in to Tributary' }).waitFor()
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
    await page.clock.install()
    const asked = countRequests(page, '/api/auth/current-user')
    await page.goto('/')
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Events' }).click()
    await page.waitForURL('**/events')
    await page.clock.fastForward(15_000)
    await menu.getByRole('link', { name: 'Data Sync' }).click()
    await page.getByRole('heading', { name: 'Manual Data Sync' }).waitFor()
    expect(asked()).toBe(1)
    await menu.getByRole('link', { name: 'Dashboard' }).click()
    await page.clock.fastForward(20_000)
    await menu.getByRole('link', { name: 'Data Sync' }).click()
    await expect.poll(asked).toBe(2)
  })

  it('asks once for what has no age, and not again for what failed, nor on coming back to the window', async () => {
    const { page } = await look.demoOwner()
    await page.clock.install()
    const settings = countRequests(page, '/api/settings/sync')
    const history = countRequests(page, '/api/sync/history')
    const toggle = page.getByRole('switch', { name: 'Auto-Create Contacts' })
    await page.goto('/data-sync')
    await expect.poll(() => toggle.isEnabled()).toBe(true)
    const mend = await cutOff(page, '*/api/sync/history*')
    await page.getByRole('tab', { name: 'Sync History' }).click()
    await expectTexts(page, 'An error occurred while fetching sync history.')
    await page.clock.fastForward(240_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await page.getByRole('tab', { name: 'Data Sync' }).click()
    await expect.poll(() => toggle.isEnabled()).toBe(true)
    expect([settings(), history()]).toEqual([1, 1])
    await mend()
  })
})

describe('the sidebar', () => {
  it('has the wizard only while the setup is not complete', async () => {
    const { page } = await look.demoOwner()
    await page.goto('/')
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await links.first().waitFor()
    await expect.poll(async () => (await links.allTextContents()).map(withoutCount)).toEqual(entries)
    const { page: fresh } = await look.newPerson()
    await becomeOwner(fresh, { name: 'Lee', email: 'lee@shell.example', password }, 'Shell')
    // An identity provider may not know a person's name; our own sign-up requires one.
    await query(look.superuserUrl, `update "user" set name = '' where email = 'lee@shell.example'`)
    await fresh.goto('/')
    const all = fresh.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await all.first().waitFor()
    await expect.poll(() => all.allTextContents()).toEqual(['Setup Wizard', ...entries])
    // Without a name, we show the part of the address before the @.
    await button(fresh, /^Account of lee\s*lee@shell\.example/).waitFor()
  })

  it('says who is signed in, and unfolds to the account and the way out', async () => {
    const { page } = await look.demoOwner()
    await page.goto('/')
    const block = button(page, /Robin Demo/)
    await expectTexts(block, 'R', 'robin@harbour.example')
    expect(await block.getAttribute('aria-expanded')).toBe('false')
    await block.click()
    expect(await block.getAttribute('aria-expanded')).toBe('true')
    await page.getByRole('link', { name: 'Account Settings' }).click()
    await expectTitle(page, 'Account Settings')
    await button(page, 'Logout').click()
    await page.waitForURL('**/sign-in')
    await page.goto('/')
    await page.getByRole('heading', { name: 'Log in to Tributary' }).waitFor()
  })

  it('is a drawer that slides in on a small screen', async () => {
    const { page } = await look.demoOwner()
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto('/')
    const drawer = page.getByRole('dialog', { name: 'Tributary' })
    await button(page, 'Open navigation').click()
    // The user block is at the bottom of the drawer, as in the sidebar.
    const block = drawer.getByRole('button', { name: 'Account of' })
    await expect
      .poll(async () => {
        const box = await block.boundingBox()
        return box === null ? 0 : box.y + box.height
      })
      .toBeGreaterThan(760)
    await drawer.getByRole('link', { name: 'Events' }).click()
    await page.waitForURL('**/events')
    await drawer.waitFor({ state: 'hidden' })
    await button(page, 'Open navigation').click()
    await button(drawer, 'Close navigation').click()
    await drawer.waitFor({ state: 'hidden' })
  })
})

it('says on every screen that the providers are simulated, whoever looks at it', async () => {
  const { page: newcomer } = await look.newPerson()
  await becomeUser(newcomer, { name: 'Sid', email: 'sid@simulated.example', password })
  for (const [page, paths] of [
    [(await look.demoOwner()).page, ['/', '/data-sync', '/match-review']],
    [(await look.newPerson()).page, ['/sign-in', '/sign-up', '/login', '/events', '/test-data', '/nowhere']],
    [newcomer, ['/org-selection']],
  ] as const) {
    for (const path of paths) {
      await page.goto(path)
      await expectTexts(page.getByRole('note'), /^Simulated Stripe and HubSpot/)
      const links = page.getByRole('note').getByRole('link')
      await expect.poll(() => links.allTextContents()).toEqual(['Stripe', 'HubSpot', 'Outbox'])
    }
  }
})

it.each([
  ['/', 'Dashboard'],
  ['/dashboard', 'Dashboard'],
  ['/setup/stripe', 'Setup Wizard'],
  ['/subscriptions', 'Subscriptions'],
  ['/subscriptions/sub_x', 'Subscription Details'],
  ['/events', 'Events'],
  ['/sync-history', 'Sync History'],
  ['/sync-errors', 'Sync History'],
  ['/data-sync', 'Data Sync'],
  ['/diagnostics', 'Diagnostics'],
  ['/mrr-analytics', 'MRR Analytics'],
  ['/account-profile', 'Account Settings'],
  ['/match-review', 'Match Review'],
])('has the title of its route: %s', async (path, title) => {
  titled ??= (await look.demoOwner()).page
  await titled.goto(path)
  await expectTitle(titled, title)
})
let titled: Awaited<ReturnType<ScreenWorld['demoOwner']>>['page'] | undefined

describe('a toast', () => {
  /** Opens a screen whose switch shows the toast 'Settings updated'. */
  async function withToast() {
    const { page } = await look.demoOwner()
    await page.clock.install()
    await page.goto('/data-sync')
    const toggle = page.getByRole('switch', { name: 'Auto-Create Contacts' })
    await expect.poll(() => toggle.isEnabled()).toBe(true)
    const show = async () => {
      await toggle.click()
      await page.getByText('Settings updated').first().waitFor()
      await expect.poll(() => toggle.isEnabled()).toBe(true)
    }
    const toasts = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
    await show()
    await toasts.first().waitFor()
    return { page, show, toasts }
  }

  it('is the only one, and goes after five seconds', async () => {
    const { page, show, toasts } = await withToast()
    await show()
    await expect.poll(() => toasts.count()).toBe(1)
    await page.clock.runFor(4_000)
    await expect.poll(() => toasts.count()).toBe(1)
    await page.clock.runFor(2_000)
    await expect.poll(() => toasts.count()).toBe(0)
  })

  it('is reached by F8', async () => {
    const { page } = await withToast()
    await page.keyboard.press('F8')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role="region"]')?.ariaLabel))
      .toMatch(/Notifications/)
  })

  it('is swiped away by more than 50 px, and stays after less', async () => {
    for (const [px, left] of [
      [40, 1],
      [80, 0],
    ] as const) {
      const { page, toasts } = await withToast()
      const box = await toasts.first().boundingBox()
      const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      for (const part of [0.25, 0.5, 0.75, 1]) await page.mouse.move(x + px * part, y)
      await page.mouse.up()
      await expect.poll(() => toasts.count()).toBe(left)
    }
  })
})

it('says offline that a screen has not been loaded yet, and never reloads into nothing', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/')
  await expectTexts(page, 'Current MRR')
  await page.context().setOffline(true)
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
  await page.context().setOffline(false)
  await page
    .getByRole('button', { name: /^(Try again|Reload)$/ })
    .first()
    .click()
  await expectTitle(page, 'Events')
  await page.getByRole('table', { name: 'Events' }).waitFor()
})

it('hides the page, dialogs included, when the session was ended elsewhere, and gives it back to its owner', async () => {
  const { page } = await look.newPerson()
  const person = { name: 'Kit', email: 'kit@hidden.example', password }
  await becomeOwner(page, person, 'Hidden')
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
  await expectToast(page, 'You are still a member', /./)
})
