/** Keeps a look at a million records within a megabyte, with some four ids to a bucket. */
const bucketCount = 2 ** 18

export type SeenIds = ReturnType<typeof createSeenIds>

/**
 * Compares two readings of the same ids, each in any order, in a fixed amount of memory: of each bucket only the sum of
 * its ids' fingerprints is kept, and an id that stands in both readings leaves no trace.
 */
export function createSeenIds() {
  const sums = new Uint32Array(bucketCount)
  const bucketOf = (id: string) => hashOf(id, 0x811c9dc5) % bucketCount
  return {
    /** Called once for each id of either reading. */
    add(id: string): void {
      const bucket = bucketOf(id)
      sums[bucket] = (sums[bucket] ?? 0) ^ hashOf(id, 0x2c1b3c6d)
    },
    isEven: (): boolean => sums.every((sum) => sum === 0),
    /** True of every id that stands in one reading alone, and now and then of one that shares its bucket. */
    isOdd: (id: string): boolean => sums[bucketOf(id)] !== 0,
  }
}

/** FNV-1a, mixed once more so that neighbouring ids lie far apart. */
function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
