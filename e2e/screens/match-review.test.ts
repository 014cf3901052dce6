import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutOff } from '../faults.ts'
import { ask, expectToast } from '../person.ts'
import { openPortal } from '../portal.ts'
import { button, columnsOf, expectTexts, expectTitle, openLook, rowsOf, type ScreenWorld } from './look.ts'

let look: ScreenWorld
let page: Page
let errors: string[]
beforeAll(async () => {
  look = await openLook()
  ;({ page, errors } = await look.demoOwner())
})
afterAll(() => look?.close())

type Matches = {
  matches: {
    customerId: string
    customerName: string | null
    candidates: { companyRecordId: string; companyName: string }[]
  }[]
  totalCount: number
}
type Subscriptions = { subscriptions: { subscriptionId: string; hubspotCompanyId: string | null }[] }

const meter = () => page.getByRole('link', { name: /% of MRR is attached to a company/ })
const dialog = () => page.getByRole('dialog', { name: 'Review Match' })

/** The companies associated with the records of a subscription in HubSpot. */
async function companiesOf(subscriptionId: string): Promise<string[]> {
  const portal = await openPortal(look.hubspotUrl)
  const type = await portal.objectTypeId('tributary_subscription')
  const records = await portal.records(type, ['stripe_subscription_id'])
  const record = records.find(({ properties }) => properties['stripe_subscription_id'] === subscriptionId)
  const ties = await portal.associations(type, '0-2', [record?.id ?? ''])
  return ties.get(record?.id ?? '') ?? []
}

async function push(): Promise<void> {
  await page.goto('/data-sync')
  await page.getByRole('button', { name: 'Push to HubSpot' }).click()
  await expectToast(page, 'Matching Complete', /Matched \d+ of \d+ records\./)
}

it('lists who waits, attached and ignored, and opens what can be decided', async () => {
  const { totalCount } = await ask<Matches>(page, '/api/matches')
  await page.goto('/match-review')
  await expectTitle(page, 'Match Review')
  expect(await columnsOf(page, 'Match Review')).toEqual(['Customer', 'MRR', 'Company', 'Why'])
  await rowsOf(page, 'Match Review')
  await expectTexts(page, `1 to ${Math.min(10, totalCount)} of ${totalCount}`)
  const filter = page.getByLabel('Show')
  await expect
    .poll(() => filter.locator('option').allTextContents())
    .toEqual(['Needs review', 'Attached', 'Ignored'])
  await filter.selectOption('ignored')
  await page.waitForURL(/\?state=ignored$/)
  await expectTexts(page, 'No customer is ignored.')
  await button(page, 'Rules').click()
  await expectTexts(page.getByRole('dialog', { name: 'Domain Rules' }), /^No rules yet\./)
  await page.keyboard.press('Escape')
  await button(page, 'Run Matching').click()
  await expectToast(page, 'Matching Complete', /Matched \d+ of \d+ records\./)
})

it('attaches a customer that waits, takes it off again, and HubSpot follows both times', async () => {
  const waiting = await ask<Matches>(page, '/api/matches?limit=100')
  const row = waiting.matches.find(({ candidates }) => candidates.length > 1)
  const [, second] = row?.candidates ?? []
  if (!row || !second) throw new Error('nobody has several candidates')
  const name = row.customerName ?? ''

  await page.goto('/')
  await meter().click()
  await page.waitForURL(/\/match-review$/)
  await page.getByPlaceholder('Search customers...').fill(row.customerId)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL(/search=/)
  await page.getByRole('button', { name, exact: true }).click()
  await dialog().getByText('It has the domain of the email.').first().waitFor()
  await dialog()
    .getByRole('button', { name: `Accept ${second.companyName}`, exact: true })
    .last()
    .click()
  await expectToast(page, 'Saved', /HubSpot follows with the next sync/)
  await page.getByText('No customers found.').waitFor()
  expect((await ask<Matches>(page, '/api/matches')).totalCount).toBe(waiting.totalCount - 1)

  const linked = await ask<Subscriptions>(page, `/api/stripe/subscriptions?search=${row.customerId}`)
  const { subscriptionId = '', hubspotCompanyId } = linked.subscriptions[0] ?? {}
  await push()
  expect(await companiesOf(subscriptionId)).toEqual([hubspotCompanyId])

  await page.goto(`/match-review?state=linked&search=${row.customerId}`)
  await page.getByRole('button', { name, exact: true }).click()
  await dialog().getByRole('button', { name: 'Unlink' }).click()
  await expectToast(page, 'Saved', /Taken off the company/)
  await push()
  expect(await companiesOf(subscriptionId)).toEqual([])
})

it('finds another company in HubSpot while one types', async () => {
  const { matches } = await ask<Matches>(page, '/api/matches?limit=100')
  const row = matches.find(({ candidates, customerName }) => candidates.length > 1 && customerName)
  const company = row?.candidates[0]?.companyName ?? ''
  await page.goto(`/match-review?search=${row?.customerId}`)
  await page.getByRole('button', { name: row?.customerName ?? '', exact: true }).click()
  await dialog().getByLabel('Choose another company').fill(company.slice(0, 6).toLowerCase())
  await dialog()
    .getByRole('button', { name: `Choose ${company}`, exact: true })
    .first()
    .waitFor()
  expect(errors).toEqual([])
})

it('says that the matches could not be fetched', async () => {
  const mend = await cutOff(page, '*/api/matches?*')
  await page.goto('/match-review')
  await expectTexts(page, 'An error occurred while fetching matches.')
  await mend()
})
