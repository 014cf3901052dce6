import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demo, fillDemo } from '../tools/demo.ts'
import { ask, connectStripe, createOrganization, expectToast, newcomer, signIn, signUp } from './person.ts'
import { type BrowserWorld, openWorld } from './world.ts'

let world: BrowserWorld
let page: Page
beforeAll(async () => {
  world = await openWorld({ simulatorArgs: ['--customers=12'] })
  ;({ page } = await world.newPerson())
  await signUp(page, newcomer)
  await createOrganization(page, 'Newcomer')
})
afterAll(() => world?.close())

type Status = {
  hubspot: { dbConnected: boolean; warning: string | null }
  stripe: { dbConnected: boolean }
  syncErrorCount: number
}

async function fault(url: string | null, rule: object): Promise<void> {
  const answer = await fetch(`${url}/_faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rule),
  })
  expect(answer.ok).toBe(true)
}

async function expectNothingConnected(): Promise<void> {
  const status = await ask<Status>(page, '/api/connection-status')
  expect([status.hubspot.dbConnected, status.stripe.dbConnected]).toEqual([false, false])
}

const notConnected = /Failed to connect to HubSpot\. Please refresh the page/

describe('what goes wrong while connecting leaves everything as it was', () => {
  it('a popup that is closed', async () => {
    await page.goto('/setup/hubspot')
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Connect HubSpot' }).click(),
    ])
    await popup.getByRole('button', { name: 'Connect app' }).waitFor()
    await popup.close()
    await expectToast(page, 'Connection Failed', notConnected)
    await expectNothingConnected()
  })

  it('a consent that is denied', async () => {
    await page.goto('/setup/hubspot')
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Connect HubSpot' }).click(),
    ])
    await popup.getByRole('button', { name: 'Deny' }).click()
    await expectToast(page, 'Connection Failed', notConnected)
    await expectNothingConnected()
  })

  it('a HubSpot that cannot be reached for the tokens', async () => {
    await fault(world.product.hubspotUrl, {
      match: { pathPrefix: '/oauth/2026-09', times: null },
      kind: 'reset',
    })
    await page.goto('/setup/hubspot')
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Connect HubSpot' }).click(),
    ])
    await popup.getByRole('button', { name: 'Connect app' }).click()
    await expectToast(page, 'Connection Failed', notConnected)
    await fetch(`${world.product.hubspotUrl}/_faults`, { method: 'DELETE' })
    await expectNothingConnected()
  })

  it('a popup that the browser blocks', async () => {
    const { page: strict } = await world.newPerson()
    await strict.addInitScript(() => {
      window.open = () => null
    })
    await signIn(strict, newcomer, /Account Setup|Dashboard/)
    await strict.goto('/setup/hubspot')
    await strict.getByRole('button', { name: 'Connect HubSpot' }).click()
    await expectToast(strict, 'Popup Blocked', 'Please enable popups for this site to connect with HubSpot.')
    await expectNothingConnected()
  })

  it.each([
    ['a key that Stripe does not know', 'sk_test_wrong', /Stripe refuses this API key/],
    ['a key that was revoked', 'sk_test_revoked', /Stripe refuses this API key/],
    ['a key that has expired', 'sk_test_expired', /has expired or was rolled/],
    ['a key of another kind', 'pk_test_publishable', 'API key must start with sk_.'],
    [
      'a restricted key without a permission',
      'rk_test_without_invoices',
      /lacks read permission for: Invoices/,
    ],
  ])('%s', async (_, key, text) => {
    await page.goto('/setup/stripe')
    await connectStripe(page, key)
    await expectToast(page, 'Connection Failed', text)
    await expectNothingConnected()
    await expect.poll(() => page.locator('body').textContent()).not.toContain(key)
  })

  it('a Stripe that cannot be reached', async () => {
    await fault(world.product.stripeUrl, { match: { pathPrefix: '/v1', times: 10_000 }, kind: 'reset' })
    await page.goto('/setup/stripe')
    await connectStripe(page, 'sk_test_tributary_demo')
    await expectToast(page, 'Connection Failed', /Stripe could not be reached/)
    await fetch(`${world.product.stripeUrl}/_faults`, { method: 'DELETE' })
    await expectNothingConnected()
  })

  it('a malformed call', async () => {
    const headers = { 'content-type': 'application/json', origin: world.product.address }
    for (const [data, code] of [
      ['{"apiKey":', 'invalid_json'],
      ['{"apiKey":5}', 'invalid_request'],
      ['{"apiKey":"sk_test_x","organizationId":1}', 'invalid_request'],
    ] as const) {
      const answer = await page.request.post('/api/stripe/connect', { headers, data: Buffer.from(data) })
      expect(answer.status()).toBe(400)
      expect(await answer.json()).toEqual({ error: { code, message: expect.any(String) } })
    }
    await expectNothingConnected()
  })
})

describe('what goes wrong later', () => {
  it('a grant that was revoked in HubSpot asks to reconnect, and loses nothing', async () => {
    await fillDemo({ address: world.product.address, say: () => {} })
    const { page: own } = await world.newPerson()
    await signIn(own, demo)
    const before = await ask<{ syncedSubscriptions: number }>(own, '/api/sync/status')
    const revoked = await fetch(`${world.product.hubspotUrl}/_control/revoke-app`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ hubId: 24_180_001 }),
    })
    expect(revoked.ok).toBe(true)
    await own.goto('/data-sync')
    await own.getByRole('button', { name: /push to hubspot|sync to hubspot/i }).click()
    await expectToast(own, 'Sync failed', /no longer accepts this connection/)
    await own.reload()
    await own.getByText('Token needs refresh').first().waitFor()
    expect(await ask(own, '/api/sync/status')).toMatchObject({
      syncedSubscriptions: before.syncedSubscriptions,
    })
  })
})
