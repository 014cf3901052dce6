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
