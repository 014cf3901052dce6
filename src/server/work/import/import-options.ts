import { instantOfDate } from '#domain/instant.ts'

/** What an import was asked for, as its run keeps it. */
export type ImportOptions = { isScheduled: boolean } & (
  | { mode: 'historical'; restart: boolean }
  | { mode: 'window'; from: string; until: string }
)

/** Reads the options of a run back; whatever is not a window is the whole history. */
export function readImportOptions(options: unknown): ImportOptions {
  const fields: Record<string, unknown> = { ...(typeof options === 'object' ? options : {}) }
  const isScheduled = fields['isScheduled'] === true
  const { from, until } = fields
  return fields['mode'] === 'window' && typeof from === 'string' && typeof until === 'string'
    ? { mode: 'window', from, until, isScheduled }
    : { mode: 'historical', restart: fields['restart'] === true, isScheduled }
}

export function instantOfText(iso: string): number {
  return instantOfDate(new Date(iso))
}
