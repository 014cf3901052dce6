import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, createOrganization, newcomer, type PersonDetails, signUp } from './person.ts'
import { type BrowserWorld, openWorld } from './world.ts'

const colleague: PersonDetails = {
  name: 'Robin Colleague',
  email: 'robin@colleague.example',
  password: 'another-long-passphrase',
}

let world: BrowserWorld
let kim: Page
let robin: Page
beforeAll(async () => {
  world = await openWorld({ simulatorArgs: ['--customers=12'] })
  kim = (await world.newPerson()).page
  await signUp(kim, newcomer)
  await createOrganization(kim, 'Newcomer')
  await invite(kim, colleague.email)
  robin = (await world.newPerson()).page
  await signUp(robin, colleague)
  await robin.getByText(`Invited by ${newcomer.email}`).waitFor()
  await robin.getByText('Not from your domain.').waitFor()
  await robin.getByRole('button', { name: 'Join', exact: true }).click()
  await robin.waitForURL(/\/setup/)
})
afterAll(() => world?.close())

async function openTab(page: Page, tab: 'Personal Profile' | 'Organization' | 'Activity'): Promise<void> {
  await page.goto('/account-profile')
  await page.getByRole('tab', { name: tab }).click()
}

async function invite(page: Page, email: string): Promise<void> {
  await openTab(page, 'Organization')
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText(`${email} (member), until`).waitFor()
}

const rowOf = (page: Page, email: string) =>
  page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: email })
const statusOf = async (page: Page, path: string) => (await page.request.get(path)).status()

describe('Account Settings', () => {
  it('list where one is signed in, and sign another browser out at once', async () => {
    const { page: other } = await world.newPerson()
    await other.goto('/sign-in')
    await other.getByLabel('Email').fill(newcomer.email)
    await other.getByRole('textbox', { name: 'Password' }).fill(newcomer.password)
    await other.getByRole('button', { name: /^sign in$/i }).click()
    await other.waitForURL((url) => url.pathname !== '/sign-in')
    expect(await statusOf(other, '/api/auth/current-user')).toBe(200)

    await openTab(kim, 'Personal Profile')
    const sessions = kim.getByRole('region', { name: 'Sessions' })
    await sessions.getByText('This device').waitFor()
    const signOut = sessions.getByRole('button', { name: /^Sign out .+, last seen/ })
    await signOut.waitFor()
    await expect.poll(() => signOut.count()).toBe(1)
    await signOut.click()
    await signOut.waitFor({ state: 'detached' })

    expect(await statusOf(other, '/api/auth/current-user')).toBe(401)
    await other.reload()
    await other.getByText('Sign in to Tributary').first().waitFor()
    expect(await statusOf(kim, '/api/auth/current-user')).toBe(200)
  })

  it('show owners who did what, and give it as a CSV', async () => {
    await openTab(kim, 'Activity')
    const table = kim.getByRole('table', { name: 'Activity' })
    await table.getByText('Signed out other devices: one').waitFor()
    await table.getByText(`Invited: ${colleague.email} (member)`).waitFor()
    await table.getByRole('row').filter({ hasText: 'Joined: member' }).getByText(colleague.email).waitFor()

    const [download] = await Promise.all([
      kim.waitForEvent('download'),
      kim.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('activity.csv')
    const csv = readFileSync(await download.path(), 'utf8')
    expect(csv).toContain('"Time (UTC)","Who","What","Concerning","Address","Outcome"')
    expect(csv).toContain(`"Invited","${colleague.email} (member)"`)
    expect(csv).not.toMatch(/(?:^|[,"])[=+@]/m)

    await openTab(robin, 'Organization')
    expect(await robin.getByRole('tab', { name: 'Activity' }).count()).toBe(0)
    expect(await statusOf(robin, '/api/audit/activity')).not.toBe(200)
  })

  it('hand the ownership over, which counts from the next request on', async () => {
    await openTab(kim, 'Organization')
    await kim.getByRole('button', { name: `Transfer ownership to ${colleague.email}` }).click()
    await kim.getByRole('button', { name: 'Transfer', exact: true }).click()
    await expect
      .poll(async () => {
        const user = await ask<{ organization: { role: string } }>(kim, '/api/auth/current-user')
        return user.organization.role
      })
      .toBe('admin')
    expect(new URL(kim.url()).search).toBe('?tab=organization')
    await rowOf(kim, newcomer.email).getByText('Admin').waitFor()
    const { organization } = await ask<{ organization: { role: string } }>(robin, '/api/auth/current-user')
    expect(organization.role).toBe('owner')
    await openTab(robin, 'Organization')
    await rowOf(robin, colleague.email).getByText('Owner').waitFor()
    await robin.getByLabel(`Role of ${newcomer.email}`).waitFor()
  })

  it('remove a member, who is out at once, with the page still open', async () => {
    await kim.goto('/account-profile')
    expect(await statusOf(kim, '/api/settings/sync')).toBe(200)
    await openTab(robin, 'Organization')
    await robin.getByRole('button', { name: `Remove ${newcomer.email}` }).click()
    await robin.getByRole('button', { name: 'Remove', exact: true }).click()
    await rowOf(robin, newcomer.email).waitFor({ state: 'detached' })
    expect(await statusOf(kim, '/api/settings/sync')).toBe(403)
    await kim.goto('/subscriptions')
    await kim.waitForURL(/\/org-selection/)
  })
})
