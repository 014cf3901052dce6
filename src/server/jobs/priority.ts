import { isHint, isScheduled, isWindow } from '../work/runs/scheduled-run.ts'
import type { QueuedRun } from './queues.ts'

/**
 * Jobs of a higher priority begin first, equal ones in the order in which they came. An organization has one run
 * at a time, so organizations take turns.
 */
const priorities = { nightly: 0, hourly: 1, asked: 2, small: 3 } as const

/** Runs of this priority are short. One slot of each worker takes only these, so that big runs delay none. */
export const smallPriority = priorities.small

/** What changed comes before what a person asked for as a whole, and that before what can wait. */
export function priorityOf(run: QueuedRun): number {
  if (run.kind === 'recount') return priorities.nightly
  if (isHint(run)) return priorities.small
  if (!isScheduled(run)) return priorities.asked
  return run.kind === 'push' || isWindow(run) ? priorities.hourly : priorities.nightly
}
