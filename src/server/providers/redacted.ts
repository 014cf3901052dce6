/**
 * What a credential looks like: keys by their prefix, HubSpot's refresh tokens by their region, what follows `Bearer` or
 * the word token, signed tokens, addresses of a database, and any unbroken text longer than an id, since the length of
 * an access token is not promised.
 */
const credentials = [
  /\b(?:sk|rk|pk|whsec|pat|access|refresh)_[\w*.-]{6,}/g,
  /\b(?:sk|rk|pk|whsec|pat)-[\w-]{6,}/g,
  /\b(?:na|eu|ap)\d-[0-9a-f][0-9a-f-]{16,}/gi,
  /(?<=\b(?:bearer|basic)\s{1,9})[^\s,;]+/gi,
  /(?<=\btoken\W{1,3})(?=[\w-]*\d)[\w-]{8,}/gi,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /\bpostgres(?:ql)?:\/\/[^\s,;]+/gi,
  /[\w+/=.~-]{60,}/g,
]

const mixed = /[\w+/=-]{40,}/g
/** A message is a sentence; a provider may answer with a whole page instead. */
const lengthMax = 4_000

/**
 * A provider's own words without anything in them that could be a credential: it may repeat what it was sent. The
 * message of every ProviderError passes here, so that nothing of it is stored, shown or logged. What is longer than a
 * message is cut first, since patterns cost more than their text is long.
 */
export function redacted(text: string): string {
  const known = credentials.reduce((rest, shape) => rest.replace(shape, '[removed]'), cut(text))
  return known.replace(mixed, (word) => (/\d/.test(word) && /[A-Za-z]/.test(word) ? '[removed]' : word))
}

/** Between two words, so that no half of a credential is left, which would look like none. */
function cut(text: string): string {
  if (text.length <= lengthMax) return text
  const head = text.slice(0, lengthMax)
  return `${head.slice(0, Math.max(head.lastIndexOf(' '), 0))} ...`
}
