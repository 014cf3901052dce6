import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setUpPortal, switchAllOff, switchOn } from '../faults.ts'
import { expectToast } from '../person.ts'
import {
  becomeOwner,
  connectHubspotByCall,
  connectStripeByCall,
  importByCall,
  send,
  untilEnded,
} from '../prepare.ts'
import {
  button,
  columnOf,
  columnsOf,
  expectTexts,
  openLook,
  rowsOf,
  type ScreenWorld,
  table,
} from './look.ts'

/** A portal that the demo organization does not write to; it has no Enterprise hub unless a test adds one. */
const hubId = 24_180_002

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  await setUpPortal(look.hubspotUrl, hubId, { tier: 'enterprise', adminRequired: { '0-1': ['phone'] } })
  ;({ page } = await look.newPerson())
  const person = { name: 'Dee', email: 'dee@details.example', password: 'a-long-enough-passphrase' }
  await becomeOwner(page, person, 'Details')
  await connectStripeByCall(page)
  await connectHubspotByCall(page, hubId)
  await importByCall(page)
  const { importId } = await send(page, 'POST', '/api/sync/push-all', {})
  await untilEnded(page, String(importId))
})
afterAll(async () => {
  await setUpPortal(look.hubspotUrl, hubId, { tier: 'professional', adminRequired: {} })
  await look.close()
})

const history = 'Sync History'
const dialog = () => page.getByRole('dialog', { name: 'Sync Details' })
const openNewest = async () => {
  await table(page, history).locator('tbody tr').first().locator('td').first().click()
  await dialog().waitFor()
}

it('keeps its summary short, so that what changed is in sight, with rows at one height', async () => {
  await page.goto('/sync-history')
  await openNewest()
  const middleOf = async (name: string) => {
    const box = await dialog().getByRole('rowheader', { name, exact: true }).boundingBox()
    return box === null ? Number.NaN : Math.round(box.y + box.height / 2)
  }
  // Changes takes several lines.
  const left = ['Status', 'Created at', 'Completed at', 'Duration', 'Records processed']
  const right = ['Successful', 'Errors', 'Type', 'Changes', 'Started by']
  const heights = await Promise.all(left.map(middleOf))
  expect(await Promise.all(right.map(middleOf))).toEqual(heights)
  expect((heights.at(-1) ?? 0) - (heights[0] ?? 0)).toBeLessThan(200)
})

it('begins with the reasons of a push on a phone, each as a card that fits', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  try {
    await page.goto('/sync-history')
    await page.getByRole('list', { name: history, exact: true }).getByRole('listitem').first().click()
    const first = dialog().getByRole('list', { name: 'Error Details' }).getByRole('listitem').first()
    await expect.poll(() => first.textContent()).toContain('phone is required')
    const box = await first.boundingBox()
    expect(box && box.y + box.height).toBeLessThan(500)
    expect(box && box.x + box.width).toBeLessThanOrEqual(360)
  } finally {
    await page.setViewportSize({ width: 1280, height: 860 })
  }
})

it('leads from the counts of a sync to its records, here and in HubSpot, by keys alone', async () => {
  await page.goto('/sync-history')
  await openNewest()
  const count = button(dialog(), /^\d+ subscriptions$/).first()
  await count.focus()
  await page.keyboard.press('Enter')
  const heading = dialog().getByRole('heading', { name: 'What changed' })
  await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true)
  await expect.poll(async () => (await columnsOf(page, 'What changed'))[1]).toBe('Status')
  await expect.poll(async () => (await columnOf(page, 'What changed', 'In HubSpot')).length).toBe(10)
  for (const text of await columnOf(page, 'What changed', 'In HubSpot')) expect(text).toContain('Created')
  const record = table(page, 'What changed')
    .getByRole('link', { name: /^Created/ })
    .first()
  expect(await record.getAttribute('href')).toContain(`/${hubId}/record/`)
  await table(page, 'What changed')
    .getByRole('link', { name: /^Open the subscription/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/subscriptions\/sub_/)
  await page.goBack()
  await dialog().waitFor()
})

it('shows what an import changed on a phone, each as a card that fits', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  try {
    await page.goto('/sync-history?type=import')
    await page.getByRole('list', { name: history, exact: true }).getByRole('listitem').first().click()
    const cards = dialog().getByRole('list', { name: 'What changed' }).getByRole('listitem')
    await expect.poll(() => cards.count()).toBe(10)
    await cards.first().scrollIntoViewIfNeeded()
    const box = await cards.first().boundingBox()
    expect(box && box.x + box.width).toBeLessThanOrEqual(360)
    await expect.poll(() => cards.first().textContent()).toContain('Added')
    await button(dialog(), 'Page 2').click()
    await expect.poll(() => button(dialog(), 'Page 2').getAttribute('aria-current')).toBe('page')
    expect(await dialog().evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
  } finally {
    await page.setViewportSize({ width: 1280, height: 860 })
  }
})

it('gives every error of a push as a CSV file, with the reason of HubSpot', async () => {
  await page.goto('/sync-history')
  const [newest] = await rowsOf(page, history)
  expect(newest?.slice(0, 2)).toEqual(['Completed', 'Data Sync'])
  await openNewest()
  const shown = await rowsOf(page, 'Error Details')
  expect(shown.length).toBeGreaterThan(0)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog().getByRole('link', { name: 'Export all as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('errors.csv')
  const [heading, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
  expect(heading).toMatch(/source/i)
  expect(lines).toHaveLength(shown.length)
  for (const [sourceId, message] of shown) {
    expect(lines.some((line) => line.includes(sourceId ?? '') && line.includes('phone'))).toBe(true)
    expect(message).toContain('phone is required')
  }
})

it('tries again what failed when a person asks, and says when nothing is left to do', async () => {
  await setUpPortal(look.hubspotUrl, hubId, { adminRequired: {} })
  await button(page, 'Retry Failed Records').click()
  await dialog().waitFor({ state: 'hidden' })
  await expectToast(page, 'Retry complete', /in sync now|up to date/)
  await expect
    .poll(async () => {
      await button(page, 'Refresh').click()
      return (await rowsOf(page, history)).map(([status, type]) => `${status} ${type}`)
    })
    .toEqual(['Completed Data Sync', 'Completed Data Sync', 'Completed Data Import'])
  await openNewest()
  await expectTexts(dialog(), 'Completed')
  expect(await button(page, 'Retry Failed Records').count()).toBe(0)
})

it('tells of a failed sync the step and the request, on a phone too, and starts it again', async () => {
  const pathPrefix = '/crm/objects'
  await switchOn(look.hubspotUrl, { kind: 'status', status: 400, match: { pathPrefix, times: null } })
  const { importId } = await send(page, 'POST', '/api/sync/push-all', {})
  await untilEnded(page, String(importId))
  await switchAllOff(look.hubspotUrl)
  await page.setViewportSize({ width: 360, height: 740 })
  try {
    await page.goto(`/sync-history/${importId}`)
    await expectTexts(
      dialog(),
      /^Step: .* HubSpot$/,
      /^Request: [A-Z]+ \/crm\/objects\//,
      /^Request id: \S+$/,
    )
    expect(await dialog().evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
  } finally {
    await page.setViewportSize({ width: 1280, height: 860 })
  }
  await button(dialog(), 'Sync to HubSpot').click()
  await dialog().getByRole('link', { name: 'A later sync has completed' }).waitFor()
})
