import type { HubspotError } from './hubspot-error.ts'

/** What to do after a failed attempt: wait and repeat, or give up. `holdsLane` also delays all other requests. */
export type RetryStep = { waitMs: number; holdsLane: boolean }

const attemptsMax = 5
/** A longer wait ends the attempt; the run continues later. */
const longestWaitMs = 15_000
const tenSecondsMs = 10_000
const secondMs = 1_000
const lockedMs = 2_500
const backoffMs = 500
/**
 * The wait that callers are told when the daily budget is used up. It ends at midnight in the portal's time zone.
 */
export const dailyPauseMs = 60 * 60 * 1_000

/**
 * The next step by HubSpot's error table (error-handling and usage guides). `isRepeatable`: the request may be
 * sent again even if the first one was carried out. Undefined: give up.
 */
export function nextStep(error: HubspotError, attempt: number, isRepeatable: boolean): RetryStep | undefined {
  if (attempt >= attemptsMax) return undefined
  const step = stepOf(error, attempt, isRepeatable)
  return step && step.waitMs <= longestWaitMs ? step : undefined
}

function stepOf(error: HubspotError, attempt: number, isRepeatable: boolean): RetryStep | undefined {
  switch (error.status) {
    case 429:
      return rateLimitStep(error)
    case 423:
      return { waitMs: lockedMs, holdsLane: true }
    case 477:
      // The account moves to another data centre, which takes up to a day.
      return { waitMs: error.retryAfterMs ?? dailyPauseMs, holdsLane: false }
    default:
      return error.kind === 'unavailable' && isRepeatable
        ? { waitMs: backoffMs * 2 ** (attempt - 1), holdsLane: false }
        : undefined
  }
}

function rateLimitStep({ answer, retryAfterMs }: HubspotError): RetryStep | undefined {
  if (answer.policyName === 'DAILY') return undefined
  const usualMs = answer.policyName === 'SECONDLY' ? secondMs : tenSecondsMs
  return { waitMs: retryAfterMs ?? usualMs, holdsLane: true }
}
