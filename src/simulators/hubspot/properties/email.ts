import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'

/** How a portal spells non-ASCII hosts; no source says what HubSpot does. */
export const hostSpellings = ['as_sent', 'ascii', 'unicode'] as const
export type HostSpelling = (typeof hostSpellings)[number]

/**
 * RFC 2606 reserves these endings for tests and documents, so no list of top-level domains has them; accepted all the
 * same.
 */
const testEndings = new Set(['test', 'example'])
/** The characters that RFC 2822 allows before the @ without quotation marks. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/

/**
 * An address as a portal stores it; undefined if it refuses the address: quoted before the @, or without a real
 * top-level domain. Source: HubSpot's FAQ on validating addresses.
 */
export function keptEmail(text: string, spelling: HostSpelling): string | undefined {
  const email = text.trim().toLowerCase()
  const [local = '', host = '', ...more] = email.split('@')
  const ascii = domainToASCII(host)
  if (more.length > 0 || !localPart.test(local) || !ascii.includes('.')) return undefined
  const ending = ascii.slice(ascii.lastIndexOf('.') + 1)
  const isReal = testEndings.has(ending) || parse(ascii).isIcann === true
  return isReal && /^[^\s;,]+$/.test(host) ? spellEmail(email, spelling) : undefined
}

/** The spelling that is stored and looked up. */
export function spellEmail(email: string, spelling: HostSpelling): string {
  const at = email.lastIndexOf('@') + 1
  const host = email.slice(at)
  if (at === 0 || spelling === 'as_sent') return email
  return email.slice(0, at) + (spelling === 'ascii' ? domainToASCII(host) : domainToUnicode(host))
}
