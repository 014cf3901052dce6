import type { SyncState } from '#contract/sync.ts'

const names = { hubspot: 'HubSpot', stripe: 'Stripe' }

/** Says which providers no longer accept our key or tokens. */
export function refusedText({ refused }: SyncState): string {
  return `${refused.map((provider) => names[provider]).join(' and ')} refused the connection`
}
