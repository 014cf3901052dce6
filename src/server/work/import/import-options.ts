import { type Instant, instantOfDate } from '#domain/instant.ts'
import { isHint, isScheduled, isWindow, optionsOf } from '../runs/scheduled-run.ts'

/**
 * What an import was asked for, as its run stores it. A hint is an import that no person requested: it reads
 * what changed, and any other run replaces it.
 */
export type ImportOptions = { isScheduled: boolean; isHint: boolean } & (
  | { mode: 'historical'; restart: boolean }
  | { mode: 'window'; from: string; until: string }
)

/** Reads the stored options of a run. Anything that is not a window means the whole history. */
export function readImportOptions(options: unknown): ImportOptions {
  const run = { options }
  const how = { isScheduled: isScheduled(run), isHint: isHint(run) }
  const { from, until, restart } = optionsOf(run)
  return isWindow(run) && typeof from === 'string' && typeof until === 'string'
    ? { mode: 'window', from, until, ...how }
    : { mode: 'historical', restart: restart === true, ...how }
}

/** The instant of a time in ISO 8601. */
export function instantOfText(iso: string): Instant {
  return instantOfDate(new Date(iso))
}
