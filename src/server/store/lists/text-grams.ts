/** The bits of a set of grams: of 800 different ones, as a packed row of texts has, they fill a fifth. */
const bitsMax = 4_096
const hashShift = 32 - Math.log2(bitsMax)
/** So many tell nearly all rows apart. */
const askedMax = 12

/**
 * The set of all runs of three characters of a text that PostgreSQL has put in lower case, as bits: a text lacks whatever
 * has a run that the set lacks. Two runs may share a bit.
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
 * Bits that the grams of every text have which contains this one in any case, counted as by `get_bit`. None where that
 * cannot be said: of runs that are not plain ASCII only PostgreSQL knows the lower case, and of the capital I, which is
 * not 'i' in every language.
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

/** The bit of the three characters from here on; null where one of them is left out. */
function bitAt(text: string, at: number): number | null {
  let gram = 0
  for (const offset of [0, 1, 2]) {
    const code = text.charCodeAt(at + offset)
    if (code < 0x20 || code > 0x7e || (code >= 0x41 && code <= 0x5a)) return null
    gram = (gram << 7) | code
  }
  return Math.imul(gram, 0x9e3779b1) >>> hashShift
}
