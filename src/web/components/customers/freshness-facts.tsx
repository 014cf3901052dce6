import type { ReactNode } from 'react'
import type { RecordFreshness } from '#contract/subscriptions.ts'
import { formatDuration } from '../../ui/dates.ts'
import { formatDelay } from '../../ui/delay.ts'
import { Ago } from '../../ui/time/instant.tsx'

/** How long the last change took from Stripe to here and to HubSpot. */
export function freshnessFacts(freshness: RecordFreshness): [string, ReactNode][] {
  const { changedAt, ledgerAt, hubspotAt, isLate, promisedSeconds } = freshness
  return [
    ['Last Change in Stripe', <Ago key="changed" at={changedAt} />],
    ['In These Figures', `after ${formatDuration(changedAt, ledgerAt)}`],
    ['In HubSpot', hubspotAt === null ? 'not yet' : `after ${formatDuration(changedAt, hubspotAt)}`],
    ['Promised Within', `${formatDelay(promisedSeconds)}${isLate ? '; this one is late' : ''}`],
  ]
}
