import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export type PersonDetails = { name: string; email: string; password: string }

export const newcomer: PersonDetails = {
  name: 'Kim Newcomer',
  email: 'kim@newcomer.example',
  password: 'a-long-enough-passphrase',
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

/** Signs up, opens the link of the mail in the outbox, and ends signed in. */
export async function signUp(page: Page, person: PersonDetails): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await button(page, /sign up|create account/i).click()
  await page.getByText('Check your email').waitFor()
  await page.goto('/outbox')
  await verifyLink(page, person.email).click()
}

/** The link in the newest mail to this address: other people sign up at the same time. */
export function verifyLink(page: Page, email: string): Locator {
  const mails = page.locator('article').filter({ hasText: `To ${email.toLowerCase()},` })
  return mails.locator('a[href*="verify-email"]').first()
}

export async function createOrganization(page: Page, name: string): Promise<void> {
  await page.waitForURL(/org-selection/)
  await page.getByLabel('Organization name').fill(name)
  await button(page, /create organization/i).click()
  await page.waitForURL(/\/setup/)
}

/** The wizard's first step: consent in the popup, in the chosen portal. */
export async function connectHubspot(page: Page, portal: RegExp = /Enterprise/): Promise<void> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page, 'Connect HubSpot').click()])
  await popup.getByLabel(portal).check()
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Connect app' }).click()
  await closed
}

export async function connectStripe(page: Page, key: string): Promise<void> {
  await page.waitForURL(/\/setup\/stripe/)
  await page.getByLabel('Stripe API Key').fill(key)
  await button(page, 'Connect').click()
}

/** From signing up to the import step: both providers connected, nothing imported. */
export async function arriveAtImport(page: Page): Promise<void> {
  await signUp(page, newcomer)
  await createOrganization(page, 'Newcomer')
  await connectHubspot(page)
  await connectStripe(page, 'sk_test_tributary_demo')
  await goOn(page)
}

export async function startImport(page: Page): Promise<void> {
  await page.waitForURL(/\/setup\/import/)
  await button(page, 'Import All Stripe Data').click()
}

export async function startPush(page: Page): Promise<void> {
  await page.waitForURL(/\/setup\/sync/)
  await button(page, /^Sync [\d,]+ Remaining Records to HubSpot$/).click()
}

export async function goOn(page: Page): Promise<void> {
  const next = button(page, 'Continue')
  await expect.poll(() => next.isEnabled(), { timeout: 120_000 }).toBe(true)
  await next.click()
}

export async function finishSetup(page: Page): Promise<void> {
  await page.waitForURL(/\/setup\/finish/)
  await button(page, 'Finish Setup').click()
  await page.getByText('Current MRR').waitFor()
}

/** Calls the product with the session of the signed-in person's browser. */
export async function ask<T>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(path, { maxRetries: 2 })
  expect(answer.status(), path).toBe(200)
  return (await answer.json()) as T
}

export async function signIn(
  page: Page,
  person: { email: string; password: string },
  arrives: RegExp = /Dashboard/,
): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await button(page, /^sign in$/i).click()
  await page.getByRole('heading', { name: arrives }).first().waitFor()
}

/** Waits for the toast with this title and text. */
export async function expectToast(page: Page, title: string, text: string | RegExp): Promise<void> {
  const toast = page
    .getByRole('status')
    .or(page.getByRole('alert'))
    .or(page.locator('[data-radix-collection-item]'))
  await toast.filter({ hasText: title }).filter({ hasText: text }).first().waitFor({ timeout: 60_000 })
}
