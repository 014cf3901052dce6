import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appCode } from '#test/identity/app-code.ts'
import { goOffline } from '../faults.ts'
import { ask, expectToast } from '../person.ts'
import {
  becomeOwner,
  becomeUser,
  connectHubspotByCall,
  connectStripeByCall,
  importByCall,
  send,
} from '../prepare.ts'
import { button, expectTexts, expectTitle, openLook, type ScreenWorld, table } from './look.ts'

let look: ScreenWorld
let owner: Page
let member: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page: owner } = await look.newPerson())
  ;({ page: member } = await look.newPerson())
  await becomeOwner(owner, person('Nia'), 'Settings')
  const { email } = person('Oda')
  await send(owner, 'POST', '/api/identity/organization/invite-member', { email, role: 'member' })
  await becomeUser(member, person('Oda'))
  await member.goto('/')
  await member.getByText('Current MRR').first().waitFor()
})
afterAll(() => look?.close())

const person = (name: string) => ({
  name,
  email: `${name.toLowerCase()}@settings.example`,
  password: 'a-long-enough-passphrase',
})

it('has the personal profile, and saves a name', async () => {
  await owner.goto('/account-profile')
  await expectTitle(owner, 'Account Settings')
  await expectTexts(owner, 'Manage your profile, security settings, and organization')
  await expect
    .poll(() => owner.getByRole('tab').allTextContents())
    .toEqual(['Personal Profile', 'Organization', 'Activity', 'Privacy'])
  await owner.getByRole('textbox', { name: 'Name', exact: true }).fill('Nia Named')
  await button(owner.getByRole('region', { name: 'Profile' }), 'Save').click()
  await expectToast(owner, 'Profile saved', '')
  await button(owner, /Nia Named/).waitFor()
  await owner.getByRole('textbox', { name: 'Name', exact: true }).fill('Nia Unsaved')
  await goOffline(owner)
  await button(owner.getByRole('region', { name: 'Profile' }), 'Save').click()
  await expectToast(owner, 'Profile could not be saved', '')
  await owner.context().setOffline(false)
  await expect
    .poll(() => owner.getByRole('textbox', { name: 'Name', exact: true }).inputValue())
    .toBe('Nia Unsaved')
})

it('has a second factor that the sign-in asks for, here and over a page whose session ended', async () => {
  const { page } = await look.newPerson()
  const pia = { ...person('Pia'), email: 'pia@factor.example' }
  await becomeOwner(page, pia, 'Factor')
  await page.goto('/account-profile')
  await button(page, 'Set up').click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  await dialog.getByRole('textbox', { name: 'Password' }).fill(pia.password)
  await page.keyboard.press('Enter')
  await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
  const isFocused = (field: Locator) => field.evaluate((one) => one === document.activeElement)
  await expect.poll(() => isFocused(dialog.getByRole('textbox', { name: 'Code' }))).toBe(true)
  // The key is shown once, so Escape does not close the dialog.
  await page.keyboard.press('Escape')
  const key = (await dialog.locator('pre').textContent()) ?? ''
  // On the phone that has the app, there is nothing to scan with.
  const app = dialog.getByRole('link', { name: 'Open in your authenticator' })
  expect(await app.getAttribute('href')).toContain(`secret=${key.replaceAll(' ', '')}`)
  await button(dialog, 'Copy the key').waitFor()
  await dialog.getByRole('textbox', { name: 'Code' }).fill('000000')
  await button(dialog, 'Turn on').click()
  await dialog.getByText('This code is incorrect').waitFor()
  await goOffline(page)
  await button(dialog, 'Turn on').click()
  await dialog.getByText('The server could not be reached. Please try again.').waitFor()
  await page.context().setOffline(false)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(appCode(key))
  await page.keyboard.press('Enter')
  await dialog.getByText('Save these recovery codes now').waitFor()
  await expect.poll(() => isFocused(button(dialog, 'I have saved them'))).toBe(true)
  await page.keyboard.press('Escape')
  const codes = await dialog.getByRole('listitem').allTextContents()
  expect(codes.length).toBe(10)
  await button(dialog, 'I have saved them').click()
  const card = page.getByRole('region', { name: 'Two-factor authentication' })
  await card.getByText('On', { exact: true }).waitFor()

  await page.context().clearCookies()
  await card.getByRole('button', { name: 'Turn off' }).click()
  const off = page.getByRole('dialog', { name: 'Turn off two-factor authentication' })
  await off.getByRole('textbox', { name: 'Password' }).fill(pia.password)
  await off.getByLabel('Code').fill(codes[0] ?? '')
  await button(off, 'Turn off').click()
  const cover = page.getByRole('dialog', { name: 'Sign in again' })
  await cover.getByRole('textbox', { name: 'Password' }).fill(pia.password)
  await button(cover, 'Sign in').click()
  await cover.getByRole('textbox', { name: 'Code' }).fill(appCode(key, 1))
  await button(cover, 'Continue').click()
  await cover.waitFor({ state: 'detached' })
  // The call that was refused is repeated with what was typed.
  await card.getByText('Off', { exact: true }).waitFor()
})

it('changes the email address, once both mailboxes have confirmed', async () => {
  const { page } = await look.newPerson()
  const rae = { ...person('Rae'), email: 'rae@earlier.example' }
  await becomeOwner(page, rae, 'Earlier')
  await page.goto('/account-profile')
  const profile = page.getByRole('region', { name: 'Profile' })
  await button(profile, 'Change email address').click()
  const dialog = page.getByRole('dialog', { name: 'Change email address' })
  await dialog.getByLabel('New email address').fill('rae@later.example')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('not-the-password')
  await page.keyboard.press('Enter')
  await expectTexts(dialog.getByRole('alert'), 'The password is incorrect. Enter it again.')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(rae.password)
  await page.keyboard.press('Enter')
  await expectTexts(dialog, /We sent a link to rae@earlier\.example/)
  for (const [address, told] of [
    ['rae@earlier.example', /We sent a link to rae@later\.example/],
    ['rae@later.example', /Your email address is now rae@later\.example/],
  ] as const) {
    await page.goto('/outbox')
    const row = page.locator('article').filter({ hasText: `To ${address},` })
    await page.goto(String(await row.locator('a[href*="confirmEmail"]').first().getAttribute('href')))
    await expectTexts(dialog, /from rae@earlier\.example to rae@later\.example\?/)
    await button(dialog, 'Confirm').click()
    await expectTexts(dialog, told)
    await button(dialog, 'Done').click()
  }
  await page.waitForURL((url) => url.search === '')
  await expect.poll(() => profile.getByLabel('Email').inputValue()).toBe('rae@later.example')
  await page.goto('/account-profile?confirmEmail=used')
  await expectTexts(dialog.getByRole('alert'), /This link is no longer valid/)
  expect(await button(dialog, 'Confirm').count()).toBe(0)
})

it('has what was typed in a tab when the tab is opened again, and nothing of a hidden tab for anybody', async () => {
  await owner.goto('/account-profile')
  const invited = owner.getByRole('region', { name: 'Invitations' }).getByLabel('Email address')
  const open = (tab: string) => owner.getByRole('tab', { name: tab }).click()
  await open('Organization')
  await invited.fill('mara@settings.example')
  await open('Activity')
  await owner.getByRole('region', { name: 'Activity' }).waitFor()
  expect(await owner.locator('main').ariaSnapshot()).not.toMatch(/Invitations|Sessions/)
  await open('Organization')
  await expect.poll(() => invited.inputValue()).toBe('mara@settings.example')
})

it('links the licences of what the app is made of', async () => {
  const address = await owner.getByRole('link', { name: 'Third-party notices' }).getAttribute('href')
  const answer = await owner.request.get(address ?? '')
  expect(answer.headers()['content-type']).toBe('text/plain; charset=utf-8')
  expect(await answer.text()).toContain('## react-dom - ')
})

it('switches between organizations, without a personal one and without making a new one', async () => {
  await owner.getByRole('tab', { name: 'Organization' }).click()
  await owner.waitForURL(/\/account-profile\?tab=organization$/)
  const switcher = owner.getByLabel('Organization', { exact: true }).and(owner.locator('select'))
  await expect.poll(() => switcher.locator('option').allTextContents()).toEqual(['Settings'])
  expect(await owner.getByRole('button', { name: /create/i }).count()).toBe(0)
  await expectTexts(
    owner.getByRole('region', { name: 'Members' }),
    'nia@settings.example',
    'oda@settings.example',
  )
  await owner.reload()
  await owner.getByRole('region', { name: 'Members' }).waitFor()
})

it('says beside the field what is wrong with an invitation or a password', async () => {
  await owner.goto('/account-profile?tab=organization')
  const invitations = owner.getByRole('region', { name: 'Invitations' })
  await button(invitations, 'Invite').click()
  await expectTexts(invitations, 'Enter an email address.')
  await invitations.getByLabel('Email address').fill('nobody')
  await button(invitations, 'Invite').click()
  await expectTexts(invitations, 'Enter an email address, such as name@example.com.')
  await owner.getByLabel('Picture').fill('pictures.example/nia.png')
  await button(owner.getByRole('region', { name: 'Organization profile' }), 'Save').click()
  await expectTexts(owner, 'Enter an address that starts with https://.')
  await owner.goto('/account-profile')
  await button(owner, 'Change password').click()
  await expectTexts(owner, 'Enter your current password.', 'Enter a new password.')
})

it('lets a member leave, after a question, and leads to the start', async () => {
  await member.goto('/account-profile?tab=organization')
  await button(member, 'Leave organization').click()
  const dialog = member.getByRole('dialog', { name: 'Leave organization' })
  await expectTexts(dialog, /^Are you sure you want to leave Settings\?/)
  await button(dialog, 'Leave').click()
  await expectToast(member, 'Organization left', 'You are no longer a member of Settings.')
  await member.waitForURL(/\/org-selection/)
  await expectTexts(member, 'Invitation Required')
})

it('leads from one organization to another and back, and after leaving one to the start of the other', async () => {
  const { page: host } = await look.newPerson()
  await becomeOwner(host, { ...person('Hana'), email: 'hana@hosting.example' }, 'Hosting')
  const { email } = person('Nia')
  await send(host, 'POST', '/api/identity/organization/invite-member', { email, role: 'member' })
  const { invitations } = await send(owner, 'GET', '/api/identity/organization/list-user-invitations')
  const [invitation] = invitations as { id: string }[]
  await owner.goto(`/org-selection?invitationId=${invitation?.id}`)
  await button(owner, 'Join').click()
  await expectTitle(owner, 'Dashboard')

  await owner.goto('/account-profile?tab=organization')
  const switcher = owner.getByLabel('Organization', { exact: true }).and(owner.locator('select'))
  const members = owner.getByRole('region', { name: 'Members' })
  await expect
    .poll(async () => (await switcher.locator('option').allTextContents()).sort())
    .toEqual(['Hosting', 'Settings'])
  for (const [name, member] of [
    ['Settings', 'nia@settings.example'],
    ['Hosting', 'hana@hosting.example'],
  ] as const) {
    await switcher.selectOption(name)
    await owner.getByRole('region', { name: 'Leave organization' }).getByText(`Leave ${name}`).waitFor()
    await expectTexts(members, member)
    await owner.waitForURL(/\/account-profile\?tab=organization$/)
  }
  await button(owner, 'Leave organization').click()
  await button(owner.getByRole('dialog', { name: 'Leave organization' }), 'Leave').click()
  // The redirect may go through the choice of an organization, which ends at /dashboard instead of /.
  await owner.waitForURL((url) => ['/', '/dashboard'].includes(url.pathname))
  await expectTitle(owner, 'Dashboard')
  await owner.goto('/account-profile?tab=organization')
  await expectTexts(owner.getByRole('region', { name: 'Leave organization' }), 'Leave Settings')
})

it('makes the first of the memberships active where none is', async () => {
  const { page: host } = await look.newPerson()
  await becomeOwner(host, { ...person('Ivo'), email: 'ivo@removing.example' }, 'Removing')
  const { email } = person('Nia')
  await send(host, 'POST', '/api/identity/organization/invite-member', { email, role: 'member' })
  const { invitations } = await send(owner, 'GET', '/api/identity/organization/list-user-invitations')
  const [invitation] = invitations as { id: string }[]
  await send(owner, 'POST', '/api/identity/organization/accept-invitation', { invitationId: invitation?.id })
  const { members } = await send(host, 'GET', '/api/identity/organization/members')
  const member = (members as { id: string; email: string }[]).find((one) => one.email === email)
  await send(host, 'POST', '/api/identity/organization/remove-member', { memberId: member?.id })
  expect(await send(owner, 'GET', '/api/auth/current-user')).toMatchObject({ needsOrganization: true })
  await owner.goto('/account-profile?tab=organization')
  await expectTexts(owner.getByRole('region', { name: 'Leave organization' }), 'Leave Settings')
})

it('takes a file of rates, revalues amounts when an owner chooses so, and goes back', async () => {
  const { page } = await look.newPerson()
  await becomeOwner(page, { ...person('Yui'), email: 'yui@rates.example' }, 'Rates')
  await connectStripeByCall(page)
  await importByCall(page)
  const card = page.getByRole('region', { name: 'Reporting Currency' })
  const choose = async (name: string) => {
    await page.goto('/account-profile?tab=organization')
    await card.getByRole('radio', { name }).click()
    await button(page.getByRole('dialog', { name: 'Count all amounts again' }), 'Count again').click()
    await expectToast(page, 'Settings updated', '')
    await expect.poll(() => card.getByRole('radio', { name }).isChecked()).toBe(true)
    await page.goto('/mrr-analytics')
    await table(page, 'MRR movements').waitFor()
  }
  const title = table(page, 'MRR movements').getByRole('columnheader', { name: 'Exchange rates' })
  type Bridge = { start: number; net: number; fx?: number; end: number }
  type Movements = { total: Bridge; periods: Bridge[] }
  await page.goto('/account-profile?tab=organization')
  const lines = ['2026-10-01,1.09,140,0.85', '2026-06-01,1.11,190,0.83', '2025-01-02,1.03,160,0.84']
  const rates = ['Date,USD,JPY,GBP', ...lines].join('\n')
  const file = { name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(rates) }
  await card.locator('input[type=file]').setInputFiles(file)
  await expectToast(page, 'Rates are in use', '3 days read.')
  const before = await ask<Movements>(page, '/api/mrr/movements')
  await choose('Revalued')
  await title.waitFor()
  const { total, periods } = await ask<Movements>(page, '/api/mrr/movements')
  for (const { start, net, fx, end } of [...periods, total]) expect(start + net + (fx ?? 0)).toBe(end)
  expect(await ask(page, '/api/dashboard/stats')).toMatchObject({ currentMrr: total.end })
  await expectTexts(page.getByRole('region', { name: 'MRR Movements' }), /Exchange rates is the rest/)
  await choose('As booked')
  expect(await title.count()).toBe(0)
  expect(await ask(page, '/api/mrr/movements')).toEqual(before)
  await connectHubspotByCall(page)
  await choose('HubSpot')
  await page.goto('/account-profile?tab=organization')
  await expectTexts(card, /^\S+ USD\/\w{3}, HubSpot$/)
  const options = await card.locator('option').allTextContents()
  expect(options).toContain("USD, US dollars (HubSpot's)")
})
