/** With more requests in flight the CRM answers 423 (locked); with fewer, each batch waits while we save the last. */
export const batchesInFlight = 2

/** Cuts a stream into full batches, whatever the size of its pages. */
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

/** How far a stream of batches is complete without a gap, although lanes finish out of order. */
export type Front = {
  /** Registers a batch by its last key before work starts; call the returned function when it is done. */
  begin(lastKey: string, size: number): () => void
  /** All batches up to this key are done; null until the first batch is done. */
  readonly upToKey: string | null
  /** The number of items up to that key. */
  readonly count: number
}

/** A front before the first batch. */
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
