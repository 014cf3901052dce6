import type { Page } from 'playwright-core'
import { consent } from '../tools/consent.ts'
import type { PersonDetails } from './person.ts'

/** Actions that take people many clicks, done through the same calls from the same browser profile. */

type Answer = Record<string, unknown>

/** One call with the page's cookies, as its own scripts would make it; throws unless it succeeds. */
export async function send(page: Page, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await page.request.fetch(path, {
    method,
    headers: { origin: new URL(await addressOf(page)).origin, 'content-type': 'application/json' },
    ...(body && { data: body }),
  })
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
  const text = await answer.text()
  return text === '' ? {} : JSON.parse(text)
}

/** The address of the product in the page's profile. */
async function addressOf(page: Page): Promise<string> {
  return (await page.request.head('/')).url()
}

/** Creates a new person with a verified address, signed in and without an organization. */
export async function becomeUser(page: Page, person: PersonDetails): Promise<void> {
  const { name, email, password } = person
  await send(page, 'POST', '/api/identity/sign-up/email', { name, email, password })
  const outbox = await (await page.request.get('/outbox')).text()
  // Other people sign up at the same time: the mail has to be to this very address.
  const mails = outbox.split('<article').filter((mail) => mail.includes(`To ${email.toLowerCase()},`))
  const link = /href="([^"]*\/verify-email[^"]*)"/.exec(mails.join('\n'))?.[1]?.replaceAll('&amp;', '&')
  if (link === undefined) throw new Error(`no mail came for ${email}`)
  await page.request.get(link)
  await enter(page, person)
}

export async function enter(page: Page, person: { email: string; password: string }): Promise<void> {
  const { email, password } = person
  await send(page, 'POST', '/api/identity/sign-in/email', { email, password })
}

/** Creates a new person with an organization of their own. */
export async function becomeOwner(page: Page, person: PersonDetails, organization: string): Promise<void> {
  await becomeUser(page, person)
  const slug = organization.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  await send(page, 'POST', '/api/identity/organization/create', { name: organization, slug })
}

export async function connectStripeByCall(page: Page, apiKey = 'sk_test_tributary_demo'): Promise<void> {
  await send(page, 'POST', '/api/stripe/connect', { apiKey })
}

export async function connectHubspotByCall(page: Page, hubId?: number): Promise<void> {
  const { authUrl } = await send(page, 'GET', '/api/hubspot/auth-url')
  await page.request.get(await consent(String(authUrl), hubId))
}

/** Imports all of Stripe and waits for the end. */
export async function importByCall(page: Page): Promise<void> {
  const { importId } = await send(page, 'POST', '/api/import/historical', {})
  await untilEnded(page, String(importId))
}

/** Waits until a run has ended, well or badly; returns its last status. */
export async function untilEnded(page: Page, runId: string): Promise<Answer> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const job = await send(page, 'GET', `/api/sync/import-status/${runId}`)
    if (job['status'] !== 'in_progress') return job
    await new Promise((next) => setTimeout(next, 100))
  }
  throw new Error('the run does not end')
}
