import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutOff, switchAllOff, switchOn } from '../faults.ts'
import { ask } from '../person.ts'
import { becomeOwner, connectStripeByCall, send, untilEnded } from '../prepare.ts'
import {
  button,
  columnsOf,
  expectPlacesKept,
  expectTexts,
  expectTitle,
  openLook,
  rowsOf,
  type ScreenWorld,
  table,
} from './look.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
})
afterAll(async () => {
  await switchAllOff(look.stripeUrl)
  await look.close()
})

const label = 'Sync History'
const dialog = (place: Page) => place.getByRole('dialog', { name: 'Sync Details' })

it('lists imports and pushes at both addresses', async () => {
  for (const path of ['/sync-history', '/sync-errors']) {
    await page.goto(path)
    await expectTitle(page, 'Sync History')
    await table(page, label).waitFor()
  }
  expect(await columnsOf(page, label)).toEqual([
    'Status',
    'Type',
    'Start Time',
    'Duration',
    'Records',
    'Errors',
    'Changes',
    'Started By',
  ])
  const rows = await rowsOf(page, label)
  expect(rows.length).toBeLessThanOrEqual(10)
  expect(rows.map(([, type]) => type)).toEqual(expect.arrayContaining(['Data Import', 'Data Sync']))
  for (const [status, , , duration] of rows) {
    expect(['Completed', 'In Progress', 'Failed', 'Canceled']).toContain(status)
    expect(duration).toMatch(/^(\d+m )?\d+s$|^In progress$/)
  }
  await page.getByRole('tab', { name: 'Data Sync' }).click()
  await page.waitForURL('**/data-sync')
  await page.getByRole('tab', { name: 'Sync History' }).click()
  await page.waitForURL('**/sync-history')
})

it('fetches anew on Refresh, and shows the details of a run', async () => {
  await page.goto('/sync-history')
  await rowsOf(page, label)
  await Promise.all([page.waitForResponse(/\/api\/sync\/history/), button(page, 'Refresh').click()])
  const started = table(page, label).locator('tbody time').first()
  await expect.poll(() => started.textContent()).toMatch(/ ago$|^just now$/)
  expect(await started.getAttribute('title')).toMatch(/ \d+:\d\d:\d\d [AP]M UTC$/)
  await table(page, label).locator('tbody tr').last().locator('td').first().click()
  await page.waitForURL(/\/sync-history\/[\w-]+$/)
  for (const name of ['Status', 'Created at', 'Completed at', 'Records processed', 'Successful', 'Errors'])
    await dialog(page).getByRole('rowheader', { name, exact: true }).waitFor()
  await expectTexts(dialog(page), 'Summary', 'Completed', 'No details available for this sync job.')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'hidden' })
})

it('holds an import and its sync together, and filters by the address', async () => {
  const address = '/sync-history?unchanged=show&type=sync&perPage=100'
  await page.goto(address)
  // The first one of all; what a later import changes depends on other tests.
  await table(page, label)
    .getByRole('link', { name: /^After the import of/ })
    .last()
    .click()
  await page.waitForURL(/\/sync-history\/[\w-]+\?/)
  await expectTexts(dialog(page), 'Data Import', /\d+ subscriptions?, \d+ events?/)
  await dialog(page)
    .getByRole('link', { name: /^Its sync/ })
    .waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(`**${address}`)
  await page.goto('/sync-history/run_nowhere')
  await expectTexts(dialog(page), 'There is no such run')
  await button(page, 'Back to Sync History').click()
  await table(page, label).waitFor()
})

it('falls back to the last page, ten runs to a page', async () => {
  const { pagination } = await ask<{ pagination: { totalPages: number } }>(
    page,
    '/api/sync/history?unchanged=hide',
  )
  await page.goto('/sync-history?page=90')
  await page.waitForURL(pagination.totalPages === 1 ? '**/sync-history' : /page=\d$/)
  await table(page, label).locator('tbody tr').first().waitFor()
})

it('says that nothing was found, shows a failed run with its error, and one without details', async () => {
  const { page: fresh } = await look.newPerson()
  const person = { name: 'Hal', email: 'hal@history.example', password: 'a-long-enough-passphrase' }
  await becomeOwner(fresh, person, 'History')
  await fresh.goto('/sync-history')
  await expectTexts(fresh, 'No sync history found', 'When you run data syncs, they will appear here.')

  await connectStripeByCall(fresh)
  await switchOn(look.stripeUrl, { kind: 'invalid_key', match: { times: null } })
  const { importId } = await send(fresh, 'POST', '/api/import/historical', {})
  await untilEnded(fresh, String(importId))
  await switchAllOff(look.stripeUrl)
  await button(fresh, 'Refresh').click()
  await expect
    .poll(async () => (await rowsOf(fresh, label))[0]?.slice(0, 2))
    .toEqual(['Failed', 'Data Import'])
  expect((await rowsOf(fresh, label))[0]?.[6]).toMatch(/Stripe refuses this API key/)
  const mend = await cutOff(fresh, '*/api/sync/import-status/*')
  await table(fresh, label).getByRole('link').first().click()
  await expectTexts(dialog(fresh), 'The run could not be read', 'No details available for this sync job.')
  await mend()
  await fresh.keyboard.press('Escape')
  await dialog(fresh).waitFor({ state: 'hidden' })
  await table(fresh, label).locator('tbody tr').first().locator('td').first().click()
  await expectTexts(dialog(fresh), 'Failed', 'Error', /Stripe/)
})

it('keeps the place of the rows that are still to come', async () => {
  await page.goto('/sync-history')
  await expectPlacesKept(page, label)
})

it('says that the history could not be fetched', async () => {
  const mend = await cutOff(page, '*/api/sync/history*')
  await page.goto('/sync-history')
  await expectTexts(page, 'An error occurred while fetching sync history.')
  await mend()
})

it('shows what is in sync, what waits and what fails, each as long as its list', async () => {
  await page.goto('/sync-history')
  await page.getByRole('tab', { name: 'Sync Health' }).click()
  await page.waitForURL('**/sync-health')
  await expectTitle(page, 'Sync Health')
  for (const name of ['In sync', 'Waiting', 'Failing'])
    await page.getByRole('region', { name, exact: true }).waitFor()
  await rowsOf(page, 'Subscriptions in sync')
  const links = await page
    .getByRole('link', { name: /^View All/ })
    .evaluateAll((found) => found.map((link) => [link.getAttribute('href') ?? '', link.textContent] as const))
  expect(links.length).toBeGreaterThan(0)
  for (const [address, text] of links) {
    const count = /[\d,]+/.exec(text)?.[0]
    await page.goto(address)
    await expectTexts(page, new RegExp(` of ${count}$`))
  }
})
