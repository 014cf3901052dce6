import type { Subscription } from '#contract/subscriptions.ts'
import { formatDay } from '../../ui/dates.ts'

type Renewing = Pick<Subscription, 'nextRenewalDate' | 'endsOn'>

/** The next renewal, and the day on which a planned cancellation ends it: 'Ends Dec 13, 2026'. */
export function nextRenewal({ nextRenewalDate, endsOn }: Renewing): string {
  if (endsOn === null) return formatDay(nextRenewalDate)
  return nextRenewalDate === null
    ? `Ends ${formatDay(endsOn)}`
    : `${formatDay(nextRenewalDate)}, ends ${formatDay(endsOn)}`
}
