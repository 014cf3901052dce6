import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutNetwork } from '../faults.ts'
import { connectHubspot, connectStripe, expectToast, goOn } from '../person.ts'
import { becomeOwner, connectHubspotByCall, send } from '../prepare.ts'
import { walkOn } from '../walk.ts'
import { atStep, personOf, sidebarOf } from '../wizard.ts'
import { button, countRequests, expectTexts, expectTitle, openLook, type ScreenWorld } from './look.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.newPerson())
  await becomeOwner(page, personOf('wizard'), 'Wizard')
})
afterAll(() => look?.close())

const at = (step: string) => atStep(page, step)
const sidebar = () => sidebarOf(page)
const dialog = (name: string) => page.getByRole('dialog', { name })
const offline = (act: () => Promise<void>) => withoutNetwork(page, act)

describe('the frame', () => {
  it('has a title, the steps in order, and starts over from an unknown step', async () => {
    await page.goto('/setup')
    await at('hubspot')
    await expectTitle(page, 'Setup Wizard')
    await page.getByRole('heading', { name: 'Account Setup' }).waitFor()
    const steps = page.getByRole('list', { name: 'Setup steps' }).getByRole('listitem')
    await expect
      .poll(() => steps.allTextContents())
      .toEqual([
        '1Connect HubSpot',
        '2Connect Stripe',
        '3Import Data',
        '4Sync to HubSpot',
        '5Review & Finish',
      ])
    expect(await steps.first().getAttribute('aria-current')).toBe('step')
    await sidebar().getByRole('link', { name: 'Setup Wizard' }).waitFor()

    await page.goto('/setup/nonsense')
    await expectTexts(page, 'Invalid setup step. Please start over.')
    await page.getByRole('link', { name: 'Start Setup' }).click()
    await at('hubspot')
  })

  it('can be paused, and goes back and forth without connecting', async () => {
    await button(page, 'Save and Exit').click()
    await expectToast(page, 'Setup paused', '')
    await page.waitForURL((url) => url.pathname === '/')
    await page.goto('/setup/hubspot')
    await button(page, 'Continue without connecting').click()
    await at('stripe')
    // The step is disconnected but marked done, because it lies before the current one.
    const done = page.getByRole('list', { name: 'Setup steps' }).locator('[data-done=true]')
    await expect.poll(() => done.allTextContents()).toEqual(['Connect HubSpot not done'])
    await expect.poll(() => button(page, 'Continue').isDisabled()).toBe(true)
    await page.goto('/setup')
    await at('stripe')
    const walk = walkOn(page)
    for (const [step, before] of [
      ['finish', 'sync'],
      ['sync', 'import'],
      ['import', 'stripe'],
      ['objects', 'stripe'],
      ['stripe', 'hubspot'],
    ] as const) {
      await walk(`/setup/${step}`, true)
      // With the keyboard, because content that is still loading may move the button.
      await page.getByRole('link', { name: 'Back' }).press('Enter')
      await at(before)
    }
  })
})

describe('the HubSpot step', () => {
  it('says what is made in HubSpot and what is needed', async () => {
    await page.goto('/setup/hubspot')
    await expectTexts(page, 'Two custom objects are created in your account:')
    const objects = page.getByRole('main').getByRole('listitem')
    await expectTexts(objects.filter({ hasText: 'Subscriptions' }), /plan, status, amounts and renewal dates/)
    await expectTexts(objects.filter({ hasText: 'Events' }), /every change of MRR with its details/)
    await expectTexts(page, /at least one of your hubs has to be an Enterprise Hub/)
  })

  it('says that our own server cannot be reached, or gives no address', async () => {
    await offline(async () => {
      await button(page, 'Connect HubSpot').click()
      await expectToast(page, 'Connection Error', 'An error occurred while connecting to HubSpot.')
    })
    const path = '**/api/hubspot/auth-url?*'
    await page.route(path, (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }))
    await button(page, 'Connect HubSpot').click()
    await expectToast(page, 'Authorization Failed', 'Failed to generate HubSpot authorization URL.')
    await page.unroute(path)
  })

  it('asks three times after the popup has closed, and then says so', async () => {
    await page.goto('/setup/hubspot')
    const [popup] = await Promise.all([page.waitForEvent('popup'), button(page, 'Connect HubSpot').click()])
    await popup.getByRole('button', { name: 'Connect app' }).waitFor()
    expect(await popup.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([800, 600])
    await expect.poll(() => button(page, 'Continue without connecting').isDisabled()).toBe(true)
    const verified = countRequests(page, '/api/hubspot/verify')
    await popup.close()
    await expectToast(
      page,
      'Connection Failed',
      'Failed to connect to HubSpot. Please refresh the page to see if the connection was successful.',
    )
    expect(verified()).toBe(3)
    await expectTexts(page.getByRole('main'), /^Failed to connect to HubSpot/)
  })

  it('connects in the popup and goes on by itself', async () => {
    await page.goto('/setup/hubspot')
    await connectHubspot(page)
    await expectToast(page, 'Connected to HubSpot', '')
    await at('stripe')
    await expectTexts(page.getByRole('list', { name: 'Setup steps' }), 'Connect HubSpot (done)')
  })

  it('asks before it disconnects, says when that fails, and resets the progress', async () => {
    await page.getByRole('link', { name: 'Back' }).click()
    await expectTexts(page, 'HubSpot is connected')
    await button(page, 'Continue').waitFor()
    await button(page, 'Disconnect').click()
    await expectTexts(
      dialog('Disconnect HubSpot'),
      'Are you sure you want to disconnect from HubSpot? This will reset your setup progress.',
    )
    await offline(async () => {
      await button(dialog('Disconnect HubSpot'), 'Disconnect').click()
      await expectToast(page, 'Disconnect Failed', 'Failed to disconnect from HubSpot. Please try again.')
    })
    await expectTexts(dialog('Disconnect HubSpot'), 'Failed to disconnect from HubSpot. Please try again.')
    await button(dialog('Disconnect HubSpot'), 'Disconnect').click()
    await expectToast(page, 'Disconnected from HubSpot', '')
    await expect.poll(() => page.getByText('Connect HubSpot (done)').count()).toBe(0)
    expect(await send(page, 'GET', '/api/setup/progress')).toMatchObject({ hubspotConnected: false })
    await button(page, 'Continue without connecting').waitFor()
    await connectHubspotByCall(page)
  })
})

describe('the Stripe step', () => {
  const key = () => page.getByLabel('Stripe API Key')

  it('takes no empty key, and says why a key was not taken', async () => {
    await page.goto('/setup/stripe')
    await expectTexts(page, /^Use the Secret key starting with sk_/)
    expect(await key().getAttribute('placeholder')).toBe('sk_live_')
    expect(await key().getAttribute('type')).toBe('password')
    await expect.poll(() => button(page, 'Connect').isDisabled()).toBe(true)
    await key().fill('   ')
    await expect.poll(() => button(page, 'Connect').isDisabled()).toBe(true)
    await key().press('Enter')
    await expectToast(page, 'API Key Required', 'Please enter your Stripe secret API key.')
    await connectStripe(page, 'sk_test_wrong')
    await expectToast(page, 'Connection Failed', /Stripe refuses this API key/)
    await expect.poll(() => key().inputValue()).toBe('sk_test_wrong')
    await offline(async () => {
      await button(page, 'Connect').click()
      await expectToast(
        page,
        'Connection Error',
        'An error occurred while connecting to Stripe. Please check your API key.',
      )
    })
    await expect.poll(() => button(page, 'Continue').isDisabled()).toBe(true)
  })

  it('shows the stored key masked, and changes it', async () => {
    await connectStripe(page, 'sk_test_tributary_demo')
    await expectToast(page, 'Connected to Stripe', /./)
    const shown = page.getByRole('textbox', { name: 'Stripe API Key' })
    await expectTexts(page, 'Stripe is connected')
    await expect.poll(() => shown.inputValue()).toMatch(/^sk_test_.*(…|\*|•)/)
    expect(await shown.getAttribute('readonly')).not.toBeNull()
    await button(page, 'Change').click()
    await page.getByPlaceholder('sk_live_').fill('rk_test_tributary_demo')
    await button(page, 'Update API Key').click()
    await expectToast(page, 'Connected to Stripe', /./)
    await expect.poll(() => shown.inputValue()).toMatch(/^rk_test_/)
  })

  it("asks for the account of an organization's key, and says what is wrong with another", async () => {
    const shown = page.getByRole('textbox', { name: 'Stripe API Key' }).and(page.locator('[readonly]'))
    const [accountId = ''] =
      /acct_\w+/.exec((await page.getByText(/^Account acct_/).textContent()) ?? '') ?? []
    await button(page, 'Change').click()
    await page.getByPlaceholder('sk_live_').fill('sk_org_test_tributary_demo')
    const update = async (account: string) => {
      await page.getByLabel('Stripe Account').fill(account)
      await button(page, 'Update API Key').click()
    }
    await update('')
    await expectToast(page, 'Account Required', /Enter the id of the one to import from/)
    await update('cus_1')
    await expectToast(page, 'Connection Failed', /This is no account of Stripe/)
    await update('acct_1OfSomebodyElse')
    await expectToast(page, 'Connection Failed', /may not read the account/)
    await expect.poll(() => shown.inputValue()).toMatch(/^rk_test_/)
    await update(accountId)
    await expectToast(page, 'Connected to Stripe', /./)
    await expect.poll(() => shown.inputValue()).toMatch(/^sk_org_test_/)
    await expectTexts(page, `Account ${accountId}`, /works for every account of the Stripe organization/)
  })

  it('asks before it disconnects', async () => {
    const ask = async () => {
      await button(page, 'Disconnect').click()
      await expectTexts(
        dialog('Disconnect Stripe'),
        'Are you sure you want to disconnect from Stripe? This will reset your Stripe integration.',
      )
      await button(dialog('Disconnect Stripe'), 'Disconnect').click()
    }
    await offline(async () => {
      await ask()
      await expectToast(page, 'Disconnect Failed', 'Failed to disconnect from Stripe. Please try again.')
    })
    await expectTexts(dialog('Disconnect Stripe'), 'Failed to disconnect from Stripe. Please try again.')
    await button(dialog('Disconnect Stripe'), 'Disconnect').click()
    await expectToast(page, 'Disconnected from Stripe', '')
    await button(page, 'Connect').waitFor()
    await connectStripe(page, 'sk_test_tributary_demo')
    await goOn(page)
    await at('import')
  })
})
