import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer, keyScopes, makeServiceKey } from './hubspot-admin.ts'
import { connectStripe, expectToast, goOn, startImport, startPush } from './person.ts'

import { becomeOwner, send } from './prepare.ts'
import { button, expectTexts } from './screens/look.ts'
import { atStep, personOf } from './wizard.ts'
import { type BrowserWorld, openWorld } from './world.ts'

let world: BrowserWorld
let page: Page
let errors: string[]
beforeAll(async () => {
  world = await openWorld({ simulatorArgs: ['--customers=6'] })
  ;({ page, errors } = await world.newPerson())
  await becomeOwner(page, personOf('keyholder'), 'Keyholder')
})
afterAll(() => world?.close())

const field = () => page.getByLabel('HubSpot service key', { exact: true })
let newest = ''
const newKey = async (scopes?: readonly string[]) => {
  newest = await makeServiceKey(world, scopes)
  return newest
}
const alert = (title: string) => page.getByRole('alert').filter({ hasText: title })

describe('the wizard with a service key', () => {
  it('keeps the popup first, and opens a password field for a key', async () => {
    await page.goto('/setup/hubspot')
    await button(page, 'Connect HubSpot').waitFor()
    expect(await field().count()).toBe(0)
    await button(page, 'Use a service key instead').click()
    expect(await field().getAttribute('type')).toBe('password')
    const scopes = page.getByRole('region', { name: 'Scopes of the key' }).getByRole('listitem')
    await expect.poll(() => scopes.count()).toBe(keyScopes.length)
    await expect.poll(() => button(page, 'Connect with this key').isDisabled()).toBe(true)
  })

  it('says below the field what is wrong with a key, and keeps saying it until the text changes', async () => {
    await field().fill('0b1c2d3e-4d5e-4f60-9f00-112233445566')
    await button(page, 'Connect with this key').click()
    await expectTexts(page, /This is the secret of an app.*Enter a service key instead/)
    await field().fill(await newKey(['crm.objects.contacts.read']))
    expect(await page.getByText('This is the secret of an app').count()).toBe(0)
    await button(page, 'Connect with this key').click()
    await expectTexts(
      page,
      /lacks 8 scopes crm\.objects\.companies\.read, .*crm\.objects\.custom\.write\. Add them/,
    )
    expect(await send(page, 'GET', '/api/setup/progress')).toMatchObject({ hubspotConnected: false })
  })

  it('connects, goes on by itself, and shows the key masked', async () => {
    const key = await newKey()
    await field().fill(`  ${key} `)
    await field().press('Enter')
    await expectToast(page, 'Connected to HubSpot', /account \d+/)
    await atStep(page, 'stripe')
    await page.goto('/setup/hubspot')
    await expectTexts(page, 'HubSpot is connected')
    await expect.poll(() => field().inputValue()).toBe(`pat-na1-••••${key.slice(-4)}`)
  })

  it('replaces the key', async () => {
    const key = await newKey()
    await button(page, 'Change Key').click()
    await page.getByPlaceholder('pat-').fill(key)
    await button(page, 'Update Service Key').click()
    await expectToast(page, 'Connected to HubSpot', 'HubSpot service key updated.')
    await expect.poll(() => field().inputValue()).toBe(`pat-na1-••••${key.slice(-4)}`)
  })

  it('imports and pushes to the first record as after a consent', async () => {
    await button(page, 'Continue').click()
    await connectStripe(page, 'sk_test_tributary_demo')
    await goOn(page)
    await startImport(page)
    await goOn(page)
    await startPush(page)
    await expectTexts(page, 'Sync Complete')
    const status = await send(page, 'GET', '/api/sync/status')
    expect(status['syncedSubscriptions']).toBeGreaterThan(0)
    expect(status['syncedSubscriptions']).toBe(status['totalSubscriptions'])
  })

  it('says on Data Sync that the key was deleted, and takes a new one', async () => {
    await page.goto('/data-sync')
    const card = page.getByRole('region', { name: 'HubSpot', exact: true })
    const shown = await card.getByLabel('HubSpot service key').inputValue()
    await administer(world, 'delete-key', { key: newest })
    await send(page, 'GET', '/api/hubspot/verify')
    await page.reload()
    await alert('HubSpot no longer accepts the service key').waitFor()
    await card.getByPlaceholder('pat-').fill(await newKey())
    await button(card, 'Update Service Key').click()
    await expectToast(page, 'Connected to HubSpot', 'HubSpot service key updated.')
    await expect.poll(() => card.getByLabel('HubSpot service key').inputValue()).not.toBe(shown)
    expect(await alert('HubSpot no longer accepts the service key').count()).toBe(0)
  })

  it('shows the key in no address, answer or storage of the browser, and throws no error', async () => {
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toContain('pat-')
    expect(page.url()).not.toContain('pat-')
    // The browser notes the refused keys by itself.
    expect(errors.filter((error) => !/status of 4(?:00|22)/.test(error))).toEqual([])
  })
})
