/**
 * What a credential looks like: keys by their prefix, HubSpot's refresh tokens by their region, what follows `Bearer` or
 * the word token, signed tokens, addresses of a database, and any unbroken text longer than an id, since the length of
 * an access token is not promised.
 */
const credentials = [
  /\b(?:sk|rk|pk|whsec|pat|access|refresh)_[\w*.-]{6,}/g,
  /\b(?:sk|rk|pk|whsec|pat)-[\w-]{6,}/g,
  /\b(?:na|eu|ap)\d-[0-9a-f][0-9a-f-]{16,}/gi,
  /(?<=\b(?:bearer|basic)\s+)[^\s,;]+/gi,
  /(?<=\btoken\W{1,3})(?=[\w-]*\d)[\w-]{8,}/gi,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /\bpostgres(?:ql)?:\/\/[^\s,;]+/gi,
  /(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{40,}/g,
  /[\w+/=.~-]{60,}/g,
]

/**
 * A provider's own words without anything in them that could be a credential: it may repeat what it was sent. The
 * message of every ProviderError passes here, so that nothing of it is stored, shown or logged.
 */
export function redacted(text: string): string {
  return credentials.reduce((rest, shape) => rest.replace(shape, '[removed]'), text)
}
