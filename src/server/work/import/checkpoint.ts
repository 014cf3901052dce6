import { type Instant, instantOfDate } from '#domain/instant.ts'
import type { ImportPlan } from '../../store/runs/import-plans.ts'
import type { Run } from '../../store/runs/runs.ts'
import { knownAtOf } from '../ledger/rebuild-events.ts'

/**
 * What the phases of an import share: its run and its stored plan. The progress of each window and each object is in
 * its own row; the next attempt reads it there.
 */
export type Checkpoint = {
  run: Run
  plan: ImportPlan
  /** Everything that the import reads was true then or later. */
  knownAt: Instant
  /** The end of the record of changes that this import has read, by the provider's clock. */
  changesUntil: Instant
  /** What was created at this time or later may be missing from the lists. */
  newSince: Instant
}

/** An object can first appear this long after its creation, and the two clocks can differ by this much. */
const lookBackSeconds = 10 * 60
/**
 * If the record of changes is empty, the provider's clock is unknown. We assume that ours is ahead by less
 * than this.
 */
const unknownClockSeconds = 24 * 3600

/** How far the import of this plan will have read the account. */
export function checkpointOf(run: Run, plan: ImportPlan): Checkpoint {
  const changesUntil = changesTakenUntil(plan, run.created_at)
  const newSince = Math.min(instantOfDate(run.created_at), changesUntil) - lookBackSeconds
  return { run, plan, knownAt: knownAtOf(run, plan), changesUntil, newSince }
}

/** The end of the record of changes that an import with this plan has read, by the provider's clock. */
export function changesTakenUntil(
  { eventsUntil }: Pick<ImportPlan, 'eventsUntil'>,
  startedAt: Date,
): Instant {
  return eventsUntil ?? instantOfDate(startedAt) - unknownClockSeconds
}

/** A lower bound, by the provider's clock, of every request that an import with this plan makes. */
export function askedAfterOf({ clockAt }: Pick<ImportPlan, 'clockAt'>): Date {
  return new Date((clockAt ?? 0) * 1000)
}
