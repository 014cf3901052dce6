import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'

/** How a portal spells hosts outside ASCII; no source settles what HubSpot does. */
export const hostSpellings = ['as_sent', 'ascii', 'unicode'] as const
export type HostSpelling = (typeof hostSpellings)[number]

/** In no list of top-level domains, since RFC 2606 keeps them for tests and documents: taken all the same. */
const testEndings = new Set(['test', 'example'])
/** What RFC 2822 allows before the @ without quotation marks. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/

/**
 * An address as a portal keeps it, or undefined for one that it refuses: quoted before the @, or with an ending that is no
 * top-level domain. Source: HubSpot's FAQ on how it validates addresses.
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

/** The spelling under which an address is kept and looked up. */
export function spellEmail(email: string, spelling: HostSpelling): string {
  const at = email.lastIndexOf('@') + 1
  const host = email.slice(at)
  if (at === 0 || spelling === 'as_sent') return email
  return email.slice(0, at) + (spelling === 'ascii' ? domainToASCII(host) : domainToUnicode(host))
}
