/** Handles a million records in one megabyte, with about four ids in a bucket. */
const bucketCount = 2 ** 18

export type SeenIds = ReturnType<typeof createSeenIds>

/**
 * Compares two readings of the same ids, in any order, in fixed memory. Each bucket keeps only the combined
 * fingerprint of its ids, in which an id that both readings contain cancels out.
 */
export function createSeenIds() {
  const sums = new Uint32Array(bucketCount)
  const bucketOf = (id: string) => hashOf(id, 0x811c9dc5) % bucketCount
  return {
    /** Call it once for each id of each reading. */
    add(id: string): void {
      const bucket = bucketOf(id)
      sums[bucket] = (sums[bucket] ?? 0) ^ hashOf(id, 0x2c1b3c6d)
    },
    isEven: (): boolean => sums.every((sum) => sum === 0),
    /** True for every id in only one reading, and sometimes for an id that shares its bucket. */
    isOdd: (id: string): boolean => sums[bucketOf(id)] !== 0,
  }
}

/** FNV-1a with one more mixing step, so that similar ids get distant hashes. */
function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
