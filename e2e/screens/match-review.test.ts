import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutOff } from '../faults.ts'
import { ask, expectToast } from '../person.ts'
import { openPortal } from '../portal.ts'
import {
  button,
  columnsOf,
  countRequests,
  expectTexts,
  expectTitle,
  openLook,
  rowsOf,
  type ScreenWorld,
} from './look.ts'

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

const meter = () => page.getByRole('link', { name: /% of MRR matched/ })
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
  await page.getByRole('button', { name: 'Sync to HubSpot' }).click()
  await expectToast(page, 'Matching Complete', /(still needs? review|waits for a company)\./)
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
  await expectToast(page, 'Matching Complete', /(still needs? review|waits for a company)\./)
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
  await page.waitForURL(/search=/)
  await page.getByRole('button', { name, exact: true }).click()
  await dialog().getByText('It has the domain of the email.').first().waitFor()
  await dialog()
    .getByRole('button', { name: `Accept ${second.companyName}`, exact: true })
    .last()
    .click()
  await expectToast(page, `Saved for ${name}`, /HubSpot follows with the next sync/)
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

type Decisions = { decisions: { decisionId: string }[] }

const decisionIds = async () => {
  const { decisions } = await ask<Decisions>(page, '/api/matches/decisions')
  return decisions.map(({ decisionId }) => decisionId)
}

/** Undoes every decision but these, so that the shared world is as it was. */
async function undoAllBut(kept: readonly string[]): Promise<void> {
  for (;;) {
    const made = (await decisionIds()).filter((id) => !kept.includes(id))
    if (made.length === 0) return
    for (const decisionId of made) {
      const status = await page.evaluate(async (id) => {
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify({ decisionId: id })
        return (await fetch('/api/matches/decisions/undo', { method: 'POST', headers, body })).status
      }, decisionId)
      expect(status).toBe(200)
    }
  }
}

const focusedCustomer = () =>
  page.evaluate(
    () => document.activeElement?.closest('tr')?.querySelector('[data-customer]')?.textContent ?? null,
  )

it('takes one key for each customer, and no dialog', async () => {
  const before = await ask<Matches>(page, '/api/matches?limit=100')
  const kept = await decisionIds()
  const count = before.totalCount - 1
  await page.goto('/match-review?perPage=100')
  await rowsOf(page, 'Match Review')
  await page.locator('[data-customer]').first().focus()
  let keys = 0
  let dialogs = 0
  for (const { customerId, candidates } of before.matches.slice(0, count)) {
    await page.keyboard.press(candidates.length > 0 ? 'a' : 'i')
    keys += 1
    await expect.poll(() => page.locator(`[data-customer="${customerId}"]`).count()).toBe(0)
    await expect.poll(focusedCustomer).not.toBe(null)
    dialogs += await page.getByRole('dialog').count()
  }
  expect([keys / count, dialogs]).toEqual([1, 0])
  expect((await ask<Matches>(page, '/api/matches')).totalCount).toBe(before.totalCount - count)
  await undoAllBut(kept)
  await page.reload()
  await rowsOf(page, 'Match Review')
  expect((await ask<Matches>(page, '/api/matches?limit=100')).matches).toEqual(before.matches)
})

it('decides about many at once after it has said what that does, and Undo takes all of it back', async () => {
  const before = await ask<Matches>(page, '/api/matches?limit=10')
  await page.goto('/match-review')
  const bar = page.getByRole('region', { name: 'Decide about many' })
  await expectTexts(bar, 'Highest MRR first')
  await page.getByLabel('Select all on this page').check()
  await expectTexts(bar, '10 selected', /Ignore changes nothing in HubSpot\./)
  const accepted = before.matches.filter(({ candidates }) => candidates.length > 0).length
  if (accepted > 0)
    await expectTexts(bar, /^Accept attaches [\d,]+ records? to \d+ compan(y|ies) in HubSpot with the next /)
  const sent = countRequests(page, '/api/matches/decisions', 'POST')
  await button(bar, 'Ignore 10').dblclick()
  await expectToast(page, 'Saved', /Ignored 10 customers\./)
  expect(sent()).toBe(1)
  await expect
    .poll(async () => (await ask<Matches>(page, '/api/matches')).totalCount)
    .toBe(before.totalCount - 10)
  await button(page, 'Undo').first().click()
  await expectToast(page, 'Undone', /10 customers are as before\. Nothing changes in HubSpot/)
  expect((await ask<Matches>(page, '/api/matches?limit=10')).matches).toEqual(before.matches)
})

it('leads from one customer to the next by keys, shows them, and keeps what was typed', async () => {
  const { totalCount } = await ask<Matches>(page, '/api/matches')
  await page.goto('/match-review')
  await page.locator('[data-customer]').first().press('Enter')
  await expectTexts(dialog(), `Customer 1 of ${totalCount}`, 'J next', 'K previous')
  await page.keyboard.press('j')
  await expectTexts(dialog(), `Customer 2 of ${totalCount}`)
  await page.keyboard.press('k')
  await expectTexts(dialog(), `Customer 1 of ${totalCount}`)
  const newName = dialog().getByLabel('Create a company')
  await newName.fill('Typed Before')
  await button(dialog(), 'Next').click()
  await expectTexts(dialog(), `Customer 2 of ${totalCount}`)
  await expect.poll(() => newName.inputValue()).not.toBe('Typed Before')
  await button(dialog(), 'Previous').click()
  await expect.poll(() => newName.inputValue()).toBe('Typed Before')
  const id = await page.locator('[data-customer]').first().getAttribute('data-customer')
  // Letters that follow each other at once are a name that somebody types.
  const decide = (key: string) => page.waitForTimeout(300).then(() => page.keyboard.press(key))
  await decide('i')
  await expectTexts(dialog(), `Customer 1 of ${totalCount - 1}`)
  await decide('u')
  await expectTexts(dialog(), `Customer 1 of ${totalCount}`)
  await decide('i')
  await expectTexts(dialog(), `Customer 1 of ${totalCount - 1}`)
  await expectTexts(dialog(), '1 decided')
  await page.keyboard.press('Escape')
  const first = page.locator('[data-customer]').first()
  await expect.poll(() => first.evaluate((row) => row === document.activeElement)).toBe(true)
  await page
    .getByRole('region', { name: 'Recent decisions' })
    // An earlier decision, which this one follows, may still be listed.
    .getByRole('button', { name: /^Undo: ignored/ })
    .first()
    .click()
  await expectToast(page, 'Undone', /is as before\. Nothing changes in HubSpot/)
  await expect.poll(async () => (await ask<Matches>(page, '/api/matches')).totalCount).toBe(totalCount)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-customer'))
  await expect.poll(focused).toBe(id)
})

it('groups the customers that wait by reason', async () => {
  await page.goto('/match-review')
  const group = page.getByRole('region', { name: 'Reasons' }).getByRole('button').nth(1)
  const count = Number(/\d+$/.exec((await group.textContent()) ?? '')?.[0])
  await group.click()
  await page.waitForURL(/\?state=\w+$/)
  await expectTexts(page, `1 to ${Math.min(10, count)} of ${count}`)
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
