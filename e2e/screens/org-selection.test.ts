import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alterAnswers, cutOff, goOffline } from '../faults.ts'
import { becomeOwner, becomeUser, send } from '../prepare.ts'
import {
  button,
  countRequests,
  expectTexts,
  expectTitle,
  openLook,
  pauseClock,
  type ScreenWorld,
  slowNetwork,
} from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

const person = (name: string, domain: string) => ({
  name,
  email: `${name.toLowerCase()}@${domain}`,
  password: 'a-long-enough-passphrase',
})

describe('whoever has no organization', () => {
  it('is told that invitations are looked for, makes one as the first of a domain, and goes to the wizard', async () => {
    const { page } = await look.newPerson()
    await becomeUser(page, person('Fay', 'first.example'))
    const atOnce = await slowNetwork(page, 300)
    await page.goto('/')
    await expectTexts(
      page,
      'Checking your invitations...',
      "We're looking for any organization invitations for your account.",
      'Welcome to Tributary',
      'You need to join or create an organization to continue',
    )
    await atOnce()
    await page.getByLabel('Organization name').fill('First, Inc.')
    await button(page, 'Address (optional)').click()
    await expect.poll(() => page.getByLabel('Address (optional)').inputValue()).toBe('first-inc')
    await button(page, 'Create organization').click()
    await page.waitForURL('**/setup/hubspot')
  })

  it('makes one of their own with a free address', async () => {
    for (const name of ['Gus', 'Ger']) {
      const { page } = await look.newPerson()
      await becomeUser(page, person(name, 'gmail.com'))
      const asked = countRequests(page, '/api/auth/check-domain-users', 'POST')
      await page.goto('/org-selection')
      await button(page, 'Create organization').waitFor()
      expect(asked()).toBe(0)
      // The second one has the same name, and nobody has to think of another address.
      await page.getByLabel('Organization name').fill('A Name of Two')
      await button(page, 'Create organization').click()
      await page.waitForURL('**/setup/hubspot')
    }
  })

  it('needs an invitation when a colleague was first', async () => {
    const { page: first } = await look.newPerson()
    await becomeOwner(first, person('Ida', 'taken.example'), 'Taken')
    const { page } = await look.newPerson()
    await becomeUser(page, person('Jon', 'taken.example'))
    await page.goto('/org-selection')
    await page.getByRole('heading', { name: 'Invitation Required' }).waitFor()
    await expectTexts(
      page,
      'Another user from your domain has already created an organization. Please contact your administrator to request an invitation.',
      'Ask Ida to invite you.',
      'jon@taken.example',
      'Make sure your administrator invites this exact email address.',
      /Check your email for an invitation link/,
    )
    expect(await button(page, 'Create organization').count()).toBe(0)
  })

  it('may try to make one when the domain cannot be checked', async () => {
    const { page } = await look.newPerson()
    await becomeUser(page, person('Kay', 'unchecked.example'))
    await cutOff(page, '*/api/auth/check-domain-users', '*/api/auth/check-pending-invitations')
    await page.goto('/org-selection')
    await button(page, 'Create organization').waitFor()
  })

  it('may try to make one when anything else fails, and is told what the server says of it', async () => {
    const { page } = await look.newPerson()
    await becomeUser(page, person('Kit', 'unlisted.example'))
    const mend = await cutOff(page, '*/api/identity/organization/list')
    await page.goto('/org-selection')
    await button(page, 'Create organization').waitFor()
    await mend()
    await page.getByLabel('Organization name').fill('Kept')
    await goOffline(page)
    await button(page, 'Create organization').click()
    await expectTexts(page.getByRole('alert'), 'The organization could not be created. Please try again.')
    await page.context().setOffline(false)
    await expect.poll(() => page.getByLabel('Organization name').inputValue()).toBe('Kept')
  })

  it('looks eight times, a second apart, for a membership that an answer, altered on its way, promises', async () => {
    const { page } = await look.newPerson()
    await becomeUser(page, person('Lin', 'promised.example'))
    await page.clock.install()
    const listed = countRequests(page, '/api/identity/organization/list')
    await alterAnswers(page, '**/api/auth/check-pending-invitations', () => ({
      hasPendingInvitation: false,
      autoAccepted: true,
    }))
    await page.goto('/org-selection')
    await expect.poll(listed).toBe(2)
    await pauseClock(page)
    let ranMs = 0
    for (; listed() < 9 && ranMs < 15_000; ranMs += 100) await page.clock.runFor(100)
    // The clock leaps to the pause, so a second of the seven may be missing.
    expect(ranMs).toBeGreaterThanOrEqual(5_900)
    await expectTexts(page, 'Checking your invitations...')
    await expect
      .poll(async () => {
        await page.clock.runFor(200)
        return button(page, 'Create organization').isVisible()
      })
      .toBe(true)
    expect(listed()).toBe(9)
  })

  it('joins by the invitation that waits, and goes on to where they were heading', async () => {
    const { page: owner } = await look.newPerson()
    await becomeOwner(owner, person('Lea', 'inviting.example'), 'Inviting')
    const email = 'max@inviting.example'
    await send(owner, 'POST', '/api/identity/organization/invite-member', { email, role: 'member' })
    const { page } = await look.newPerson()
    await becomeUser(page, person('Max', 'inviting.example'))
    await page.goto('/events')
    await expectTitle(page, 'Events')
    await page.waitForURL('**/events')
  })
})

it('leads whoever has an organization on, to the dashboard unless told, never to another site', async () => {
  const { page } = await look.demoOwner()
  for (const [query, arrives] of [
    ['', '/dashboard'],
    ['?redirectUrl=/data-sync', '/data-sync'],
    ['?redirectUrl=https://elsewhere.example/', '/dashboard'],
  ] as const) {
    await page.goto(`/org-selection${query}`)
    await page.waitForURL((url) => url.pathname === arrives && url.origin === look.address)
  }
})
