const nameMaxLength = 100
/** Mail programs turn text into links if it has a dot, a slash, a colon or an @, in any script. */
const linking = /[^\p{L}\p{M}\p{N} &'’+-]/gu
/** A number that a phone would offer to call. */
const phoneNumber = /\d(?:[ '’+-]*\d){6,}/g

/**
 * Anybody can choose a name that we mail to a stranger. This reduces it to one line of words without anything
 * clickable: 'Evil.example/now' gives 'Evil example now'.
 */
export function unlinkedName(name: string): string {
  const words = name.slice(0, nameMaxLength).normalize('NFKC').replace(linking, ' ').replace(phoneNumber, ' ')
  return words.replace(/ +/g, ' ').trim() || 'an organization'
}
