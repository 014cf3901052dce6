import type { Page } from 'playwright-core'

/** Switches a fault on in a simulator; `rule` is the body of its POST /_faults. */
export async function switchOn(simulatorUrl: string | null, rule: object): Promise<void> {
  await order(`${simulatorUrl}/_faults`, 'POST', rule)
}

/** Ends every fault of a simulator. */
export async function switchAllOff(simulatorUrl: string | null): Promise<void> {
  await order(`${simulatorUrl}/_faults`, 'DELETE')
}

/** Somebody removes the app in HubSpot: all tokens of that portal become invalid. */
export async function revokeGrant(hubspotUrl: string | null): Promise<void> {
  await order(`${hubspotUrl}/_control/revoke-app`, 'POST', { hubId: 24_180_001 })
}

/** Changes the settings of one portal of the simulated HubSpot. */
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
 * Blocks the page's calls to these addresses ('*' matches anything), as a broken proxy would. The server itself gives no
 * false answers. Returns the function that ends it.
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

/** Changes our server's answers to calls of this address, as a broken proxy would. Returns the function that ends it. */
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

/**
 * Answers calls of this address in place of our server, for answers that it never gives. Returns the function that ends
 * it.
 */
export async function answerInstead(page: Page, url: string, json: object): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.fulfill({ json }))
  return () => page.unroute(url)
}

/** The status of a push that failed without a reason. */
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
  failure: null,
  linked: { subscriptions: 0, events: 0, isCut: false },
  startedBy: null,
  changes: null,
  follows: null,
  followedBy: null,
}

/** Takes the network away from the page, and waits until it is gone: a browser may let a call through shortly after. */
export async function goOffline(page: Page): Promise<void> {
  const isReached = () =>
    page.evaluate(() =>
      fetch('/healthz').then(
        () => true,
        () => false,
      ),
    )
  await page.context().setOffline(true)
  while (await isReached()) await page.waitForTimeout(20)
}

/** Runs the action while the page has no network. */
export async function withoutNetwork(page: Page, act: () => Promise<void>): Promise<void> {
  await goOffline(page)
  try {
    await act()
  } finally {
    await page.context().setOffline(false)
  }
}
