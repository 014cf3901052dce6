/** For how long an answer is shown without asking again; whatever is not named here is never stale. */
export const freshMs = {
  currentUser: 30_000,
  connectionInWizard: 60_000,
  connectionOnDataSync: 30_000,
  syncStatus: 10_000,
  /** The meter of the header, which stands on every screen. */
  coverage: 60_000,
  /** Lists and figures: scheduled runs change them while nobody presses anything. */
  records: 10_000,
} as const
