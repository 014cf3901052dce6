import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../person.ts'
import { button, expectTexts, openLook, type ScreenWorld, table } from './look.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
})
afterAll(() => look?.close())

const label = 'Subscriptions'
const path = '/api/stripe/subscriptions'

it('is narrowed by chips, summed, exported, and opens rows in new tabs', async () => {
  const { totalCount } = await ask<{ totalCount: number }>(page, `${path}?interval=365&isMatched=true`)
  await page.goto('/subscriptions?interval=365')
  await button(page, 'Filters').click()
  await page.getByLabel('Company in HubSpot').selectOption('true')
  await page.keyboard.press('Escape')
  await page.waitForURL(/interval=365&isMatched=true$/)
  await expectTexts(page, new RegExp(`MRR .* in ${totalCount} subscriptions?$`))
  const file = await page.request.get(`/api/csv/subscriptions?interval=365&isMatched=true`)
  expect(file.headers()['content-disposition']).toMatch(/harbour-demo-subscriptions-\d{4}-\d{2}-\d{2}\.csv/)
  expect((await file.text()).trim().split('\r\n')).toHaveLength(totalCount + 1)
  // A row that is being replaced takes no click.
  await page.getByRole('dialog', { name: 'Filters' }).waitFor({ state: 'hidden' })
  await page
    .locator('[aria-busy=false]')
    .filter({ has: table(page, label) })
    .waitFor()
  const row = table(page, label)
    .getByRole('link', { name: /^Open the subscription of / })
    .first()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    row.click({ modifiers: ['ControlOrMeta'], position: { x: 3, y: 3 } }),
  ])
  await tab.waitForURL(/\/subscriptions\/sub_/)
  await tab.close()
  await button(page, /^Remove the filter Company in HubSpot/).click()
  await page.waitForURL(/interval=365$/)
})

it('is cards on a phone, and keeps a view that a person saves', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/subscriptions?status=active')
  const cards = page.getByRole('list', { name: label, exact: true }).getByRole('listitem')
  await expect.poll(() => cards.count()).toBe(10)
  await button(page, 'Views').click()
  await page.getByLabel('Save this list as').fill('Paying')
  await button(page, 'Save').click()
  await page.getByRole('link', { name: 'Paying', exact: true }).waitFor()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/subscriptions')
  await button(page, 'Views').click()
  await page.getByRole('link', { name: 'Paying', exact: true }).click()
  await page.waitForURL(/\?status=active$/)
  await button(page, 'Delete Paying').click()
  await expect.poll(() => page.getByRole('link', { name: 'Paying', exact: true }).count()).toBe(0)
})
