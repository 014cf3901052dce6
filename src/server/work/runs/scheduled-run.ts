import { lookEverySeconds } from '#domain/freshness.ts'
import type { ProviderError } from '../../providers/provider-error.ts'
import type { Run } from '../../store/runs/runs.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A scheduled run that waits longer than this fails. */
const waitsForMs = 24 * hourMs

/** What a run was asked for, by name. A run of an older version has fewer options. */
export function optionsOf({ options }: { options: unknown }): Readonly<Record<string, unknown>> {
  return { ...(typeof options === 'object' ? options : {}) }
}

/** Whether a schedule started the run, so that no person waits for it. */
export function isScheduled(run: { options: unknown }): boolean {
  return optionsOf(run)['isScheduled'] === true
}

/** Whether only a hint of a change started the run, so that any other run may take its place. */
export function isHint(run: { options: unknown }): boolean {
  return optionsOf(run)['isHint'] === true
}

/** Whether the run is an import of what changed, and not of everything. */
export function isWindow(run: { options: unknown }): boolean {
  return optionsOf(run)['mode'] === 'window'
}

/** An import of what changed asks little, and holds up the looks that would find the provider back. */
function pauseMaxOf(run: Pick<Run, 'options'>): number {
  return isWindow(run) ? lookEverySeconds * 1_000 : hourMs
}

/**
 * How long a run waits after this error; undefined if a person waits, a retry would fail too, or a day has passed. It
 * is the run's age, from a minute to its most, or longer if asked.
 */
export function pauseAfter(
  run: Pick<Run, 'options' | 'created_at'>,
  error: ProviderError,
  now: Date,
): number | undefined {
  if (!isScheduled(run) || !error.isWorthRetrying) return undefined
  const ageMs = now.getTime() - run.created_at.getTime()
  const pauseMs = Math.max(Math.min(Math.max(ageMs, minuteMs), pauseMaxOf(run)), error.retryAfterMs ?? 0)
  return ageMs + pauseMs <= waitsForMs ? pauseMs : undefined
}
