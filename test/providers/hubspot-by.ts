import { splitScopes } from '#server/providers/hubspot/app/scopes.ts'
import type { HubspotOptions } from '#server/providers/hubspot/client.ts'
import { createHubspotCrm } from '#server/providers/hubspot/create-hubspot-crm.ts'

/** The adapter before a HubSpot that is a function. It has all the requests that it wants, and waits no time. */
export function hubspotBy(fetch: HubspotOptions['fetch'], more: Partial<HubspotOptions> = {}) {
  return createHubspotCrm({
    fetch,
    apiUrl: 'http://api.hubspot.test',
    appUrl: 'http://app.hubspot.test',
    clientId: 'client',
    clientSecret: 'secret',
    scopes: splitScopes(),
    now: () => new Date(0),
    sleep: async () => {},
    paces: {
      take: async () => ({ waitMs: 0, isTaken: true }),
      pause: async () => {},
      slowDown: async () => {},
    },
    ...more,
  })
}
