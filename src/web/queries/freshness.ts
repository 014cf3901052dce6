/** How long an answer is shown before it is asked for again. An answer without an entry here never becomes stale. */
export const freshMs = {
  currentUser: 30_000,
  connectionInWizard: 60_000,
  connectionOnDataSync: 30_000,
  syncStatus: 10_000,
  /** The meter of the header, which is on every screen. */
  coverage: 60_000,
  /** The state line of the sidebar, which is on every screen too. */
  syncLine: 60_000,
  /** Lists and figures, which scheduled runs change without any action of the person. */
  records: 10_000,
} as const
