import { instantOfDate } from '#domain/instant.ts'

/**
 * What an import was asked for, as its run keeps it. A hint is one that nobody asked for: it looks what changed, is
 * followed by no push, and makes way for any other.
 */
export type ImportOptions = { isScheduled: boolean; isHint: boolean } & (
  | { mode: 'historical'; restart: boolean }
  | { mode: 'window'; from: string; until: string }
)

/** Reads the options of a run back; whatever is not a window is the whole history. */
export function readImportOptions(options: unknown): ImportOptions {
  const fields: Record<string, unknown> = { ...(typeof options === 'object' ? options : {}) }
  const isScheduled = fields['isScheduled'] === true
  const isHint = fields['isHint'] === true
  const { from, until } = fields
  return fields['mode'] === 'window' && typeof from === 'string' && typeof until === 'string'
    ? { mode: 'window', from, until, isScheduled, isHint }
    : { mode: 'historical', restart: fields['restart'] === true, isScheduled, isHint }
}

export function instantOfText(iso: string): number {
  return instantOfDate(new Date(iso))
}
