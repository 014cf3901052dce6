const nameMaxLength = 100
/** What mail programs make links of: addresses need a dot, a slash, a colon or an @, in whatever script. */
const linking = /[^\p{L}\p{M}\p{N} &'’+-]/gu
/** A number that a telephone would offer to call. */
const phoneNumber = /\d(?:[ '’+-]*\d){6,}/g

/**
 * A name as it may stand in a mail of ours to a stranger: anybody may choose it, so it is one line of words with nothing
 * in it that could be followed. 'Evil.example/now' gives 'Evil example now'.
 */
export function unlinkedName(name: string): string {
  const words = name.slice(0, nameMaxLength).normalize('NFKC').replace(linking, ' ').replace(phoneNumber, ' ')
  return words.replace(/ +/g, ' ').trim() || 'an organization'
}
