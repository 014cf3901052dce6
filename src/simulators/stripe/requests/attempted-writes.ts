/** A request that was made, and how it was answered. */
export type LedgerEntry = { readonly method: string; readonly path: string; readonly status: number }

/**
 * Every write that any simulator of this process received. The product must never attempt one, so tests fail wherever
 * it happens (test/no-writes.ts).
 */
let attempted: LedgerEntry[] = []

export function noteWrite(entry: LedgerEntry): void {
  attempted.push(entry)
}

/** Returns the writes and forgets them; a test that writes on purpose calls it too. */
export function takeAttemptedWrites(): readonly LedgerEntry[] {
  const taken = attempted
  attempted = []
  return taken
}
