/** The size of a gram set in bits: the 800 different grams of a packed row set a fifth of them. */
const bitsMax = 4_096
const hashShift = 32 - Math.log2(bitsMax)
/** This many bits exclude nearly all rows that do not match. */
const askedMax = 12

/**
 * All three-character sequences of a text that PostgreSQL has put in lower case, as a bit set. A missing bit proves
 * that the text lacks the sequence; sequences may share a bit.
 */
export function gramsOf(text: string): Uint8Array {
  const grams = new Uint8Array(bitsMax / 8)
  for (let at = 0; at + 2 < text.length; at += 1) {
    const bit = bitAt(text, at)
    if (bit !== null) grams[bit >> 3] = (grams[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return grams
}

/**
 * The bits, numbered as in `get_bit`, that every text containing this one must have. Skips non-ASCII characters,
 * whose lower case only PostgreSQL knows, and "I", whose lower case is not "i" in every language.
 */
export function bitsAskedBy(text: string): number[] {
  const lower = text.replace(/[A-HJ-Z]/g, (letter) => letter.toLowerCase())
  const bits = new Set<number>()
  for (let at = 0; at + 2 < lower.length && bits.size < askedMax; at += 1) {
    const bit = bitAt(lower, at)
    if (bit !== null) bits.add(bit)
  }
  return [...bits]
}

/** The bit of the three characters from `at`; null if one of them is skipped. */
function bitAt(text: string, at: number): number | null {
  let gram = 0
  for (const offset of [0, 1, 2]) {
    const code = text.charCodeAt(at + offset)
    if (code < 0x20 || code > 0x7e || (code >= 0x41 && code <= 0x5a)) return null
    gram = (gram << 7) | code
  }
  return Math.imul(gram, 0x9e3779b1) >>> hashShift
}
