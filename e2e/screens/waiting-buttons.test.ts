import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { becomeOwner, send } from '../prepare.ts'
import { button, openLook, type ScreenWorld } from './look.ts'

let look: ScreenWorld
let page: Page
const person = { name: 'Wim', email: 'wim@waiting.example', password: 'a-long-enough-passphrase' }
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.newPerson())
  await becomeOwner(page, person, 'Waiting')
})
afterAll(() => look?.close())

const isFocused = (place: Locator) => place.evaluate((one) => one === document.activeElement)
const region = (name: string) => page.getByRole('region', { name, exact: true })

/** Presses the button by the keyboard and waits for what it leads to; the focus must then be at `place`. */
async function expectKept(pressed: Locator, done: Promise<unknown>, place = pressed): Promise<void> {
  await expect.poll(() => pressed.isEnabled()).toBe(true)
  await pressed.focus()
  await page.keyboard.press('Enter')
  await done
  await expect.poll(() => isFocused(place)).toBe(true)
}
const answered = (path: string) => page.waitForResponse(`**${path}`)

it('keep the focus while they wait and afterwards', async () => {
  await page.goto('/account-profile')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wim Waits')
  await expectKept(button(region('Profile'), 'Save'), page.getByText('Profile saved').first().waitFor())
  const password = region('Password')
  await password.getByLabel('Current password').fill('a-wrong-passphrase')
  await password.getByLabel('New password').fill('another-passphrase')
  const change = button(password, 'Change password')
  await change.focus()
  await page.keyboard.press('Enter')
  await answered('/change-password')
  await expect.poll(() => password.evaluate((one) => one.contains(document.activeElement))).toBe(true)
  await page.goto('/sync-history')
  await expectKept(button(page, 'Refresh'), answered('/api/sync/history*'))
})

it('turn in their middle, also for whoever asked for less motion', async () => {
  await page.goto('/account-profile')
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route('**/update-user', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wim Turns')
  const save = button(region('Profile'), 'Save')
  await save.click()
  const sign = save.locator('.mantine-Button-loader')
  await sign.waitFor()
  const middleOf = async (place: Locator) => {
    const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return [x + width / 2, y + height / 2]
  }
  const [[x = 0, y = 0], [signX = 0, signY = 0]] = [await middleOf(save), await middleOf(sign)]
  expect(Math.abs(x - signX)).toBeLessThan(2)
  expect(Math.abs(y - signY)).toBeLessThan(2)
  answer()
  await page.getByText('Profile saved').first().waitFor()
})

it('keep it in a dialog, which gives it back to its opener', async () => {
  await page.goto('/account-profile')
  const open = button(page, 'Set up')
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  await dialog.getByRole('textbox', { name: 'Password' }).fill('a-wrong-passphrase')
  await expectKept(button(dialog, 'Continue'), dialog.getByText('Invalid password').waitFor())
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => isFocused(open)).toBe(true)
})

it('leave it to the part of the screen around them when they are taken away', async () => {
  await send(page, 'POST', '/api/identity/organization/invite-member', {
    email: 'xia@waiting.example',
    role: 'member',
  })
  await page.goto('/account-profile?tab=organization')
  const cancel = button(page, 'Cancel the invitation of xia@waiting.example')
  await cancel.waitFor()
  await expectKept(cancel, cancel.waitFor({ state: 'detached' }), region('Invitations'))
  await page.goto('/data-sync')
  const stripe = region('Stripe')
  await stripe.getByLabel('Stripe API Key').fill('sk_test_tributary_demo')
  const more = button(stripe, 'More actions for Stripe')
  await expectKept(button(stripe, 'Connect Stripe'), more.waitFor(), stripe)
  await more.click()
  await page.getByRole('menuitem', { name: 'Disconnect Stripe' }).click()
  const disconnect = button(page.getByRole('dialog', { name: 'Disconnect Stripe' }), 'Disconnect')
  await expectKept(disconnect, disconnect.waitFor({ state: 'detached' }), stripe)
})
