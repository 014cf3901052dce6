// Organizations take turns by their number, so that a schedule's work does not begin for all at once. Numbers are given one
// after another, so neighbours get different minutes and every minute gets the same number of organizations.

import type { ScheduleName } from './queues.ts'

const minuteMs = 60_000

/**
 * A turn comes again after `everyMs`. Turns begin `stepMs` apart within the first `spanMs`. One that was missed, because
 * the clock or another run was late, is made up for during `retryMs`.
 */
type Turns = { everyMs: number; spanMs: number; stepMs: number; retryMs: number }

const turns: Partial<Record<ScheduleName, Turns>> = {
  look: turnsOf({ every: 5, span: 5, step: 1, retry: 2 }),
  sync: turnsOf({ every: 60, span: 60, step: 1, retry: 5 }),
  // Nightly passes begin from 00:00 to 06:00 UTC.
  refresh: turnsOf({ every: 24 * 60, span: 6 * 60, step: 10, retry: 60 }),
}

function turnsOf(minutes: { every: number; span: number; step: number; retry: number }): Turns {
  const { every, span, step, retry } = minutes
  const [everyMs = 0, spanMs = 0, stepMs = 0, retryMs = 0] = [every, span, step, retry].map(
    (count) => count * minuteMs,
  )
  return { everyMs, spanMs, stepMs, retryMs }
}

/**
 * When the organization's present turn of a schedule that runs at `at` began; undefined if it is not its turn. It is
 * always the turn of a schedule without turns.
 */
export function turnAt(name: ScheduleName, organizationId: number, at: Date): Date | undefined {
  const own = turns[name]
  if (!own) return at
  const firstMs = (organizationId % (own.spanMs / own.stepMs)) * own.stepMs
  const periods = Math.floor((at.getTime() - firstMs) / own.everyMs)
  const beganMs = firstMs + periods * own.everyMs
  return at.getTime() - beganMs < own.retryMs ? new Date(beganMs) : undefined
}
