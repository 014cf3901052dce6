/**
 * Patterns of credentials: known prefixes, HubSpot's refresh tokens by region, text after `Bearer` or "token",
 * signed tokens and database addresses. Any unbroken text longer than an id also matches, because access tokens
 * have no guaranteed length.
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
/** A message should be a sentence, but a provider may answer with a whole page. */
const lengthMax = 4_000

/**
 * Removes everything from a provider's message that could be a credential, because it may repeat what we sent.
 * Every ProviderError's message passes through here. Long messages are cut first, because patterns are slow on
 * long texts.
 */
export function redacted(text: string): string {
  const known = credentials.reduce((rest, shape) => rest.replace(shape, '[removed]'), cut(text))
  return known.replace(mixed, (word) => (/\d/.test(word) && /[A-Za-z]/.test(word) ? '[removed]' : word))
}

/** Cuts between two words, because half of a credential would no longer match the patterns. */
function cut(text: string): string {
  if (text.length <= lengthMax) return text
  const head = text.slice(0, lengthMax)
  return `${head.slice(0, Math.max(head.lastIndexOf(' '), 0))} ...`
}
