/** A request that was made, and how it was answered. */
export type LedgerEntry = { readonly method: string; readonly path: string; readonly status: number }

/**
 * Every write that any simulator of this process was asked for: nobody who simulates may ever try one, so that the tests
 * fail on it wherever it happens (test/no-writes.ts).
 */
let attempted: LedgerEntry[] = []

export function noteWrite(entry: LedgerEntry): void {
  attempted.push(entry)
}

/** Hands the writes out and forgets them; for a test that makes them on purpose, too. */
export function takeAttemptedWrites(): readonly LedgerEntry[] {
  const taken = attempted
  attempted = []
  return taken
}
