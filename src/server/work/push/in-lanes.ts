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
