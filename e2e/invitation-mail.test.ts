import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOrganization, expectToast, newcomer, type PersonDetails } from './person.ts'
import { openPostbox, type Postbox } from './postbox.ts'
import { type BrowserWorld, openWorld } from './world.ts'

const colleague: PersonDetails = {
  name: 'Robin Colleague',
  email: 'robin@colleague.example',
  password: 'another-long-passphrase',
}

let postbox: Postbox
let world: BrowserWorld
let kim: Page
beforeAll(async () => {
  postbox = await openPostbox()
  world = await openWorld({ simulatorArgs: ['--customers=12'], environment: { SMTP_URL: postbox.url } })
  kim = (await world.newPerson()).page
})
afterAll(async () => {
  await world?.close()
  await postbox?.close()
})

/** The link of the newest mail to the address; waits for the mail. */
async function linkTo(email: string, shape: RegExp): Promise<string> {
  const find = () => postbox.mails.findLast(({ to, text }) => to === email && shape.test(text))?.text ?? ''
  await expect.poll(find).not.toBe('')
  return /https?:\/\/\S+/.exec(find())?.[0] ?? ''
}

async function signUp(page: Page, { name, email, password }: PersonDetails): Promise<void> {
  await page.getByLabel('Name').fill(name)
  const address = page.getByLabel('Email')
  if (await address.isEditable()) await address.fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: /sign up|create account/i }).click()
  await page.getByText('Check your email').waitFor()
  await page.goto(await linkTo(email, /verify-email/))
}

it('says of an invitation that its mail was refused, and sends it again', async () => {
  await kim.goto('/sign-up')
  await signUp(kim, newcomer)
  await createOrganization(kim, 'Newcomer')
  postbox.refused.add(colleague.email)
  await kim.goto('/account-profile?tab=organization')
  await kim.getByLabel('Email address').fill(colleague.email)
  await kim.getByLabel('Role', { exact: true }).selectOption('Admin')
  await kim.getByRole('button', { name: 'Invite', exact: true }).click()
  await kim.getByText(`${colleague.email} (admin), until`).waitFor()
  const again = kim.getByRole('button', { name: `Send the invitation of ${colleague.email} again` })
  await expect
    .poll(async () => {
      await kim.reload()
      await kim.getByText(`${colleague.email} (admin), until`).waitFor()
      return kim.getByText('The email was refused. Check the address.').count()
    })
    .toBe(1)

  postbox.refused.clear()
  await again.click()
  await expectToast(kim, 'Invitation sent again', '')
  await linkTo(colleague.email, /invitationId=/)
  await kim.reload()
  await kim.getByText(`${colleague.email} (admin), until`).waitFor()
  await again.waitFor({ state: 'detached' })
  expect(await kim.getByText('The email was refused').count()).toBe(0)
  await expect.poll(() => kim.getByText(`${colleague.email} (admin), until`).count()).toBe(1)
})

it('tells nobody of an invitation whose link is not valid', async () => {
  const { page } = await world.newPerson()
  await page.goto(`/org-selection?invitationId=${'x'.repeat(32)}`)
  await page.getByRole('heading', { name: 'Sign in to Tributary' }).waitFor()
  await page.getByText('No account yet?').waitFor()
  await page.getByText(/^This invitation is no longer open\./).waitFor()
  expect(await page.getByText('invited').count()).toBe(0)
})

it('opens the organization to whom the mail sent again went to', async () => {
  const { page: robin } = await world.newPerson()
  await robin.goto(await linkTo(colleague.email, /invitationId=/))
  await robin.getByText('You are invited to Newcomer').waitFor()
  await robin.getByText(`${newcomer.name} (${newcomer.email}) invites you.`).waitFor()
  await robin.getByRole('heading', { name: 'Sign in to Tributary' }).waitFor()
  await expect.poll(() => robin.getByLabel('Email').inputValue()).toBe(colleague.email)
  await robin.getByRole('link', { name: /sign up/i }).click()
  await robin.getByText('You are invited to Newcomer').waitFor()
  await expect.poll(() => robin.getByLabel('Email').inputValue()).toBe(colleague.email)
  await signUp(robin, colleague)
  expect(new URL(robin.url()).searchParams.get('invitationId')).not.toBeNull()
  await robin.getByText('Not from your domain.').waitFor()
  await robin.getByRole('button', { name: 'Join', exact: true }).click()
  await expect
    .poll(async () => (await (await robin.request.get('/api/auth/current-user')).json()).organization)
    .toMatchObject({ name: 'Newcomer', role: 'admin' })
  await robin.getByRole('heading', { name: 'Connect HubSpot' }).first().waitFor()
})
