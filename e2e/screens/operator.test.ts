import { afterAll, beforeAll, expect, it } from 'vitest'
import { goOffline } from '../faults.ts'
import { ask } from '../person.ts'
import { becomeOwner, connectStripeByCall, importByCall } from '../prepare.ts'
import { operatorEmail } from '../shared-world.ts'
import {
  button,
  columnOf,
  columnsOf,
  expectTexts,
  expectTitle,
  openLook,
  type ScreenWorld,
  slowNetwork,
} from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

const password = 'a-long-enough-passphrase'
const path = '/operator/subscription-data'

it('shows the rows of a user, once one is named', async () => {
  const { page: owner } = await look.demoOwner()
  const { id } = await ask<{ id: number }>(owner, '/api/auth/current-user')
  const counts = await ask<{ totalSubscriptions: number; totalTransactions: number }>(
    owner,
    '/api/sync/status',
  )

  const { page } = await look.newPerson()
  await becomeOwner(page, { name: 'Ola Operator', email: operatorEmail, password }, 'Operators')
  await page.goto('/')
  await button(page, /Ola Operator/).click()
  await page.getByRole('link', { name: 'Subscription Data Viewer' }).click()
  await page.waitForURL(`**${path}`)
  await expectTitle(page, 'Subscription Data Viewer')
  const userId = page.getByLabel('User ID')
  await expect.poll(() => button(page, 'Fetch Data').isDisabled()).toBe(true)
  await userId.fill('987654')
  await button(page, 'Fetch Data').click()
  await expectTexts(page.getByRole('alert'), 'Error', /has no organization/)
  const atOnce = await slowNetwork(page, 1_500)
  await userId.fill(String(id))
  await userId.press('Enter')
  await expect.poll(() => button(page, 'Loading...').isDisabled()).toBe(true)
  await atOnce()
  await page.getByRole('tab', { name: `Subscriptions (${counts.totalSubscriptions})` }).waitFor()
  expect(await columnsOf(page, 'Subscriptions')).toEqual([
    'ID',
    'Company',
    'Product',
    'Status',
    'MRR',
    'Created',
    'Last Sync',
  ])
  const { subscriptions } = await ask<{ subscriptions: { currency: string }[] }>(
    page,
    `/api/operator/subscription-data/${id}`,
  )
  const amounts = await columnOf(page, 'Subscriptions', 'MRR')
  expect(amounts.map((text) => text.startsWith('¥'))).toEqual(
    subscriptions.slice(0, amounts.length).map((row) => row.currency === 'jpy'),
  )
  await page.getByRole('tab', { name: `Transactions (${counts.totalTransactions})` }).click()
  await page.getByRole('heading', { name: 'Events' }).waitFor()
  expect(await columnsOf(page, 'Events')).toEqual([
    'ID',
    'Company',
    'Related Sub',
    'MRR Change',
    'Type',
    'Date',
    'HubSpot Synced',
  ])
  expect(new Set(await columnOf(page, 'Events', 'HubSpot Synced'))).toEqual(new Set(['Synced']))

  // Imported, but never pushed.
  await connectStripeByCall(page)
  await importByCall(page)
  await userId.fill(String((await ask<{ id: number }>(page, '/api/auth/current-user')).id))
  await button(page, 'Fetch Data').click()
  await expect
    .poll(async () => new Set(await columnOf(page, 'Subscriptions', 'Last Sync')))
    .toEqual(new Set(['N/A']))
  await page.getByRole('tab', { name: /^Transactions/ }).click()
  expect(new Set(await columnOf(page, 'Events', 'HubSpot Synced'))).toEqual(new Set(['Not synced']))

  await goOffline(page)
  await userId.fill('5')
  await button(page, 'Fetch Data').click()
  await expectTexts(page.getByRole('alert'), 'The data could not be fetched. Please try again.')
})

it('is for operators only', async () => {
  const { page } = await look.demoOwner()
  await page.goto(path)
  await expectTexts(page, 'This is for operators only.')
  await button(page, /Robin Demo/).click()
  await page.getByRole('link', { name: 'Account Settings' }).waitFor()
  expect(await page.getByRole('link', { name: 'Subscription Data Viewer' }).count()).toBe(0)
})
