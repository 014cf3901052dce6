import type { RecordFreshness } from '#contract/subscriptions.ts'
import { formatDelay } from '../../ui/delay.ts'
import type { CardFact } from '../../ui/fact-card.tsx'
import { Ago } from '../../ui/time/instant.tsx'

/** How long the last change took from Stripe to here and to HubSpot, which may have refused the record since. */
export function freshnessFacts(freshness: RecordFreshness, isRefused = false): CardFact[] {
  const { changedAt, ledgerAt, hubspotAt, isLate, promisedSeconds } = freshness
  return [
    ['Last Change in Stripe', <Ago key="changed" at={changedAt} />],
    ['In These Figures', laterText(changedAt, ledgerAt)],
    ['In HubSpot', isRefused ? 'Refused' : hubspotAt === null ? 'Not yet' : laterText(changedAt, hubspotAt)],
    // Nobody promises what HubSpot refuses.
    ...(isRefused
      ? []
      : [
          [
            'Promised',
            `Within ${formatDelay(promisedSeconds)}${isLate ? '; this one is late' : ''}`,
          ] satisfies CardFact,
        ]),
  ]
}

function laterText(from: string, to: string): string {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1_000)
  return seconds < 1 ? 'Within a second' : `${formatDelay(seconds)} later`
}
