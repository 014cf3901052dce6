import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectHubspot, expectToast } from '../person.ts'
import { becomeOwner, connectHubspotByCall, connectStripeByCall, importByCall, send } from '../prepare.ts'
import { atStep, personOf } from '../wizard.ts'
import { button, countRequests, expectTexts, type Look, openLook } from './look.ts'

let look: Look
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

it('asks for the connections again only after 60 seconds', async () => {
  const { page } = await look.newPerson()
  await becomeOwner(page, personOf('patient'), 'Patient')
  await page.clock.install()
  const asked = countRequests(page, '/api/connection-status')
  const goOnAndBack = async () => {
    await button(page, 'Continue without connecting').click()
    await atStep(page, 'stripe')
    await page.getByRole('link', { name: 'Back' }).click()
    await atStep(page, 'hubspot')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Connect HubSpot')
  }
  await page.goto('/setup/hubspot')
  await expect.poll(asked).toBe(1)
  await page.clock.fastForward(50_000)
  await goOnAndBack()
  expect(asked()).toBe(1)
  await page.clock.fastForward(15_000)
  await goOnAndBack()
  await expect.poll(asked).toBe(2)
})

it('has a step for custom objects that could not be made: what failed, what to do, and another try', async () => {
  const { page } = await look.newPerson()
  await becomeOwner(page, personOf('objects'), 'Objects')
  await connectStripeByCall(page)
  await page.goto('/setup/hubspot')
  await connectHubspot(page, /no custom objects/)
  await atStep(page, 'stripe')
  await button(page, 'Continue').click()
  await atStep(page, 'objects')
  await page.getByRole('heading', { name: 'Custom Objects' }).waitFor()
  const steps = page.getByRole('list', { name: 'Setup steps' }).getByRole('listitem')
  expect(await steps.nth(2).textContent()).toBe('3Custom Objects')
  const alert = page.getByRole('alert').filter({ hasText: 'The custom objects could not be created' })
  await expectTexts(alert, /Enterprise/)
  const objects = page.getByRole('main').getByRole('listitem')
  await expect.poll(() => objects.filter({ hasText: /: failed\. \S/ }).count()).toBe(2)
  expect(await button(page, 'Continue').isDisabled()).toBe(true)
  await button(page, 'Retry').click()
  await expectToast(page, 'Custom objects could not be created', /Enterprise/)
  await page.context().setOffline(true)
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
  expect(await objects.filter({ hasText: ': ready' }).count()).toBe(2)
  await button(page, 'Continue').click()
  await atStep(page, 'import')

  // An import that ended while nobody looked is found, and marked.
  await importByCall(page)
  await page.goto('/setup/import')
  await expectTexts(page.getByRole('main'), 'Import Complete')
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
  await page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 100))
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

it('counts a sync as complete when everything stands in HubSpot already', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/setup/sync')
  const main = page.getByRole('main')
  await expectTexts(main, 'Sync Complete', 'All subscriptions and events are in HubSpot.')
  for (const name of ['Subscriptions', 'Events']) {
    const synced = main.getByRole('progressbar', { name: `${name} synced to HubSpot` })
    await expect.poll(() => synced.getAttribute('aria-valuenow')).toBe('100')
  }
  expect(await button(page, 'Continue').isEnabled()).toBe(true)
})
