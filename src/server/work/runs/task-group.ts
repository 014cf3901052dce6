/** Tasks that run at the same time. */
export type Flight = {
  readonly size: number
  /** Aborts when a task fails or the outer signal aborts. */
  readonly signal: AbortSignal
  start(work: () => Promise<void>): void
  /** Stops all tasks. */
  fail(error: unknown): void
  /** Lets `changed` return. */
  wake(): void
  /** Waits until a task ends or `wake` is called. */
  changed(): Promise<void>
  /** Waits for all tasks and throws the first failure. */
  land(): Promise<void>
}

export function createFlight(outer: AbortSignal): Flight {
  const failing = new AbortController()
  const signal = AbortSignal.any([outer, failing.signal])
  const failures: unknown[] = []
  const running = new Set<Promise<void>>()
  let change = Promise.withResolvers<void>()
  const wake = (): void => {
    change.resolve()
    change = Promise.withResolvers()
  }
  const fail = (error: unknown): void => {
    failures.push(error)
    failing.abort(error)
  }
  return {
    get size() {
      return running.size
    },
    signal,
    wake,
    fail,
    start(work) {
      const one = work()
        .catch(fail)
        .finally(() => {
          running.delete(one)
          wake()
        })
      running.add(one)
    },
    changed: () => change.promise,
    async land() {
      while (running.size > 0) await Promise.all(running)
      if (failures.length > 0) throw failures[0]
      outer.throwIfAborted()
    },
  }
}

/** Runs tasks at once, each with a signal that aborts when another task fails. Throws the first failure. */
export async function beside<Context extends { signal: AbortSignal }>(
  context: Context,
  works: readonly ((context: Context) => Promise<void>)[],
): Promise<void> {
  const flight = createFlight(context.signal)
  for (const work of works) flight.start(() => work({ ...context, signal: flight.signal }))
  await flight.land()
}
