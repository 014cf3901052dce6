import type { Page } from 'playwright-core'

/** Switches a fault on in a simulator; `rule` as its POST /_faults takes it. */
export async function switchOn(simulatorUrl: string | null, rule: object): Promise<void> {
  await order(`${simulatorUrl}/_faults`, 'POST', rule)
}

/** Ends every fault of a simulator. */
export async function switchAllOff(simulatorUrl: string | null): Promise<void> {
  await order(`${simulatorUrl}/_faults`, 'DELETE')
}

/** Somebody in HubSpot removes the app: every token of that portal ends. */
export async function revokeGrant(hubspotUrl: string | null): Promise<void> {
  await order(`${hubspotUrl}/_control/revoke-app`, 'POST', { hubId: 24_180_001 })
}

/** Changes how one portal of the simulated HubSpot is set up. */
export async function setUpPortal(hubspotUrl: string, hubId: number, settings: object): Promise<void> {
  await order(`${hubspotUrl}/_control/settings`, 'POST', { hubId, ...settings })
}

async function order(url: string, method: string, body?: object): Promise<void> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
}

/**
 * Cuts the page's network to these addresses alone ('*' stands for anything), as a broken proxy would. Nothing is
 * answered in the server's place. Gives the way to mend it.
 */
export async function cutOff(page: Page, ...urls: string[]): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setBlockedURLs', { urls })
  return async () => {
    await devtools.send('Network.setBlockedURLs', { urls: [] })
    await devtools.detach()
  }
}

/** Alters what our server answers to calls of this address, as a broken proxy would. Gives the way to mend it. */
export async function alterAnswers<Answer>(
  page: Page,
  url: string,
  alter: (answer: Answer) => unknown,
): Promise<() => Promise<void>> {
  await page.route(url, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: alter((await response.json()) as Answer) })
  })
  return () => page.unroute(url)
}

/** Answers calls of this address before they reach our server, for what that never says. Gives the way to mend it. */
export async function answerInstead(page: Page, url: string, json: object): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.fulfill({ json }))
  return () => page.unroute(url)
}

/** A push, as its status is told, that failed and does not say why. */
export const failedWithoutReason = {
  id: 'run_of_a_proxy',
  type: 'sync',
  status: 'failed',
  phase: null,
  totalRecords: 0,
  processedRecords: 0,
  successfulRecords: 0,
  failedRecords: 0,
  message: '',
  error: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  processedAt: '2026-01-01T00:00:01.000Z',
  errorCount: 0,
  errorDetails: [],
  logs: [],
}
