/**
 * Does the work at most once in so many milliseconds, however many ask: whoever asks meanwhile gets the same answer. For
 * what anybody may ask and a database has to answer. `clock` gives milliseconds that never go back.
 */
export function sharedFor<T>(ms: number, clock: () => number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    const now = clock()
    if (last === undefined || now - last.at >= ms) last = { at: now, answer: work() }
    return last.answer
  }
}
