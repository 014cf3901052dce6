import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { demo } from '../../tools/demo.ts'
import { connectHubspot, verifyLink } from '../person.ts'
import { button, expectTexts, openLook, rowsOf, type ScreenWorld, table } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

const stopsMax = 150
const isFocused = (element: Element) => element === document.activeElement

/** Presses a key until the element has the focus; every element on the way must show its focus. */
async function moveTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor()
  if (await target.evaluate(isFocused)) return
  for (let stops = 0; stops < stopsMax; stops += 1) {
    await page.keyboard.press(key)
    if (await isReached(target)) return
  }
  throw new Error(`${target} is never reached`)
}

/** Whether the focus is here; wherever it is, it must be seen. */
async function isReached(place: Locator): Promise<boolean> {
  const { isHere, unseen } = await place.evaluate((target) => {
    const element = document.activeElement
    const isHere = target.contains(element)
    // Between the last and the first stop, the browser's own controls have the focus.
    if (element === null || element === document.body) return { isHere, unseen: null }
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    const isSeen = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    return { isHere, unseen: isSeen ? null : element.outerHTML.slice(0, 200) }
  })
  expect(unseen).toBeNull()
  return isHere
}

it('leads from sign-in through the lists to the account, with the focus always to be seen', async () => {
  const { page } = await look.newPerson()
  await page.goto('/sign-in')
  await moveTo(page, page.getByLabel('Email'))
  await page.keyboard.type(demo.email)
  await moveTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(demo.password)
  await page.keyboard.press('Enter')
  await page.getByText('Current MRR').waitFor()

  await moveTo(page, page.getByRole('link', { name: 'Subscriptions', exact: true }))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/subscriptions')
  const [[, company = ''] = []] = await rowsOf(page, 'Subscriptions')
  const search = page.getByRole('searchbox', { name: 'Search subscriptions...' })
  await moveTo(page, search)
  const word = /\w+/.exec(company)?.[0] ?? ''
  const answered = page.waitForResponse(/\/api\/stripe\/subscriptions\?.*search=/)
  await page.keyboard.type(word)
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=/)
  await answered
  expect(await search.evaluate(isFocused)).toBe(true)
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)
  const found = await rowsOf(page, 'Subscriptions')
  const row = table(page, 'Subscriptions').locator('tbody tr').first()
  await page.keyboard.press('Escape')
  expect(await search.evaluate(isFocused)).toBe(true)
  await expect.poll(() => search.inputValue()).toBe('')
  await page.waitForURL((url) => !url.searchParams.has('search'))
  await page.keyboard.press('Escape')
  expect(await search.evaluate(isFocused)).toBe(false)
  await page.keyboard.press('/')
  await page.keyboard.type(word)
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=/)
  // The address changes a moment before the rows, and a row leads back to the list that it stands in.
  await expect.poll(() => rowsOf(page, 'Subscriptions')).toEqual(found)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => row.evaluate((one) => one.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/subscriptions\/sub_/)
  await moveTo(page, page.getByRole('link', { name: 'Back to Subscriptions' }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/subscriptions\?search=/)

  await moveTo(page, page.getByRole('link', { name: 'Data Sync', exact: true }))
  await page.keyboard.press('Enter')
  await moveTo(page, page.getByRole('tab', { name: 'Data Sync' }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sync-history')
  await readDetails(page)

  const account = page.getByRole('button', { name: /^Account of Robin Demo/ })
  await moveTo(page, account)
  await page.keyboard.press('Enter')
  await moveTo(page, page.getByRole('link', { name: 'Account Settings' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account-profile')
})

/** The dialog keeps the focus while it is open, and then returns it to its earlier place. */
async function readDetails(page: Page): Promise<void> {
  const opener = table(page, 'Sync History').locator('tbody').getByRole('link').first()
  await moveTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Sync Details' })
  await dialog.waitFor()
  for (let stop = 0; stop < 5; stop += 1) {
    await page.keyboard.press('Tab')
    expect(await isReached(dialog)).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => opener.evaluate(isFocused)).toBe(true)
}

it('leads from the search of every list to its first row', async () => {
  const { page } = await look.demoOwner()
  for (const path of ['/customers', '/subscriptions', '/events', '/match-review']) {
    await page.goto(path)
    const row = page.locator('main tbody tr').first()
    await row.waitFor()
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)
    await page.keyboard.press('/')
    await expect.poll(() => page.getByRole('searchbox').evaluate(isFocused)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => row.evaluate((one) => one.contains(document.activeElement))).toBe(true)
  }
})

it('never holds the focus: from the first stop of a screen it comes round to it again', async () => {
  const { page } = await look.demoOwner()
  const devtools = await page.context().newCDPSession(page)
  for (const path of ['/', '/subscriptions', '/data-sync', '/match-review', '/account-profile']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)
    // On a slow processor, what closes late is still there when the focus has gone on, as the Dashboard's explanations.
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: path === '/' ? 4 : 1 })
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await moveTo(page, skip)
    await page.keyboard.press('Tab')
    await moveTo(page, skip)
  }
})

it('stands still for whoever asked for less motion', async () => {
  const { page } = await look.demoOwner()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/sync-history')
  await rowsOf(page, 'Sync History')
  const moving = () =>
    page.evaluate(() => {
      const moves = (element: Element) => !/^0s(, 0s)*$/.test(getComputedStyle(element).transitionDuration)
      return [...document.querySelectorAll('*')].filter(moves).length
    })
  expect(await moving()).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await moving()).toBe(0)
  await table(page, 'Sync History').locator('tbody').getByRole('link').first().click()
  await page.getByRole('dialog', { name: 'Sync Details' }).waitFor()
  const running = () =>
    page.evaluate(() =>
      document.getAnimations().flatMap(({ effect }) => {
        const target = effect instanceof KeyframeEffect ? effect.target : null
        return target?.closest('.mantine-Loader-root') ? [] : [target?.outerHTML.slice(0, 120)]
      }),
    )
  expect(await running()).toEqual([])
})

it('starts in the first field from the sign-up to the wizard, says what is wrong there, and loses no place', async () => {
  const { page } = await look.newPerson()
  const press = (key: string) => page.keyboard.press(key)
  const expectFocus = (target: Locator) => expect.poll(() => target.evaluate(isFocused)).toBe(true)
  await page.goto('/sign-in')
  await expectFocus(page.getByLabel('Email'))
  await page.goto('/sign-up')
  const email = page.getByLabel('Email')
  await expectFocus(page.getByLabel('Name'))
  await page.keyboard.type('Kay')
  await press('Tab')
  await page.keyboard.type('kay at keys')
  await press('Enter')
  await expectTexts(page, 'Enter an email address, such as name@example.com.', 'Enter a password.')
  await expectFocus(email)
  await email.fill('kay@wrong.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('a-long-enough-passphrase')
  await press('Enter')
  await expectFocus(page.getByText('We sent a link to'))
  await press('Tab')
  await press('Enter')
  await expectTexts(page, 'Sent again.')
  await press('Tab')
  await press('Enter')
  await expect.poll(() => email.inputValue()).toBe('kay@wrong.example')
  await email.fill('kay@keys.example')
  await press('Enter')
  await page.getByText('We sent a link to kay@keys.example').waitFor()
  await page.goto('/outbox')
  await verifyLink(page, 'kay@keys.example').click()
  await expectFocus(page.getByLabel('Organization name'))
  await page.keyboard.type('Keys')
  await press('Enter')
  await page.waitForURL('**/setup/hubspot')
  const heading = page.getByRole('heading', { name: 'Connect HubSpot' })
  await expectFocus(heading)
  // With this account the step stays, because it has something to say.
  await connectHubspot(page, /no custom objects/)
  await expectFocus(button(page, 'Continue'))
  await moveTo(page, button(page, 'Disconnect'), 'Shift+Tab')
  await press('Enter')
  const confirm = button(page.getByRole('dialog'), 'Disconnect')
  await moveTo(page, confirm)
  await press('Enter')
  await expectFocus(heading)
  // Nothing was written to that account, so another one is no question.
  await connectHubspot(page)
  await page.waitForURL('**/setup/stripe')

  await page.goto('/setup/stripe')
  await moveTo(page, page.getByLabel('Stripe API Key'))
  await page.keyboard.type('sk_test_tributary_demo')
  await press('Enter')
  await expectFocus(button(page, 'Continue'))
  await press('Enter')
  await page.waitForURL('**/setup/import')
  await moveTo(page, button(page, 'Import All Stripe Data'))
  await press('Enter')
  await expectFocus(button(page, 'Starting Import...'))
  await page.getByText('Import Complete').first().waitFor({ timeout: 120_000 })
  await expectFocus(button(page, 'Continue'))
})

it('comes back from the toast of Match Review after Undo', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/match-review')
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /^Accept/ }) })
    .first()
  const id = await row.locator('[data-customer]').getAttribute('data-customer')
  await row.getByRole('button', { name: /^Accept/ }).focus()
  await page.keyboard.press('Enter')
  const undo = button(page, 'Undo').first()
  await undo.waitFor()
  await page.keyboard.press('F8')
  await moveTo(page, undo)
  await page.keyboard.press('Enter')
  await page.getByText('Undone').first().waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-customer'))
  await expect.poll(focused).toBe(id)
})
