import type { SyncState } from '#contract/sync.ts'

const names = { hubspot: 'HubSpot', stripe: 'Stripe' }

/** Says which providers no longer accept our key or tokens. */
export function refusedText(refused: SyncState['refused']): string {
  const named = refused.map((provider) => names[provider]).join(' and ')
  return `${named} ${refused.length === 1 ? 'refuses' : 'refuse'} the connection`
}

/** Says of a failed run that its cause may be mended. */
export const reconnectedText = 'The connection was made again since then, and no run has followed yet.'
