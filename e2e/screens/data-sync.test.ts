import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alterAnswers, answerInstead, cutOff, failedWithoutReason } from '../faults.ts'
import { ask, expectToast } from '../person.ts'
import {
  button,
  countRequests,
  expectTexts,
  expectTitle,
  holdTime,
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

const manual = (page: Page) => page.getByRole('region', { name: 'Manual Data Sync' })
const open = (page: Page, entry: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry, exact: true }).click()

it('is where the Settings address leads', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/settings')
  await page.waitForURL('**/data-sync')
  await expectTitle(page, 'Data Sync')
})

it('has both connections, the settings, and the ways to import and push', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/data-sync')
  await page.getByRole('heading', { name: 'Integration Management' }).waitFor()
  const hubspot = page.getByRole('region', { name: 'HubSpot', exact: true })
  const stripe = page.getByRole('region', { name: 'Stripe', exact: true })
  await expectTexts(hubspot, 'Connected', /^Portal \d+$/, 'harbour-demo.example')
  await expectTexts(stripe, 'Connected', /^Account acct_\w+$/, /^API key sk_test_\w*•+$/)
  for (const [card, name] of [
    [hubspot, 'More actions for HubSpot'],
    [stripe, 'More actions for Stripe'],
    [manual(page), 'Import from Stripe'],
    [manual(page), 'Import All History'],
    [manual(page), 'Sync to HubSpot'],
  ] as const)
    await button(card, name).waitFor()
  for (const name of ['Auto-Create Contacts', 'Auto-Create Companies', 'Automatic HubSpot Sync'])
    await page.getByRole('switch', { name }).waitFor()
  expect(await manual(page).getByRole('progressbar').count()).toBe(0)
})

it('turns a switch at once, and lets it be turned again only once that is saved, with the focus on it', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/data-sync')
  const toggle = page.getByRole('switch', { name: 'Automatic HubSpot Sync' })
  await expect.poll(() => toggle.isEnabled()).toBe(true)
  const atOnce = await slowNetwork(page, 1_500)
  for (const isOn of [false, true]) {
    await toggle.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => toggle.getAttribute('aria-busy')).toBe('true')
    await page.keyboard.press('Space')
    await expect.poll(() => toggle.isChecked()).toBe(isOn)
    await expect.poll(() => toggle.getAttribute('aria-busy')).toBe('false')
    await expect.poll(() => toggle.evaluate((one) => one === document.activeElement)).toBe(true)
    await expect.poll(() => toggle.isChecked()).toBe(isOn)
  }
  await atOnce()
})

it('asks for the sync status again only after 10 seconds', async () => {
  const { page } = await look.demoOwner()
  const setTime = await holdTime(page)
  const asked = countRequests(page, '/api/sync/status')
  // The 10 seconds begin with the answer.
  const answered = page.waitForResponse('**/api/sync/status').then((answer) => answer.finished())
  await page.goto('/data-sync')
  await answered
  await expectTexts(manual(page), 'Last record synced')
  const openAfter = async (seconds: number) => {
    await open(page, 'Events')
    await expectTitle(page, 'Events')
    await setTime(seconds)
    await open(page, 'Data Sync')
    await expectTexts(manual(page), 'Last record synced')
  }
  await openAfter(9)
  expect(asked()).toBe(1)
  await openAfter(11)
  await expect.poll(asked).toBe(2)
})

it('forgets a run five seconds after its end, and asks for its status no more', async () => {
  const { page } = await look.demoOwner()
  await page.clock.install()
  await page.goto('/data-sync')
  await button(manual(page), 'Sync to HubSpot').click()
  await page.getByText('Matching Complete').first().waitFor({ timeout: 60_000 })
  await expect.poll(() => button(manual(page), 'Sync to HubSpot').isEnabled()).toBe(true)
  const asked = countRequests(page, '/api/sync/status')
  await pauseClock(page)
  await page.clock.runFor(5_500)
  const whileTracked = asked()
  expect(whileTracked).toBeLessThanOrEqual(2)
  await page.clock.runFor(30_000)
  expect(asked()).toBe(whileTracked)
})

it('shows both as not connected when it cannot be asked whether they are', async () => {
  const { page } = await look.demoOwner()
  const mend = await cutOff(page, '*/api/connection-status')
  await page.goto('/data-sync')
  await expectTexts(page, 'Setup Required', 'The status of the connections could not be read')
  for (const name of ['HubSpot', 'Stripe'])
    await expectTexts(page.getByRole('region', { name, exact: true }), 'Not connected')
  await mend()
  await button(page, 'Try again').click()
  await expectTexts(page.getByRole('region', { name: 'Stripe', exact: true }), 'Connected')
})

it('has words for a run that fails without a reason, which our server never tells: a broken proxy does', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/data-sync')
  await answerInstead(page, '**/api/sync/push-all', { importId: failedWithoutReason.id })
  await answerInstead(page, `**/api/sync/status/${failedWithoutReason.id}`, failedWithoutReason)
  await button(manual(page), 'Sync to HubSpot').click()
  await expectToast(page, 'Sync failed', 'An error occurred during the sync process.')
  await alterAnswers<object>(page, '**/api/import/status?*', (progress) => ({
    ...progress,
    status: 'failed',
    message: '',
  }))
  await button(manual(page), 'Import from Stripe').click()
  await expectToast(page, 'Stripe import failed', 'An error occurred during the Stripe import process.')
  const running = async () =>
    (await ask<{ runningImportId: unknown }>(page, '/api/sync/status')).runningImportId
  await expect.poll(running).toBeNull()
})

it('says how fast changes reach HubSpot, and leads to the records that were late', async () => {
  const { page } = await look.demoOwner()
  const { subscriptions } = await ask<{ subscriptions: { subscriptionId: string }[] }>(
    page,
    '/api/stripe/subscriptions',
  )
  const subscriptionId = subscriptions[0]?.subscriptionId ?? ''
  const changedAt = '2026-01-01T00:00:00.000Z'
  const mendFreshness = await alterAnswers<object>(page, '**/api/import/freshness', (freshness) => ({
    ...freshness,
    toHubspot: { count: 40, medianSeconds: 9, p95Seconds: 14 },
    promisedSeconds: 15,
    lateCount: 7,
    late: [{ subscriptionId, name: 'Slow Ltd', changedAt, seconds: 130 }],
  }))
  const mendRecord = await alterAnswers<object>(page, '**/api/stripe/subscriptions/*', (subscription) => ({
    ...subscription,
    freshness: {
      changedAt,
      ledgerAt: '2026-01-01T00:00:04.000Z',
      hubspotAt: '2026-01-01T00:02:10.000Z',
      promisedSeconds: 15,
      isLate: true,
    },
  }))
  await page.goto('/data-sync')
  const hubspot = page.getByRole('region', { name: 'HubSpot', exact: true })
  await expectTexts(
    hubspot,
    'Stripe changes usually reach HubSpot within 9 seconds (95% within 14 seconds).',
    '7 changes took longer than 15 seconds; the latest:',
    /, 2 minutes$/,
  )
  await hubspot.getByRole('link', { name: 'Slow Ltd' }).click()
  await expectTitle(page, 'Subscription Details')
  const fact = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  await expectTexts(fact('In These Figures'), '4 seconds later')
  await expectTexts(fact('In HubSpot'), '2 minutes later')
  await expectTexts(fact('Promised'), 'Within 15 seconds; this one is late')
  await mendRecord()
  await mendFreshness()
})
