/**
 * Works on entries in their order, several at a time; `work` may add more while it runs. The first failure stops the
 * rest through the signal it is given and is thrown when all have come to rest.
 */
export async function runInFlight<T>(
  entries: readonly T[],
  options: { concurrency: number; signal: AbortSignal },
  work: (entry: T, add: (entry: T) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const open = [...entries]
  const failing = new AbortController()
  const signal = AbortSignal.any([options.signal, failing.signal])
  const failures: unknown[] = []
  const running = new Set<Promise<void>>()
  const start = (entry: T): void => {
    const one = work(entry, (added) => open.push(added), signal)
      .catch((error: unknown) => {
        failures.push(error)
        failing.abort(error)
      })
      .finally(() => running.delete(one))
    running.add(one)
  }
  while (running.size > 0 || (open.length > 0 && !signal.aborted)) {
    while (open.length > 0 && running.size < options.concurrency && !signal.aborted) {
      const entry = open.shift()
      if (entry !== undefined) start(entry)
    }
    if (running.size > 0) await Promise.race(running)
  }
  if (failures.length > 0) throw failures[0]
  options.signal.throwIfAborted()
}
