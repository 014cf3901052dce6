import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { hubId, type LiveWorld, openLiveWorld } from './live-world.ts'
import {
  connectHubspot,
  createOrganization,
  finishSetup,
  goOn,
  newcomer,
  startImport,
  startPush,
} from './person.ts'

let live: LiveWorld | undefined
afterEach(async () => {
  await live?.close()
  live = undefined
})

/** Signs up and opens the link of the mail that came. */
async function signUpByMail(page: Page, { postbox }: LiveWorld): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Name').fill(newcomer.name)
  await page.getByLabel('Email').fill(newcomer.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(newcomer.password)
  await page.getByRole('button', { name: /sign up|create account/i }).click()
  await page.getByText('Check your email').waitFor()
  const link = () =>
    postbox.mails
      .map(({ text }) => /http:\/\/localhost:\d+\S*verify-email\S*/.exec(text)?.[0])
      .find(Boolean) ?? ''
  await expect.poll(link).not.toBe('')
  expect(postbox.mails[0]?.text).toContain('no-reply@tributary.example.com')
  await page.goto(link())
  await createOrganization(page, 'Newcomer')
}

/** From Stripe's key to the first records in HubSpot, as the page's step 7 goes on. */
async function toTheFirstRecord(
  page: Page,
  { hubspotUrl, newServiceKey, subscriptions }: LiveWorld,
): Promise<void> {
  await page.waitForURL(/\/setup\/stripe/)
  const [keyPage] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'for test data' }).click(),
  ])
  await keyPage.getByText('rak_subscription_read').waitFor()
  await keyPage.close()
  await page.getByLabel('Stripe API Key').fill('rk_test_tributary_demo')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await goOn(page)
  await startImport(page)
  await page.getByText('Import Complete').first().waitFor({ timeout: 120_000 })
  await goOn(page)
  await startPush(page)
  await page.getByText('Sync Complete').first().waitFor({ timeout: 150_000 })
  await goOn(page)
  await finishSetup(page)
  expect((await fetch(new URL('/readyz', page.url()))).status).toBe(200)

  const headers = { authorization: `Bearer ${await newServiceKey()}` }
  const ask = async (path: string) =>
    (await (await fetch(`${hubspotUrl}${path}`, { headers })).json()) as {
      results: Record<string, unknown>[]
    }
  const { results } = await ask('/crm-object-schemas/2026-09/schemas')
  const type = results.find(({ name }) => name === 'tributary_subscription')?.['objectTypeId']
  const records = await ask(`/crm/objects/2026-09/${type}?limit=100`)
  expect(records.results).toHaveLength(subscriptions)
}

describe('the page on going live, followed from an empty database to the first records', () => {
  it('with a service key', async () => {
    live = await openLiveWorld(['2. Write the settings'])
    const { page, errors } = await live.world.newPerson()
    await signUpByMail(page, live)
    await page.getByLabel('HubSpot service key').fill(await live.newServiceKey())
    await page.getByRole('button', { name: 'Connect with this key' }).click()
    await toTheFirstRecord(page, live)
    expect(errors).toEqual([])
  })

  it('with the app that the command writes', async () => {
    live = await openLiveWorld(['2. Write the settings', '5. HubSpot'])
    const folder = mkdtempSync(join(tmpdir(), 'tributary-app-'))
    try {
      expect(await live.tributary('hubspot-app', folder)).toContain('hs project upload')
      const { auth } = JSON.parse(readFileSync(join(folder, 'src/app/app-hsmeta.json'), 'utf8')).config
      const { requiredScopes, optionalScopes } = auth
      await live.control('/_control/app', {
        requiredScopes,
        optionalScopes,
        allowedAccounts: [String(hubId)],
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    const { page, errors } = await live.world.newPerson()
    await signUpByMail(page, live)
    await connectHubspot(page)
    await toTheFirstRecord(page, live)
    expect(errors).toEqual([])
  })
})
