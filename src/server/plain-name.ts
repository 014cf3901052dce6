/** Signs that turn or hide the text around them: a stranger's name could make the address beside it unreadable. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g
/** Signs that nobody sees, so that two names look the same. Joiners stay, which some scripts and emoji need. */
const unseen = /[\u00ad\u200b\u2060\ufeff]/g
const breaking = /[\p{Cc}\u2028\u2029]+/gu

/** A name that somebody chose for themselves or an organization, on one line and as it looks. */
export function plainName(text: string): string {
  return text.replace(breaking, ' ').replace(turning, '').replace(unseen, '').trim()
}
