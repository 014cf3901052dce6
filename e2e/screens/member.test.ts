import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyScreen, untilComplete } from '../every-screen.ts'
import { delayAnswers, jumpsOf } from '../layout-shift.ts'
import { becomeOwner, becomeUser, connectStripeByCall, send } from '../prepare.ts'
import { walkOn } from '../walk.ts'
import { button, expectTexts, openLook, type ScreenWorld } from './look.ts'

type Visit = Awaited<ReturnType<ScreenWorld['newPerson']>>

const password = 'a-long-enough-passphrase'
const founder = { name: 'Ina Founder', email: 'ina@unfinished.example', password }
const desk = { width: 1280, height: 900 }
const phone = { width: 360, height: 740 }

let look: ScreenWorld
let owner: Visit
/** A member of the demo organization, whose setup is complete. */
let member: Visit
/** A member of an organization with only Stripe connected. */
let early: Visit
beforeAll(async () => {
  look = await openLook()
  owner = await look.demoOwner()
  member = await join(owner.page, 'Max Member', 'max@member.example')
  const begun = await look.newPerson()
  await becomeOwner(begun.page, founder, 'Unfinished')
  await connectStripeByCall(begun.page)
  early = await join(begun.page, 'Eve Early', 'eve@member.example')
  await delayAnswers(member.page)
  await delayAnswers(early.page)
})
afterAll(async () => {
  const { members } = await send(owner.page, 'GET', '/api/identity/organization/members')
  const own = (members as { id: string; email: string }[]).find(({ email }) => email === 'max@member.example')
  await send(owner.page, 'POST', '/api/identity/organization/remove-member', { memberId: own?.id })
  await look.close()
})

async function join(inviter: Page, name: string, email: string): Promise<Visit> {
  await send(inviter, 'POST', '/api/identity/organization/invite-member', { email, role: 'member' })
  const visit = await look.newPerson()
  await becomeUser(visit.page, { name, email, password })
  const { invitations } = await send(visit.page, 'GET', '/api/identity/organization/list-user-invitations')
  const [open] = invitations as { id: string }[]
  await send(visit.page, 'POST', '/api/identity/organization/accept-invitation', { invitationId: open?.id })
  return visit
}

/** Records the page's requests that change something or are refused. */
function watch(page: Page): () => string[] {
  const seen: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && request.method() !== 'GET')
      seen.push(`${request.method()} ${pathname}`)
  })
  page.on('response', (answer) => {
    if (answer.status() >= 400) seen.push(`${answer.status()} ${new URL(answer.url()).pathname}`)
  })
  return () => seen.splice(0)
}

function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

type Act = (page: Page) => Promise<void>

/** Opens a path, and then does on it what reveals more, one after the other. */
async function isQuiet(visit: Visit, path: string, acts: Act[] = []): Promise<void> {
  const { page } = visit
  const noise = watch(page)
  await page.setViewportSize(phone)
  await page.goto(path)
  await expectQuiet(visit, noise)
  expect(await jumpsOf(page)).toEqual([])
  await page.setViewportSize(desk)
  await expectQuiet(visit, noise)
  for (const act of acts) {
    await act(page)
    await expectQuiet(visit, noise)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  }
}

async function expectQuiet({ page, errors }: Visit, noise: () => string[]): Promise<void> {
  await untilComplete(page)
  expect(noise()).toEqual([])
  expect(errors.splice(0)).toEqual([])
  expect(await page.locator('[data-radix-collection-item]').count(), 'toasts').toBe(0)
  // After another size of the window, the layout needs a moment to settle.
  await expect.poll(() => overflowOf(page), { message: 'sideways' }).toBeLessThanOrEqual(0)
}

const steps = ['', '/hubspot', '/stripe', '/objects', '/import', '/sync', '/finish'].map(
  (step) => `/setup${step}`,
)
/** Actions of owners on screens that differ for members. */
const forManagers = ['diagnostics-manual', 'erase-customer', 'delete-organization']
const screens = everyScreen.filter(
  ({ name, visitor, isPhoneOnly }) => visitor === 'owner' && !isPhoneOnly && !forManagers.includes(name),
)
/** The screens of one path are opened once. */
const byPath = Map.groupBy(screens, ({ path }) => String(path))
const pages = [...byPath.values()].map((group) => ({
  group,
  names: group.map(({ name }) => name).join(', '),
}))

describe('a member', () => {
  it.each(pages)('meets no refusal on $names, and nothing is sent by itself', async ({ group }) => {
    const { transactions } = await send(member.page, 'GET', '/api/dashboard/recent-transactions')
    const [event] = transactions as { relatedSubscriptionId: string; customerId: string }[]
    const { relatedSubscriptionId: subscriptionId = '', customerId = '' } = event ?? {}
    const facts = { subscriptionId, customerId, ownerId: 1 }
    const acts = group.flatMap(({ act }) => (act ? [(page: Page) => act(page, facts)] : []))
    const path = group[0]?.path ?? ''
    await isQuiet(member, typeof path === 'string' ? path : path(facts), acts)
  })

  it.each(['/', '/data-sync', '/sync-history', '/match-review'])(
    'meets no refusal on %s before the setup is complete, and nothing is sent by itself',
    async (path) => {
      await isQuiet(early, path)
    },
  )

  it('meets no refusal on any step of the setup, and nothing is sent by itself', async () => {
    const noise = watch(early.page)
    const walk = walkOn(early.page)
    for (const step of steps) {
      await walk(step, false)
      await expectQuiet(early, noise)
      expect(await jumpsOf(early.page), step).toEqual([])
    }
  })

  it('sees how HubSpot shows amounts and who can change it', async () => {
    const { page } = member
    await page.goto('/hubspot-objects')
    const card = page.getByRole('region', { name: 'Amounts in their own currency' })
    await expectTexts(
      card,
      'Optional',
      'Only owners and admins can have HubSpot show amounts in their own currency.',
    )
    expect(await button(card, 'Show amounts in their currency').count()).toBe(0)
  })

  it('sees how far the setup is and who can finish it', async () => {
    const { page } = early
    await page.goto('/setup')
    await expectTexts(
      page,
      'The setup is not finished yet',
      'HubSpot is not connected.',
      'Stripe is connected.',
      'Only owners and admins can connect HubSpot and Stripe and finish the setup.',
      'Ina Founder (ina@unfinished.example)',
    )
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
  })

  it('sees both connections and settings, with nothing to press that would be refused', async () => {
    const { page } = member
    await page.goto('/data-sync')
    await expectTexts(
      page,
      'Only owners and admins can disconnect HubSpot.',
      'Only owners and admins can change the key or disconnect Stripe.',
      'Only owners and admins can change these settings.',
    )
    for (const name of ['More actions for HubSpot', 'More actions for Stripe', 'Change API Key'])
      expect(await button(page, name).count(), name).toBe(0)
    const switches = page.getByRole('region', { name: 'Sync Settings' }).getByRole('switch')
    await expect.poll(() => switches.count()).toBe(3)
    for (const one of await switches.all()) await expect.poll(() => one.isDisabled()).toBe(true)
    await button(page, 'Webhooks (optional)').click()
    await expectTexts(page, 'Only owners and admins can change the signing secret.')
    expect(await page.getByLabel('Signing secret').count()).toBe(0)
  })

  it('imports and pushes', async () => {
    const { page } = member
    await page.goto('/data-sync')
    const pushed = page.waitForResponse(
      (answer) => new URL(answer.url()).pathname === '/api/matches/run' && answer.ok(),
    )
    await button(page, 'Import from Stripe').click()
    await pushed
  })

  it('decides in Match Review, but not that a domain is never matched', async () => {
    const { page } = member
    await page.goto('/match-review?state=linked')
    await page
      .getByRole('table', { name: 'Match Review' })
      .locator('tbody')
      .getByRole('button')
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Review Match' })
    await button(dialog, 'Unlink').waitFor()
    await expectTexts(dialog, /^Only owners and admins can say that \S+ is never matched\.$/)
    expect(await button(dialog, /^Never match/).count()).toBe(0)
  })
})
