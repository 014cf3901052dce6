/**
 * Screen tests that break a provider or change the demo organization: each has the shared world to itself. The others
 * only read, or change organizations of their own, and run in parallel.
 */
export const alone = [
  'data-sync',
  'diagnostics',
  'keyboard',
  'match-review',
  'member',
  'subscription-details',
  'sync-details',
  'sync-history',
  'toasts',
]

export const isAlone = (file: string): boolean =>
  alone.some((name) => file.endsWith(`/e2e/screens/${name}.test.ts`))

/** Whether the file uses the shared world, and not one of its own. */
export const isScreenTest = (file: string): boolean => file.includes('/e2e/screens/')
