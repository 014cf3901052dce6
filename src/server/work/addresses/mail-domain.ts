import { getDomain } from 'tldts'
import { emailHost } from '../../email-address.ts'
import { givesSubdomains, isKnownProvider } from './mail-providers.ts'

/** Whether a host or its parent domain is a known provider of personal mail, of relays or of throwaway addresses. */
export function isPersonalMail(host: string): boolean {
  const registrable = getDomain(host, { allowPrivateDomains: true }) ?? host
  let part = host
  while (!isKnownProvider(part)) {
    if (part !== host && givesSubdomains(part)) return true
    if (part === registrable) return false
    part = part.slice(part.indexOf('.') + 1)
  }
  return true
}

/**
 * The registrable domain that the first verified user may claim for an organization. Null for personal mail
 * providers, public suffixes and addresses without a host.
 */
export function claimableDomain(email: string): string | null {
  const host = emailHost(email)
  if (host === null || isPersonalMail(host)) return null
  return getDomain(host, { allowPrivateDomains: true })
}
