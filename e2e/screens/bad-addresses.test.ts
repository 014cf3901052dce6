import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { becomeUser } from '../prepare.ts'
import { walkOn } from '../walk.ts'
import { expectTexts, openLook, relisted, type ScreenWorld } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

const long = 'x'.repeat(3_000)

/** The page shows a heading and other content, and no screen has crashed. */
async function expectShown(page: Page, address: string): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  const text = (await page.locator('#root').textContent()) ?? ''
  expect(text.length, address).toBeGreaterThan(20)
  expect(text, address).not.toContain('Something went wrong')
}

type Look = Awaited<ReturnType<ScreenWorld['demoOwner']>> & { walk: ReturnType<typeof walkOn> }

describe('whatever stands in the address bar', () => {
  let shared: Look | undefined
  async function owner(): Promise<Look> {
    if (shared === undefined) {
      const visit = await look.demoOwner()
      shared = { ...visit, walk: walkOn(visit.page) }
    }
    return shared
  }

  it.each([
    ['/subscriptions?page=0&perPage=7&sort=evil&order=up&status=nonsense', 'Subscriptions'],
    ['/subscriptions?page=99999999999999999999&search=%00', 'Subscriptions'],
    [`/subscriptions?search=${long}`, 'Subscriptions'],
    ['/events?page=-1&mrrStatus=%F0%9F%92%A5&search=%3Cscript%3Ealert(1)%3C/script%3E', 'Events'],
    [`/mrr-analytics?range=${long}`, 'MRR Analytics'],
    ['/mrr-analytics?from=2026-02-30&to=%F0%9F%92%A5', 'MRR Analytics'],
    ['/sync-history?page=1e9', 'Sync History'],
    ['/match-review?state=none&page=NaN', 'Match Review'],
    ['/account-profile?tab=nonsense', 'Account Settings'],
    ['/data-sync?hubspot=%00', 'Data Sync'],
    ['/customers?page=0&perPage=7&sort=evil&order=up&isMatched=perhaps', 'Customers'],
    ['/customers/%00', 'Customer'],
    [`/customers/${long}`, 'Customer'],
    ['/subscriptions/%00', 'Subscription Details'],
    ['/subscriptions/..%2F..%2Fetc', 'Subscription Details'],
    [`/subscriptions/${long}`, 'Subscription Details'],
    ['/setup/%F0%9F%92%A5', 'Setup Wizard'],
  ])('is no blank page: number %#', async (address, title) => {
    const { page, errors, walk } = await owner()
    errors.length = 0
    // The server reads the path alone; what a query holds is read by the page that stands.
    await (address.includes('?') ? walk(address, false) : page.goto(address))
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)
    await expectShown(page, address)
    // The browser also logs calls that the server refuses; only script errors count here.
    expect(errors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  })

  it('is none for the signed out and for those without an organization either', async () => {
    const { page: stranger } = await look.newPerson()
    const { page: newcomer } = await look.newPerson()
    await becomeUser(newcomer, {
      name: 'Bo',
      email: 'bo@addresses.example',
      password: 'a-long-enough-passphrase',
    })
    for (const address of [
      '/sign-in?error=%3Cb%3E&redirectUrl=javascript:alert(1)',
      '/sign-in?token=nonsense',
      '/org-selection?invitationId=nonsense&redirectUrl=%00',
      '/hubspot-connected?x=%00',
      '/%E0%A4%A',
      '/nowhere/%00',
    ])
      for (const page of [stranger, newcomer]) {
        await page.goto(address)
        await expectShown(page, address)
      }
  })
})

it('takes whatever is pasted into a search, and keeps it there', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/subscriptions')
  const box = page.getByPlaceholder('Search subscriptions...')
  for (const text of [
    "'; drop table subscriptions; --",
    '%_\\',
    `🚀 ${'ß'.repeat(150)}`,
    '\u202E<img src=x onerror=alert(1)>',
  ]) {
    await relisted(page, '/api/stripe/subscriptions', () => box.fill(text))
    await expectTexts(page, 'No subscriptions found')
    await page.reload()
    await expectTexts(page, 'No subscriptions found')
    await expect.poll(() => box.inputValue()).toBe(text)
  }
})
