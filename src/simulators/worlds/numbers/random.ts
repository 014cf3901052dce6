/** A reproducible random source: the same seed always gives the same draws. */
export type Random = {
  /** In [0, 1). */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** A copy in random order. */
  shuffle<T>(from: readonly T[]): T[]
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state, enough for test worlds. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Mixes a seed with a stream number, so that customers do not disturb each other's draws. */
export function createRandom(seed: number, stream = 0): Random {
  const next = mulberry32(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35))
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(from: readonly T[]): T => {
    const chosen = from[int(0, from.length - 1)]
    if (chosen === undefined) throw new RangeError('pick from an empty list')
    return chosen
  }
  const shuffle = <T>(from: readonly T[]): T[] => {
    const rest = [...from]
    const out: T[] = []
    while (rest.length > 0) out.push(...rest.splice(int(0, rest.length - 1), 1))
    return out
  }
  return { next, int, chance: (probability) => next() < probability, pick, shuffle }
}

/** Makes ids that look like the provider's: a prefix, then random letters and digits. */
export function createIdMaker(seed: number): (prefix: string) => string {
  const random = createRandom(seed, 0x1d5eed)
  return (prefix) => {
    const long = !['cus', 'prod', 'si'].includes(prefix)
    let id = long ? `${prefix}_1` : `${prefix}_`
    for (let n = long ? 23 : 14; n > 0; n--) id += alphabet[random.int(0, alphabet.length - 1)] ?? 'A'
    return id
  }
}
