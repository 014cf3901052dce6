import type { FetchStub } from '../providers/send-by.ts'

/** Answers parallel requests in a random order, the same for the same seed. */
export function inAnyOrder(seed: number): (fetch: FetchStub) => FetchStub {
  let state = seed
  const waiting: (() => void)[] = []
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const release = (): void => {
    const [one] = waiting.splice(next(waiting.length), 1)
    one?.()
  }
  return (fetch) => async (request) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      // Waits for other requests that are about to start, so that there are several to choose from.
      setImmediate(() => setImmediate(release))
    })
    return fetch(request)
  }
}
