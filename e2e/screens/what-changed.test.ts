import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { cutOff } from '../faults.ts'
import { becomeOwner, send } from '../prepare.ts'
import { button, columnsOf, expectTexts, expectTitle, openLook, rowsOf, type ScreenWorld } from './look.ts'

let look: ScreenWorld
/** A page of a person whose organization has a report. */
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.newPerson())
  const person = { name: 'Rae', email: 'rae@recounted.example', password: 'a-long-enough-passphrase' }
  await becomeOwner(page, person, 'Recounted')
  const { organization } = await send(page, 'GET', '/api/auth/current-user')
  await addReport(Number((organization as { id: number }).id))
})
afterAll(() => look?.close())

/** The report of a recount of 30 customers, the last of whom has changed events. */
async function addReport(organizationId: number): Promise<void> {
  const sql = (text: string) => query(look.superuserUrl, text, [organizationId])
  await sql(
    `insert into recounts (organization_id, id, from_rules, to_rules, from_policy, to_policy, started_at, completed_at,
       mrr_before, mrr_after, month_count, customer_count, record_count, crm_record_count)
     values ($1, 1, 0, 1, 0, 0, '2026-05-01', '2026-05-01', '{"usd": 300000}', '{"usd": 303000}', 2, 30, 31, 1)`,
  )
  await sql(
    `insert into recount_months (organization_id, recount_id, month, currency, mrr_before_cents, mrr_after_cents)
     values ($1, 1, '2026-03', 'usd', 1000, 2000), ($1, 1, '2026-04', 'usd', 1000, 3000)`,
  )
  await sql(
    `insert into recount_customers (organization_id, recount_id, customer_id, currency, mrr_before_cents, mrr_after_cents)
     select $1, 1, 'cus_' || n, 'usd', 10000, 10000 + 10 * n from generate_series(1, 30) n`,
  )
  await sql(
    `insert into recount_records
       (organization_id, recount_id, kind, source_id, customer_id, currency, label, before, after, is_in_crm)
     values ($1, 1, 'event', 'evt_1', 'cus_30', 'usd', 'Upgrade +3.00 USD · 2026-02-01', null,
             '{"currentMrr": "103.00", "mrrStatus": "Upgrade"}', true)`,
  )
}

it('announces a report on every screen and leads to it', async () => {
  for (const path of ['/', '/subscriptions', '/data-sync']) {
    await page.goto(path)
    await expectTexts(
      page.getByRole('note', { name: 'Figures have changed' }),
      /2 months, 30 customers, 1 HubSpot record\./,
    )
  }
  await page.getByRole('link', { name: 'See what changed' }).click()
  await page.waitForURL('**/what-changed/1')
  await expectTitle(page, 'Rule Changes')
  await expectTexts(page, 'MRR rules 0 → 1', 'Current MRR, USD', '$3,000.00', '$3,030.00')
})

it('lists months, customers and records, page by page, and gives all as a file', async () => {
  await page.goto('/what-changed/1')
  expect(await columnsOf(page, 'Months')).toEqual([
    ...['Month', 'MRR Before', 'MRR After', 'Change', 'Subscriptions Before', 'Subscriptions After'],
  ])
  expect(await rowsOf(page, 'Months')).toEqual([
    ['Apr 2026', '$10.00', '$30.00', '+$20.00', '0', '0'],
    ['Mar 2026', '$10.00', '$20.00', '+$10.00', '0', '0'],
  ])
  await page.getByRole('tab', { name: 'Customers (30)' }).click()
  const [first] = await rowsOf(page, 'Customers')
  expect(first).toEqual(['cus_30', '$100.00', '$103.00', '+$3.00', '0'])
  await button(page, 'Page 2').click()
  await page.waitForURL('**/what-changed/1?list=customers&page=2')
  await expect.poll(async () => (await rowsOf(page, 'Customers')).length).toBe(5)
  await page.getByRole('tab', { name: 'Records (31)' }).click()
  expect(await rowsOf(page, 'Records')).toEqual([
    [
      'Event: Upgrade +3.00 USD · 2026-02-01',
      'cus_30',
      'Event type: none → UpgradeCurrent MRR: none → 103.00',
      'New record',
    ],
  ])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('what-changed.csv')
})

it('is announced no more once it is marked as read, and stays in the list', async () => {
  await page.goto('/what-changed/1')
  await button(page, 'Mark as read').click()
  await page.getByRole('note', { name: 'Figures have changed' }).waitFor({ state: 'hidden' })
  await button(page, 'Mark as read').waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'All reports' }).click()
  const [row] = await rowsOf(page, 'Rule Changes')
  expect(row?.slice(1, 5)).toEqual(['MRR rules 0 → 1', '2', '30', '1'])
  expect(row?.[5]).toContain('rae@recounted.example')
})

it('says that a report is not there, or could not be read', async () => {
  await page.goto('/what-changed/77')
  await expectTexts(page, 'Report Not Found')
  const mend = await cutOff(page, '*/api/mrr/recounts?*')
  await page.goto('/what-changed')
  await expectTexts(page, 'The reports could not be read.')
  await mend()
})

it('says to whoever has none that nothing has changed', async () => {
  const { page: demo } = await look.demoOwner()
  await demo.goto('/mrr-analytics')
  await demo.getByRole('link', { name: 'Rule Changes' }).click()
  await expectTexts(demo, 'No rule has changed a figure')
})
