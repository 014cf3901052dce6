import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutOff, revokeGrant, switchAllOff, switchOn, withoutNetwork } from './faults.ts'
import { expectToast, goOn } from './person.ts'
import {
  becomeOwner,
  connectHubspotByCall,
  connectStripeByCall,
  enter,
  importByCall,
  send,
} from './prepare.ts'
import { button, colorOf, expectPolled, expectTexts, isGreen, slowNetwork } from './screens/look.ts'
import { atStep, personOf, sidebarOf } from './wizard.ts'
import { type BrowserWorld, openWorld } from './world.ts'

let world: BrowserWorld
let page: Page
beforeAll(async () => {
  world = await openWorld({ simulatorArgs: ['--customers=12'] })
  ;({ page } = await world.newPerson())
  await becomeOwner(page, personOf('importer'), 'Importer')
  await connectHubspotByCall(page)
  await connectStripeByCall(page)
  await page.goto('/setup/import')
})
afterAll(() => world?.close())

const at = (step: string) => atStep(page, step)
const sidebar = () => sidebarOf(page)
const offline = (act: () => Promise<void>) => withoutNetwork(page, act)

describe('the import step', () => {
  const start = () => button(page, 'Import All Stripe Data')

  it('says what will happen, and why it could not start', async () => {
    await page.getByRole('heading', { name: 'Import Stripe Data' }).waitFor()
    await expectTexts(
      page,
      'All of your subscription and invoice history is imported.',
      'MRR changes are calculated from invoices.',
      'Nothing syncs to HubSpot until you are ready.',
      'The import may take several minutes.',
    )
    await expect.poll(() => button(page, 'Continue').isDisabled()).toBe(true)
    await offline(async () => {
      await start().click()
      await expectToast(page, 'Import Error', 'An error occurred while starting data import.')
    })
    await send(page, 'POST', '/api/stripe/disconnect', {})
    await start().click()
    await expectToast(page, 'Import Failed', /not connected|Connect Stripe/i)
    await connectStripeByCall(page)
  })

  it('is asked for every two seconds while it runs, also after leaving and coming back', async () => {
    await world.product.killWorker()
    await page.goto('/setup/import')
    await start().click()
    await expectToast(page, 'Import Started', '')
    const importing = page.getByRole('status').filter({ hasText: 'Importing Your Stripe Data' })
    await importing.locator('.mantine-Loader-root').waitFor()
    await expect.poll(() => button(page, 'Starting Import...').isDisabled()).toBe(true)
    await page.goto('/')

    // A separate browser profile, because freezing the clock affects all pages of one.
    const { page: watching, context } = await world.newPerson()
    await enter(watching, personOf('importer'))
    await watching.clock.install()
    await watching.goto('/setup/import')
    await watching.getByText('Importing Your Stripe Data').waitFor()
    await expectPolled(watching, '/api/import/historical/', 2_000)
    await context.close()
  })

  it('tells why it failed, and can be started again', async () => {
    await page.goto('/setup/import')
    await switchOn(world.product.stripeUrl, { kind: 'invalid_key', match: { times: null } })
    await world.product.startWorker()
    await expectToast(page, 'Import Failed', /Stripe/)
    await page.getByRole('alert').getByText('Import Failed').first().waitFor()
    await switchAllOff(world.product.stripeUrl)
    await start().click()
    await expectToast(page, 'Import Complete', /^.*Successfully imported \d+ customers and [\d,]+ events\./)
    await expectTexts(
      page.getByRole('main'),
      'Import Complete',
      /^Successfully imported \d+ customers and [\d,]+ events\.$/,
    )
  })

  it('can be reset and done anew', async () => {
    await expectTexts(page, 'Need to reimport?')
    await offline(async () => {
      await button(page, 'Restart Import Only').click()
      await expectToast(page, 'Import Error', 'An error occurred while saving your progress.')
    })
    await button(page, 'Restart Import Only').click()
    await expectToast(page, 'Import reset', '')
    expect(await send(page, 'GET', '/api/setup/progress')).toMatchObject({ dataImported: false })
    await expect.poll(() => button(page, 'Continue').isDisabled()).toBe(true)
    await start().click()
    await expectToast(page, 'Import Complete', /Successfully imported \d+ customers/)
    await goOn(page)
    await at('sync')
  })
})

describe('the sync step', () => {
  const sync = () => button(page, /^Sync [\d,]+ Remaining Records to HubSpot$/)

  it('says which connection is missing', async () => {
    const { page: other } = await world.newPerson()
    await becomeOwner(other, personOf('lacking'), 'Lacking')
    const missing = async (text: string) => {
      await other.goto('/setup/sync')
      const alert = other.getByRole('alert').filter({ hasText: 'Connection Required' })
      await expectTexts(alert, text)
      expect(isGreen(await colorOf(alert.getByText('Connection Required')))).toBe(false)
      await expect.poll(() => button(other, /^Sync 0 Remaining/).isDisabled()).toBe(true)
      await expect.poll(() => button(other, 'Continue').isDisabled()).toBe(true)
    }
    await missing('Both HubSpot and Stripe connections are required for sync.')
    await connectStripeByCall(other)
    await missing('HubSpot connection is required for sync.')
    await send(other, 'POST', '/api/stripe/disconnect', {})
    await connectHubspotByCall(other)
    await missing('Stripe connection is required for sync.')
    // Both are connected but nothing is imported, so there is nothing to sync.
    await connectStripeByCall(other)
    await other.reload()
    const none = button(other, 'Sync 0 Remaining Records to HubSpot')
    await expect.poll(() => other.getByText('Connection Required').count()).toBe(0)
    await expectTexts(other, 'There is nothing to sync yet: import your Stripe data first.')
    await expect.poll(() => none.isDisabled()).toBe(true)
  })

  it('has two switches that are on, and says when one cannot be saved', async () => {
    await page.getByRole('heading', { name: 'Sync Data to HubSpot' }).waitFor()
    const panel = page.getByRole('region', { name: 'Sync Settings' })
    await expectTexts(panel, /Excludes personal email providers/)
    const contacts = panel.getByRole('switch', { name: 'Auto-Create Contacts' })
    await expect.poll(() => contacts.isEnabled()).toBe(true)
    await expect.poll(() => contacts.isChecked()).toBe(true)
    await expect
      .poll(() => panel.getByRole('switch', { name: 'Auto-Create Companies' }).isChecked())
      .toBe(true)
    await offline(async () => {
      await contacts.click()
      await expectToast(page, 'Failed to update settings', 'An error occurred while updating settings.')
    })
    await expect.poll(() => contacts.isChecked()).toBe(true)
    for (const isOn of [false, true]) {
      await contacts.click()
      await expectToast(page, 'Settings updated', '')
      await expect.poll(() => contacts.isChecked()).toBe(isOn)
    }
  })

  it('says why a sync could not start, and why one failed', async () => {
    const summary = page.getByRole('region', { name: 'Sync Data Summary' })
    for (const name of ['Subscriptions', 'Events']) {
      const card = summary.getByRole('region', { name })
      await expectTexts(card, 'Total', 'Synced to HubSpot')
      expect(await card.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('0')
    }
    await offline(async () => {
      await sync().click()
      await expectToast(page, 'Failed to sync to HubSpot', 'Failed to sync data to HubSpot.')
    })
    await send(page, 'POST', '/api/hubspot/disconnect', {})
    await sync().click()
    await expectToast(page, 'Failed to sync to HubSpot', /connections are required/)
    await connectHubspotByCall(page)
    await revokeGrant(world.product.hubspotUrl)
    await sync().click()
    await expectToast(page, 'Sync Failed', /no longer accepts this connection/)
    await connectHubspotByCall(page)
    // The disconnect restarted the setup: the earlier import does not count.
    await importByCall(page)
  })

  it('shows how far it is, and ends with everything in HubSpot', async () => {
    await world.product.killWorker()
    await page.goto('/setup/sync')
    const atOnce = await slowNetwork(page, 400)
    await sync().click()
    await expect.poll(() => button(page, 'Starting sync...').isDisabled()).toBe(true)
    await expectToast(page, 'HubSpot sync started', '')
    await atOnce()
    await expectTexts(page, '0%', /You can leave this page: the sync goes on/)
    await expect.poll(() => button(page, 'Starting sync...').isDisabled()).toBe(true)
    await sidebar().getByRole('link', { name: 'Dashboard' }).click()
    await expectTexts(page, 'Current MRR')
    await page.goBack()
    await at('sync')
    await expectTexts(page, '0%')
    await expect.poll(() => button(page, 'Starting sync...').isDisabled()).toBe(true)
    await expect.poll(() => button(page, 'Continue').isDisabled()).toBe(true)

    const { page: watching, context } = await world.newPerson()
    await enter(watching, personOf('importer'))
    await watching.clock.install()
    await watching.goto('/setup/sync')
    await watching.getByText('0%', { exact: true }).waitFor()
    await expectPolled(watching, '/api/sync/status/', 2_000)
    await context.close()

    // A failed poll does not end the run: the next poll continues.
    const mend = await cutOff(page, '*/api/sync/status/*')
    await page.waitForEvent('console', (message) => message.text().startsWith('A poll failed'))
    await page.waitForEvent('requestfailed', (request) => request.url().includes('/api/sync/status/'))
    await mend()
    await world.product.startWorker()
    await expectToast(page, 'Sync Complete', /./)
    const texts = ['Sync Complete', 'All subscriptions and events are in HubSpot.']
    const main = page.getByRole('main')
    await expectTexts(main, ...texts)

    // It is as complete for a page that did not see the run.
    await page.reload()
    await expectTexts(main, ...texts)
    expect(isGreen(await colorOf(main.getByText('Sync Complete')))).toBe(true)
    for (const name of ['Subscriptions', 'Events']) {
      const synced = main.getByRole('progressbar', { name: `${name} synced to HubSpot` })
      await expect.poll(() => synced.getAttribute('aria-valuenow')).toBe('100')
    }
    await goOn(page)
    await at('finish')
  })
})

describe('the finish step', () => {
  it('lists what was done, and says when it cannot be saved', async () => {
    await page.getByRole('heading', { name: 'Setup Complete' }).waitFor()
    await expectTexts(page, 'Tributary is Set Up!')
    for (const text of [
      'Connected to HubSpot',
      'Connected to Stripe',
      'Custom objects created',
      'History imported',
      'Data synced',
    ]) {
      const item = page.getByRole('main').getByRole('listitem').filter({ hasText: text })
      await item.getByLabel('Done:', { exact: true }).waitFor()
    }
    const { pendingMatchCount } = await send(page, 'GET', '/api/setup/progress')
    const review = page.getByText(`${pendingMatchCount} records need review in the match queue`)
    await expect.poll(() => review.count()).toBe(Number(pendingMatchCount) > 0 ? 1 : 0)
    await expect
      .poll(() => page.getByLabel('Enable automatic sync to HubSpot (Recommended)').isChecked())
      .toBe(true)
    await offline(async () => {
      await button(page, 'Finish Setup').click()
      await expectToast(page, 'Error completing setup', 'An error occurred while saving your progress.')
    })
  })

  it('finishes although the automatic sync could not be saved, and is then gone', async () => {
    const mend = await cutOff(page, '*/api/setup/auto-sync')
    const atOnce = await slowNetwork(page, 400)
    await button(page, 'Finish Setup').click()
    await expect.poll(() => button(page, 'Saving...').isDisabled()).toBe(true)
    await atOnce()
    await expectToast(page, 'Setup completed!', '')
    await page.waitForURL((url) => url.pathname === '/')
    await mend()
    await sidebar().getByRole('link', { name: 'Dashboard' }).waitFor()
    expect(await sidebar().getByRole('link', { name: 'Setup Wizard' }).count()).toBe(0)
    await page.goto('/setup/finish')
    await page.waitForURL((url) => url.pathname === '/')
  })
})
