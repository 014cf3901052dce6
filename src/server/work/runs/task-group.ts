/** Tasks that run at the same time: the first failure stops all, and the end waits for all. */
export type TaskGroup = {
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
  end(): Promise<void>
}

/** A group without tasks, which the outer signal stops too. */
export function createTaskGroup(outer: AbortSignal): TaskGroup {
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
    async end() {
      while (running.size > 0) await Promise.all(running)
      if (failures.length > 0) throw failures[0]
      outer.throwIfAborted()
    },
  }
}

/** Runs tasks at once, each with a signal that aborts when another task fails. Throws the first failure. */
export async function together<Context extends { signal: AbortSignal }>(
  context: Context,
  works: readonly ((context: Context) => Promise<void>)[],
): Promise<void> {
  const group = createTaskGroup(context.signal)
  for (const work of works) group.start(() => work({ ...context, signal: group.signal }))
  await group.end()
}

/**
 * Works through a stream with up to `atOnce` tasks. After the first failure no new work starts; the error is thrown
 * when all tasks have ended, so that nothing runs on after the caller returns.
 */
export async function workThrough<T>(
  items: AsyncGenerator<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const group = createTaskGroup(new AbortController().signal)
  const workOn = async () => {
    while (!group.signal.aborted) {
      const next = await items.next()
      if (next.done) return
      await work(next.value)
    }
  }
  for (let task = 0; task < atOnce; task += 1) group.start(workOn)
  await group.end().finally(() => items.return(undefined))
}
