/**
 * Does the work at most once per interval, and all callers within it share the answer. This protects the database
 * where anybody may ask. `clock` gives milliseconds and never goes back.
 */
export function sharedFor<T>(ms: number, clock: () => number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    const now = clock()
    if (last === undefined || now - last.at >= ms) last = { at: now, answer: work() }
    return last.answer
  }
}
