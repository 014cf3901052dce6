import type { ProviderError } from '../../providers/provider-error.ts'
import type { Run } from '../../store/runs/runs.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A scheduled run that could not be finished in this time is given up. */
const waitsForMs = 24 * hourMs

/** Whether nobody waits for the run: it was started by the clock. */
export function isScheduled({ options }: { options: unknown }): boolean {
  return isSet(options, 'isScheduled')
}

/** Whether a push follows the run: it was started by the clock, and not by a hint alone. */
export function isFollowedByPush({ options }: { options: unknown }): boolean {
  return isSet(options, 'isScheduled') && !isSet(options, 'isHint')
}

function isSet(options: unknown, name: string): boolean {
  const fields: Record<string, unknown> = { ...(typeof options === 'object' ? options : {}) }
  return fields[name] === true
}

/**
 * How many milliseconds a run is to wait after this error, or undefined when it is not: because a person waits for it,
 * because another try would meet the same, or because a day is over. Waits as long again as the run is old, at least a
 * minute and at most an hour, unless the provider asks for more.
 */
export function pauseAfter(
  run: Pick<Run, 'options' | 'created_at'>,
  error: ProviderError,
  now: Date,
): number | undefined {
  if (!isScheduled(run) || !error.isWorthRetrying) return undefined
  const ageMs = now.getTime() - run.created_at.getTime()
  const pauseMs = Math.max(Math.min(Math.max(ageMs, minuteMs), hourMs), error.retryAfterMs ?? 0)
  return ageMs + pauseMs <= waitsForMs ? pauseMs : undefined
}
