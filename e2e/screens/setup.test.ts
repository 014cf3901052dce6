import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alterAnswers, answerInstead, failedWithoutReason, goOffline } from '../faults.ts'
import { connectHubspot, connectStripe, expectToast } from '../person.ts'
import { becomeOwner, connectHubspotByCall, connectStripeByCall, importByCall, send } from '../prepare.ts'
import { atStep, personOf } from '../wizard.ts'
import {
  button,
  colorOf,
  countRequests,
  expectTexts,
  holdTime,
  isGreen,
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

it('asks for the connections again only after 60 seconds', async () => {
  const { page } = await look.newPerson()
  await becomeOwner(page, personOf('patient'), 'Patient')
  const setTime = await holdTime(page)
  const asked = countRequests(page, '/api/connection-status')
  const goOnAndBack = async () => {
    await button(page, 'Continue without connecting').click()
    await atStep(page, 'stripe')
    await page.getByRole('link', { name: 'Back' }).click()
    await atStep(page, 'hubspot')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Connect HubSpot')
  }
  // The 60 seconds begin with the answer.
  const answered = page.waitForResponse('**/api/connection-status').then((answer) => answer.finished())
  await page.goto('/setup/hubspot')
  await answered
  await atStep(page, 'hubspot')
  await button(page, 'Continue without connecting').waitFor()
  expect(asked()).toBe(1)
  await setTime(59)
  await goOnAndBack()
  expect(asked()).toBe(1)
  await setTime(61)
  await goOnAndBack()
  await expect.poll(asked).toBe(2)
})

it('has a step for custom objects that could not be made: what failed, what to do, and another try', async () => {
  const { page } = await look.newPerson()
  await becomeOwner(page, personOf('objects'), 'Objects')
  await connectStripeByCall(page)
  await page.goto('/setup/hubspot')
  await connectHubspot(page, /no custom objects/)
  // The step stays visible, because this account cannot be written to.
  await expectTexts(page, 'Connected, but nothing can be written yet')
  await button(page, 'Continue').click()
  await atStep(page, 'stripe')
  // The address is there before the step is, and the step before has such a button too.
  await page.getByRole('heading', { name: 'Connect Stripe' }).waitFor()
  await button(page, 'Continue').click()
  await atStep(page, 'objects')
  await page.getByRole('heading', { name: 'Custom Objects' }).waitFor()
  const steps = page.getByRole('list', { name: 'Setup steps' }).getByRole('listitem')
  await expect.poll(() => steps.nth(2).textContent()).toBe('3Custom Objects')
  const alert = page.getByRole('alert').filter({ hasText: 'The custom objects could not be created' })
  await expectTexts(alert, /Enterprise/)
  const objects = page.getByRole('main').getByRole('listitem')
  await expect
    .poll(() => objects.filter({ hasText: /^Stripe subscriptions, MRR events: failed\. \S/ }).count())
    .toBe(1)
  await button(page, 'Continue without objects').click()
  await atStep(page, 'import')
  await expect.poll(() => steps.nth(2).textContent()).toBe('Custom Objects not done')
  await page.getByRole('link', { name: 'Step 3: Custom Objects' }).click()
  await atStep(page, 'objects')
  await button(page, 'Retry').click()
  await expectToast(page, 'Custom objects could not be created', /Enterprise/)
  await goOffline(page)
  await button(page, 'Retry').click()
  await expectToast(page, 'Custom objects could not be created', /could not be reached\. Please try again\./)
  await page.context().setOffline(false)

  await send(page, 'POST', '/api/hubspot/disconnect', {})
  await connectHubspotByCall(page)
  await send(page, 'POST', '/api/hubspot/accept-portal', { portalId: '24180001' })
  await page.goto('/setup/objects')
  await button(page, 'Retry').click()
  await expectToast(page, 'Custom objects created', '')
  await expectTexts(page, 'Both custom objects exist')
  await expect
    .poll(() => objects.filter({ hasText: 'Stripe subscriptions, MRR events: ready' }).count())
    .toBe(1)
  await button(page, 'Continue').click()
  await atStep(page, 'import')

  // The screen finds and marks an import that ended while no page was open.
  await importByCall(page)
  await page.goto('/setup/import')
  await expectTexts(page.getByRole('main'), 'Import Complete')
  expect(isGreen(await colorOf(page.getByRole('main').getByText('Import Complete')))).toBe(true)
  await expect.poll(() => button(page, 'Continue').isEnabled()).toBe(true)
  expect(await send(page, 'GET', '/api/setup/progress')).toMatchObject({ dataImported: true })
})

it('shows the success for a second and a half before it goes on', async () => {
  const { page } = await look.newPerson()
  await becomeOwner(page, personOf('steady'), 'Steady')
  await page.clock.install()
  await page.goto('/setup/hubspot')
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page, 'Connect HubSpot').click()])
  await popup.getByLabel(/Enterprise/).check()
  await pauseClock(page)
  const saved = countRequests(page, '/api/setup/progress', 'PATCH')
  await popup.getByRole('button', { name: 'Connect app' }).click()
  await expectToast(page, 'Connected to HubSpot', '')
  await page.clock.runFor(1_400)
  expect([saved(), new URL(page.url()).pathname]).toEqual([0, '/setup/hubspot'])
  await page.clock.runFor(200)
  await expect.poll(saved).toBe(1)
  await page.clock.resume()
  await atStep(page, 'stripe')
})

it('lists at the end what is done and what is not, and how many records need review', async () => {
  const { page } = await look.newPerson()
  await becomeImported(page, 'ending')
  await send(page, 'POST', '/api/matches/run', {})
  const { pendingMatchCount } = await send(page, 'GET', '/api/setup/progress')
  expect(pendingMatchCount).toBeGreaterThan(0)
  await page.goto('/setup/finish')
  const done = (text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text })
  await done('History imported').getByLabel('Done:', { exact: true }).waitFor()
  await done('Data synced').getByLabel('Not done:', { exact: true }).waitFor()
  await page
    .getByRole('link', { name: `${pendingMatchCount} records need review in the match queue` })
    .click()
  await page.waitForURL('**/match-review')
})

it('lets a switch be turned again only once that is saved', async () => {
  const { page } = await look.newPerson()
  await becomeOwner(page, personOf('switching'), 'Switching')
  await page.goto('/setup/sync')
  const contacts = page.getByRole('switch', { name: 'Auto-Create Contacts' })
  const companies = page.getByRole('switch', { name: 'Auto-Create Companies' })
  await expect.poll(() => contacts.isEnabled()).toBe(true)
  const atOnce = await slowNetwork(page, 1_500)
  await contacts.click()
  const areSaving = () => Promise.all([contacts, companies].map((one) => one.getAttribute('aria-busy')))
  await expect.poll(areSaving).toEqual(['true', 'true'])
  await companies.click()
  await expect.poll(areSaving).toEqual(['false', 'false'])
  await expect.poll(() => companies.isChecked()).toBe(true)
  await atOnce()
})

describe('what our server never answers, put in its place as by a broken proxy', () => {
  it('is told in words of our own where the answer has none', async () => {
    const { page } = await look.newPerson()
    await becomeOwner(page, personOf('wordless'), 'Wordless')
    await page.goto('/setup/stripe')
    await answerInstead(page, '**/api/stripe/connect', { connected: false, message: '' })
    await connectStripe(page, 'sk_test_tributary_demo')
    await expectToast(page, 'Connection Failed', 'Failed to connect to Stripe. Please check your API key.')

    await connectStripeByCall(page)
    await page.goto('/setup/import')
    const start = button(page, 'Import All Stripe Data')
    const refused = { success: false, importId: '', message: '', totalCustomers: 0, totalTransactions: 0 }
    const mend = await answerInstead(page, '**/api/import/historical', refused)
    await start.click()
    await expectToast(page, 'Import Failed', 'Failed to start data import.')
    await mend()
    await alterAnswers<object>(page, '**/api/import/historical/*/progress', (progress) => ({
      ...progress,
      status: 'failed',
      message: '',
    }))
    await start.click()
    await expectToast(page, 'Import Failed', 'Failed to import data.')
    await expectTexts(page.getByRole('main'), 'Import Failed', 'Failed to import data.')
  })

  it('is a sync that failed: without an id, and without a reason', async () => {
    const { page } = await look.newPerson()
    await becomeImported(page, 'unnamed')
    await page.goto('/setup/sync')
    const sync = button(page, /^Sync [\d,]+ Remaining Records to HubSpot$/)
    const mend = await answerInstead(page, '**/api/sync/push-all', { importId: '' })
    await sync.click()
    await expectToast(page, 'Sync failed', 'No import ID returned. Please try again.')
    await expect.poll(() => sync.isEnabled()).toBe(true)
    await mend()
    await answerInstead(page, '**/api/sync/push-all', { importId: 'run_of_a_proxy' })
    await answerInstead(page, '**/api/sync/status/run_of_a_proxy', failedWithoutReason)
    await sync.click()
    await expectToast(page, 'Sync Failed', 'Failed to sync data to HubSpot.')
  })
})

/** An organization with both connections and its whole history, and no records in HubSpot. */
async function becomeImported(page: Page, name: string): Promise<void> {
  await becomeOwner(page, personOf(name), name)
  await connectStripeByCall(page)
  await connectHubspotByCall(page)
  await importByCall(page)
}
