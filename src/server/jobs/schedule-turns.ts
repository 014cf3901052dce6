// Organizations take turns by their number, so that a schedule's work does not begin for all at once. Numbers are given one
// after another, so neighbours get different minutes and every minute gets the same number of organizations.

import type { ScheduleName } from './queues.ts'

const minuteMs = 60_000

/**
 * In minutes: a turn comes again after `every`. Turns begin `step` apart within the first `span`. One that was missed,
 * because the clock or another run was late, is made up for during `retry`.
 */
type Turns = { every: number; span: number; step: number; retry: number }

const turns: Partial<Record<ScheduleName, Turns>> = {
  look: { every: 5, span: 5, step: 1, retry: 2 },
  sync: { every: 60, span: 60, step: 1, retry: 5 },
  // Nightly passes begin from 00:00 to 06:00 UTC.
  refresh: { every: 24 * 60, span: 6 * 60, step: 10, retry: 60 },
}

/**
 * When the organization's present turn of a schedule that runs at `at` began; undefined if it is not its turn. It is
 * always the turn of a schedule without turns.
 */
export function turnAt(name: ScheduleName, organizationId: number, at: Date): Date | undefined {
  const own = turns[name]
  if (!own) return at
  const first = (organizationId % (own.span / own.step)) * own.step
  const minute = at.getTime() / minuteMs
  const began = first + Math.floor((minute - first) / own.every) * own.every
  return minute - began < own.retry ? new Date(began * minuteMs) : undefined
}
