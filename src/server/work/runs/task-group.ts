/** Works that are under way beside each other. */
export type Flight = {
  readonly size: number
  /** Aborts when one of them has failed, or the signal that was handed in. */
  readonly signal: AbortSignal
  start(work: () => Promise<void>): void
  /** Stops all of them. */
  fail(error: unknown): void
  /** Lets `changed` return. */
  wake(): void
  /** Waits until a work has come to its end, or somebody wakes it. */
  changed(): Promise<void>
  /** Waits for all of them and throws what the first failure was. */
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

/** Does works beside each other, each with a signal that the failure of another aborts. Throws what the first failure was. */
export async function beside<Context extends { signal: AbortSignal }>(
  context: Context,
  works: readonly ((context: Context) => Promise<void>)[],
): Promise<void> {
  const flight = createFlight(context.signal)
  for (const work of works) flight.start(() => work({ ...context, signal: flight.signal }))
  await flight.land()
}
