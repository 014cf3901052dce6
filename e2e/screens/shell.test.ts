import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { standard, violationsOf } from '../axe.ts'
import { becomeOwner, becomeUser, send } from '../prepare.ts'
import { walkOn } from '../walk.ts'
import { button, expectTexts, expectTitle, openLook, type ScreenWorld, table } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

const password = 'a-long-enough-passphrase'
const entries = ['Dashboard', 'Customers', 'Subscriptions', 'Events', 'MRR Analytics', 'Match Review']
entries.push('Data Sync')
const withoutCount = (name: string) => name.replace(/[\d,]+ to review$/, '')

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
    await block.click()
    await button(page, 'Logout').click()
    await page.waitForURL('**/sign-in')
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in to Tributary' }).waitFor()
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
    const walk = walkOn(page)
    for (const path of paths) {
      await walk(path, false)
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
  const { page, walk } = await walker()
  await walk(path, false)
  await expectTitle(page, title)
})
let walking: { page: Page; walk: ReturnType<typeof walkOn> } | undefined
/** One page of the demo's owner that goes from screen to screen. */
async function walker(): Promise<NonNullable<typeof walking>> {
  if (walking === undefined) {
    const { page } = await look.demoOwner()
    walking = { page, walk: walkOn(page) }
  }
  return walking
}

describe('the frame', () => {
  it('names product, organization and last sync, and leads to the sync', async () => {
    const { page } = await look.demoOwner()
    await page.goto('/events')
    await page.getByRole('link', { name: 'Tributary', exact: true }).click()
    await expectTitle(page, 'Dashboard')
    await expectTexts(page, 'Organization: Harbour Demo')
    // The demo has one organization, so there is nothing to change to.
    expect(await button(page, /^Organization:/).count()).toBe(0)
    const line = page.getByRole('link', {
      name: /^(Synced (just now|\d+ (min|h|days?) ago)|Sync in progress|[\d,]+ records? waits?)$/,
    })
    await line.waitFor()
    const isWaiting = /waits?$/.test((await line.textContent()) ?? '')
    await button(page, /^Account of/).focus()
    await page.keyboard.press('Shift+Tab')
    await page.getByRole('tooltip', { name: /^Last import or sync: .+ UTC$/ }).waitFor()
    await page.keyboard.press('Enter')
    await expectTitle(page, isWaiting ? 'Sync Health' : 'Sync History')
  })

  it('says what is missing until there is a sync, and changes between organizations', async () => {
    const { page } = await look.newPerson()
    const person = { name: 'Uma', email: 'uma@gmail.com', password }
    await becomeOwner(page, person, 'Quay of Uma')
    await send(page, 'POST', '/api/identity/organization/create', { name: 'Pier of Uma', slug: 'pier-uma' })
    await page.goto('/account-profile')
    await page.getByRole('link', { name: 'Not connected' }).waitFor()
    await button(page, 'Organization: Pier of Uma').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Quay of Uma' }).click()
    await expectTitle(page, 'Dashboard')
    await button(page, 'Organization: Quay of Uma').waitFor()
  })

  it('leads from a record back to the list as it was', async () => {
    const { page } = await look.demoOwner()
    const address = '/subscriptions?status=canceled&sort=currentMrr&order=desc&perPage=25'
    await page.goto(address)
    await table(page, 'Subscriptions')
      .locator('tbody tr')
      .first()
      .click({ position: { x: 3, y: 3 } })
    await expectTitle(page, 'Subscription Details')
    const path = page.getByRole('navigation', { name: 'Breadcrumb' })
    const name = await page.getByRole('heading', { level: 2 }).first().textContent()
    await expect.poll(() => path.textContent()).toBe(`Subscriptions / ${name}`)
    await path.getByRole('link', { name: 'Subscriptions' }).click()
    await expectTitle(page, 'Subscriptions')
    await expect.poll(() => page.url()).toContain(address)
  })

  it('says the title of a screen once', async () => {
    const { page, walk } = await walker()
    for (const [path, title] of [
      ['/subscriptions', 'Subscriptions'],
      ['/events', 'Events'],
      ['/mrr-analytics', 'MRR Analytics'],
      ['/account-profile', 'Account Settings'],
      ['/match-review', 'Match Review'],
      ['/diagnostics', 'Diagnostics'],
    ] as const) {
      await walk(path, false)
      await expectTitle(page, title)
      await page.locator('main').getByRole('button').first().waitFor()
      await expect.poll(() => page.getByRole('heading', { name: title, exact: true }).count()).toBe(1)
    }
  })

  it('keeps theme, density and keys in the browser, and paints the theme before the app is there', async () => {
    const { page } = await look.demoOwner()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/events')
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const menu = button(page, /^Account of/)
    await menu.click()
    await expect.poll(() => button(page, 'System').getAttribute('aria-pressed')).toBe('true')
    const light = await background()
    // A menu that still opens is smaller.
    await expect.poll(() => violationsOf(page, standard)).toEqual([])
    const rowHeight = async () =>
      (await table(page, 'Events').locator('tbody tr').first().boundingBox())?.height ?? 0
    const comfortable = await rowHeight()
    await button(page, 'Dark').click()
    await button(page, 'Compact').click()
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
    await expect.poll(background).not.toBe(light)
    await expect.poll(rowHeight).toBeLessThan(comfortable)
    const dark = await background()
    await expect.poll(() => violationsOf(page, standard)).toEqual([])

    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    expect(await background()).toBe(dark)
    await page.unroute('**/assets/*.js')
    await page.reload()
    await menu.click()
    await expect.poll(() => button(page, 'Dark').getAttribute('aria-pressed')).toBe('true')
    await menu.focus()
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor()
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0)
  })
})
