import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutOff, revokeGrant, switchAllOff, switchOn, withoutNetwork } from './faults.ts'
import { expectToast } from './person.ts'
import {
  becomeOwner,
  connectHubspotByCall,
  connectStripeByCall,
  enter,
  importByCall,
  send,
} from './prepare.ts'
import {
  button,
  countRequests,
  expectPolled,
  expectTexts,
  expectTitle,
  holdTime,
  rowsOf,
} from './screens/look.ts'
import { type BrowserWorld, openWorld } from './world.ts'

let world: BrowserWorld
let page: Page
beforeAll(async () => {
  world = await openWorld({ simulatorArgs: ['--customers=12'] })
  ;({ page } = await world.newPerson())
  await becomeOwner(page, person, 'Sync')
})
afterAll(() => world?.close())

const person = { name: 'Sam Sync', email: 'sam@sync.example', password: 'a-long-enough-passphrase' }
const card = (name: string) => page.getByRole('region', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })
const actions = ['Import from Stripe', 'Import All History', 'Sync to HubSpot']

const offline = (act: () => Promise<void>) => withoutNetwork(page, act)

const isOff = (name: string) => button(page, name).isDisabled()

/** Opens the menu of a card by keyboard. */
async function disconnectItem(name: string): Promise<Locator> {
  await button(card(name), `More actions for ${name}`).press('Enter')
  return page.getByRole('menuitem', { name: `Disconnect ${name}` })
}

describe('the connections', () => {
  it('are both asked for before anything can be synced', async () => {
    await page.goto('/data-sync')
    await expectTitle(page, 'Data Sync')
    await page.getByRole('heading', { name: 'Integration Management' }).waitFor()
    await expectTexts(
      page,
      'Setup Required',
      'You need to connect both HubSpot and Stripe before you can sync data.',
    )
    for (const name of ['HubSpot', 'Stripe']) await expectTexts(card(name), 'Not connected')
    for (const name of actions) expect(await isOff(name)).toBe(true)
    expect(await card('Sync Settings').count()).toBe(0)
    await page.getByRole('tab', { name: 'Sync History' }).click()
    await page.waitForURL('**/sync-history')
  })

  it('take no key that cannot be one, and say why Stripe was not connected', async () => {
    await page.goto('/data-sync')
    const key = card('Stripe').getByLabel('Stripe API Key')
    const connect = button(card('Stripe'), 'Connect Stripe')
    await expect.poll(() => connect.isDisabled()).toBe(true)
    await key.fill('   ')
    await expect.poll(() => connect.isDisabled()).toBe(true)
    await key.press('Enter')
    await expectToast(page, 'API Key Required', 'Please enter your Stripe secret API key.')
    await key.fill('pk_test_publishable')
    await connect.click()
    await expectToast(page, 'Invalid API Key', 'API key must start with sk_.')
    await key.fill('sk_test_wrong')
    await connect.click()
    await expectToast(page, 'Failed to connect to Stripe', /Stripe refuses this API key/)
    await offline(async () => {
      await connect.click()
      await expectToast(page, 'Failed to connect to Stripe', /Please check your API key\./)
    })
    await key.fill('sk_test_tributary_demo')
    await connect.click()
    await expectToast(page, 'Connected to Stripe', /./)
    await expectTexts(card('Stripe'), 'Connected', /^Account acct_/, /^API key sk_test/)
  })

  it('lead the whole window to HubSpot, and tell how that ended', async () => {
    await offline(async () => {
      await button(card('HubSpot'), 'Connect HubSpot').click()
      await expectToast(page, 'Failed to connect to HubSpot', /Failed to generate/)
    })
    await button(card('HubSpot'), 'Connect HubSpot').click()
    await button(page, 'Deny').click()
    await expectToast(page, 'Failed to connect to HubSpot', /was not connected/)
    await button(card('HubSpot'), 'Connect HubSpot').click()
    await page.getByLabel(/Enterprise/).check()
    await button(page, 'Connect app').click()
    await page.waitForURL('**/data-sync')
    await expectToast(page, 'Connected to HubSpot', '')
    await expectTexts(card('HubSpot'), 'Connected', 'Portal 24180001')
    expect(await page.getByText('Setup Required').count()).toBe(0)
  })

  it.each([
    [
      'HubSpot',
      'Are you sure you want to disconnect from HubSpot? This will reset your setup progress.',
      connectHubspotByCall,
    ],
    [
      'Stripe',
      'Are you sure you want to disconnect from Stripe? This will reset your Stripe integration.',
      (on: Page) => connectStripeByCall(on),
    ],
  ] as const)('are ended only on a second yes: %s', async (name, question, connectAgain) => {
    await (await disconnectItem(name)).click()
    await expectTexts(dialog(`Disconnect ${name}`), question)
    await button(dialog(`Disconnect ${name}`), 'Cancel').click()
    await dialog(`Disconnect ${name}`).waitFor({ state: 'hidden' })
    await (await disconnectItem(name)).click()
    await offline(async () => {
      await button(dialog(`Disconnect ${name}`), 'Disconnect').click()
      await expectToast(page, `Failed to disconnect from ${name}`, 'Please try again.')
    })
    await expectTexts(dialog(`Disconnect ${name}`), `Failed to disconnect from ${name}`, 'Please try again.')
    await button(dialog(`Disconnect ${name}`), 'Disconnect').click()
    await expectToast(page, `Disconnected from ${name}`, '')
    await expectTexts(page, 'Setup Required')
    await connectAgain(page)
    await page.reload()
    await (await disconnectItem(name)).waitFor()
    await page.keyboard.press('Escape')
    // The closed menu gives its focus back a moment later, and the next key would go there.
    await card(name).locator(':focus').waitFor()
  })
})

describe('the settings', () => {
  it.each([
    ['Auto-Create Contacts', 'Failed to update contact setting', /while updating the setting\.$/],
    ['Auto-Create Companies', 'Failed to update company setting', /while updating the setting\.$/],
    ['Automatic HubSpot Sync', 'Failed to update auto-sync', /while updating auto-sync\.$/],
  ])('%s is on, is saved, and turns back when it cannot be', async (label, title, text) => {
    const toggle = card('Sync Settings').getByRole('switch', { name: label })
    await expect.poll(() => toggle.isEnabled()).toBe(true)
    await expect.poll(() => toggle.isChecked()).toBe(true)
    await offline(async () => {
      await toggle.click()
      await expectToast(page, title, text)
    })
    await expect.poll(() => toggle.isChecked()).toBe(true)
    await toggle.click()
    await expectToast(page, 'Settings updated', '')
    await expect.poll(() => toggle.isChecked()).toBe(false)
    await toggle.click()
    await expect.poll(() => toggle.isChecked()).toBe(true)
  })
})

describe('runs by hand', () => {
  it('tell why an import failed', async () => {
    await page.reload()
    await switchOn(world.product.stripeUrl, { kind: 'invalid_key', match: { times: null } })
    await button(page, 'Import from Stripe').click()
    // The toast of the start is replaced at once.
    await expectToast(page, 'Stripe import failed', /Stripe/)
    await switchAllOff(world.product.stripeUrl)
  })

  it('hold up every other action while one runs, and are polled', async () => {
    await page.reload()
    await world.product.killWorker()
    const asked: Record<string, unknown>[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/import/start')) asked.push(JSON.parse(request.postData() ?? '{}'))
    })
    await expect.poll(() => isOff('Import from Stripe')).toBe(false)
    await button(page, 'Import from Stripe').click()
    await expectToast(page, 'Import Started', '')
    await card('Manual Data Sync').getByRole('progressbar').waitFor({ state: 'attached' })
    for (const name of [...actions, 'Change API Key']) expect(await isOff(name)).toBe(true)
    for (const name of ['HubSpot', 'Stripe']) {
      const item = await disconnectItem(name)
      await expect.poll(() => item.isDisabled()).toBe(true)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('tab', { name: 'Sync History' }).click()
    const [running] = await rowsOf(page, 'Sync History')
    expect(running?.toSpliced(2, 1).slice(0, 5)).toEqual([
      'In Progress',
      'Data Import',
      'In progress',
      '0',
      '0',
    ])
    await page.goBack()
    await card('Manual Data Sync').getByRole('progressbar').waitFor({ state: 'attached' })
    expect(await isOff('Import from Stripe')).toBe(true)
    const [window] = asked
    const days = (Date.parse(String(window?.['endDate'])) - Date.parse(String(window?.['startDate']))) / 864e5
    expect(days).toBeGreaterThanOrEqual(28)
    expect(days).toBeLessThanOrEqual(31)

    // A separate browser profile, because freezing the clock affects all pages of one.
    const { page: watching, context } = await world.newPerson()
    await enter(watching, person)
    await watching.clock.install()
    await watching.goto('/data-sync')
    await watching.getByRole('progressbar').first().waitFor({ state: 'attached' })
    await expectPolled(watching, '/api/import/status', 2_000)
    await watching.clock.resume()
    await expectPolled(watching, '/api/sync/status', 5_000)
    await context.close()
  })

  it('push by themselves after an import, and match after a push', async () => {
    await world.product.startWorker()
    await expectToast(page, 'Matching Complete', /(still needs? review|waits for a company)\./)
    for (const name of actions) await expect.poll(() => isOff(name)).toBe(false)
    await expectTexts(
      card('Manual Data Sync'),
      'Subscriptions in sync',
      'Events in sync',
      'Last record synced',
    )
  })

  it('say why they could not start', async () => {
    const starts = [
      ['Import from Stripe', 'Failed to import from Stripe'],
      ['Import All History', 'Failed to start historical import'],
      ['Sync to HubSpot', 'Failed to sync to HubSpot'],
    ] as const
    await page.reload()
    for (const [name, title] of starts) {
      await expect.poll(() => isOff(name)).toBe(false)
      await offline(async () => {
        await button(page, name).click()
        await expectToast(page, title, 'Please try again.')
      })
    }
    await send(page, 'POST', '/api/stripe/disconnect', {})
    for (const [name, title] of starts) {
      await expect.poll(() => isOff(name)).toBe(false)
      await button(page, name).click()
      await expectToast(page, title, /connect/i)
    }
    await connectStripeByCall(page)
  })

  it('say that the matching failed', async () => {
    const mend = await cutOff(page, '*/api/matches/run')
    await button(page, 'Sync to HubSpot').click()
    await expectToast(page, 'Matching Error', 'Failed to run matching algorithm.')
    await mend()
  })

  it('say that the push failed, and then that the token needs a new grant', async () => {
    await importByCall(page)
    await revokeGrant(world.product.hubspotUrl)
    await page.reload()
    await expect.poll(() => isOff('Sync to HubSpot')).toBe(false)
    await button(page, 'Sync to HubSpot').click()
    await expectToast(page, 'Sync failed', /no longer accepts this connection/)
    await expectTexts(
      card('HubSpot'),
      'Refused',
      'Token needs refresh',
      /^The access token may be invalid or expired, so disconnect and reconnect HubSpot: the button does both/,
    )
    await button(card('HubSpot'), 'Reconnect HubSpot').waitFor()
  })
})

it('asks for the connections again after 30 seconds, on coming back to the window', async () => {
  const { page: fresh } = await world.newPerson()
  await enter(fresh, person)
  const setTime = await holdTime(fresh)
  const asked = countRequests(fresh, '/api/connection-status')
  const comeBack = () =>
    fresh.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await fresh.goto('/data-sync')
  await fresh.getByText('Token needs refresh').first().waitFor()
  expect(asked()).toBe(1)
  await setTime(29)
  await comeBack()
  expect(asked()).toBe(1)
  await setTime(31)
  await comeBack()
  await expect.poll(asked).toBe(2)
})
