import type { RecordFreshness } from '#contract/subscriptions.ts'
import { formatDuration, formatInstant } from '../../ui/dates.ts'
import { formatDelay } from '../../ui/delay.ts'

/** How long the last change took from Stripe to here and to HubSpot. */
export function freshnessFacts(freshness: RecordFreshness): [string, string][] {
  const { changedAt, ledgerAt, hubspotAt, isLate, promisedSeconds } = freshness
  return [
    ['Last Change in Stripe', formatInstant(changedAt)],
    ['In These Figures', `after ${formatDuration(changedAt, ledgerAt)}`],
    ['In HubSpot', hubspotAt === null ? 'not yet' : `after ${formatDuration(changedAt, hubspotAt)}`],
    ['Promised Within', `${formatDelay(promisedSeconds)}${isLate ? '; this one is late' : ''}`],
  ]
}
