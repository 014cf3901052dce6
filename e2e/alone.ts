/**
 * Tests of screens that break a provider for everybody, or change what everybody looks at: each has the shared world to
 * itself while it runs. The others only look, or change organizations of their own, and run beside each other.
 */
export const alone = ['data-sync', 'diagnostics', 'match-review', 'sync-history']

export const isAlone = (file: string): boolean =>
  alone.some((name) => file.endsWith(`/e2e/screens/${name}.test.ts`))
