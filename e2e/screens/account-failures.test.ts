import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { goOffline } from '../faults.ts'
import { expectToast } from '../person.ts'
import { becomeOwner } from '../prepare.ts'
import { button, expectTexts, openLook, type ScreenWorld } from './look.ts'

let look: ScreenWorld
let page: Page
const person = { name: 'Zoe', email: 'zoe@failures.example', password: 'a-long-enough-passphrase' }
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.newPerson())
  await becomeOwner(page, person, 'Failures')
})
afterAll(() => look?.close())

it('keeps on the page what failed, below its field where it has one', async () => {
  await page.goto('/account-profile')
  const password = page.getByRole('region', { name: 'Password' })
  const current = password.getByRole('textbox', { name: 'Current password' })
  await current.fill('a-wrong-passphrase')
  await password.getByRole('textbox', { name: 'New password' }).fill('another-passphrase')
  await button(password, 'Change password').click()
  await expectToast(page, 'Password could not be changed', 'This is not your current password.')
  await expectTexts(password, 'This is not your current password.')
  await expect.poll(() => current.getAttribute('aria-invalid')).toBe('true')
  await current.fill('a-long-enough')
  await expect.poll(() => current.getAttribute('aria-invalid')).not.toBe('true')
  await goOffline(page)
  await button(password, 'Change password').click()
  await expectTexts(password.getByRole('alert'), 'Password could not be changed')
  await page.context().setOffline(false)
  await page.goto('/account-profile?tab=organization')
  const invitations = page.getByRole('region', { name: 'Invitations' })
  const email = invitations.getByRole('textbox', { name: 'Email address' })
  await email.fill(person.email)
  await button(invitations, 'Invite').click()
  await expectTexts(invitations, 'This person is a member already. Change their role in the list of members.')
  await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true')
})
