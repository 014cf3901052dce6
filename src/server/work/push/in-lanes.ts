/** More in flight make the CRM lock itself (423); with fewer the next batch would wait for what became of the last. */
export const batchesInFlight = 2

/** Cuts a stream into full batches, whatever the pages were that it came in. */
export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length === size) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/**
 * Works through a stream with some lanes side by side. After the first failure nothing new is begun; it is thrown when
 * every lane has come to rest, so that no work goes on behind the caller's back.
 */
export async function inLanes<T>(
  items: AsyncGenerator<T>,
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let hasFailed = false
  const lane = async () => {
    try {
      while (!hasFailed) {
        const next = await items.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  await items.return(undefined)
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** How far a stream of batches is worked off without a gap, though its lanes end them in any order. */
export type Front = {
  /** Notes a batch that is about to be worked on, by its last key; to be called when it is done. */
  begin(lastKey: string, size: number): () => void
  /** Everything up to this key is done; null before the first batch is. */
  readonly upToKey: string | null
  /** How many items that is. */
  readonly count: number
}

export function createFront(): Front {
  const begun: { lastKey: string; size: number; isDone: boolean }[] = []
  const front = { upToKey: null as string | null, count: 0 }
  return {
    get upToKey() {
      return front.upToKey
    },
    get count() {
      return front.count
    },
    begin(lastKey, size) {
      const batch = { lastKey, size, isDone: false }
      begun.push(batch)
      return () => {
        batch.isDone = true
        for (let head = begun[0]; head?.isDone; head = begun[0]) {
          begun.shift()
          front.upToKey = head.lastKey
          front.count += head.size
        }
      }
    },
  }
}
