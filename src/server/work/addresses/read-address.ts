import { getDomain, parse } from 'tldts'
import type { AddressKind } from '#domain/company.ts'
import { canonicalEmail, emailHost } from '../../email-address.ts'
import { isPersonalMail } from './mail-domain.ts'
import { providerMeantBy } from './slip-of-provider.ts'

/** What a customer's address is, and what it says of its company. */
export type CustomerAddress = {
  /** The spelling that is compared and sent; null for what is no address. */
  email: string | null
  kind: AddressKind
  /** Lower case, punycode; null without a usable address. */
  host: string | null
  /** Null where the domain says nothing of the company. */
  registrableDomain: string | null
}

/** Reserved for tests and documents (RFC 2606), and so in no list of endings. */
const testEndings = new Set(['test', 'example'])

/** Endings that are given to persons, or to providers of internet access, alone. */
const personalEndings =
  /(?:^|\.)(?:name|me\.uk|id\.au|idv\.(?:tw|hk)|per\.sg|pp\.(?:ru|ua)|nom\.[a-z]{2}|ne\.jp)$/

/** What a provider of mail or of internet access calls itself. */
const providerName =
  /mail|inbox|postfach|relay|alias|anonym|no-?reply|throwaway|trash|disposable|burner|spam|internet|broadband|telecom|telekom|telefon|dialup|adsl|(?:^|-)(?:dsl|isp|wifi|cable)(?:-|$)/
/** What the part of somebody's domain is called that forwards the mail of others. */
const relayPart = /relay|alias|anonym|no-?reply/

/** Reads the address as the payment provider has it. */
export function readAddress(raw: string | null): CustomerAddress {
  const nothing = { email: null, host: null, registrableDomain: null }
  if (raw === null || raw.trim() === '') return { ...nothing, kind: 'none' }
  const email = canonicalEmail(raw)
  const host = email === null ? null : emailHost(email)
  if (host === null) return { ...nothing, kind: 'invalid' }
  const kind = kindOf(host)
  const registrableDomain = kind === 'own' || kind === 'doubtful' ? registrableDomainOf(host) : null
  return { email, kind, host, registrableDomain }
}

/** The part of a host that somebody registers; null for an ending under which others register. */
export function registrableDomainOf(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true })
}

function kindOf(host: string): AddressKind {
  if (!hasRealEnding(host)) return 'invalid'
  if (providerMeantBy(host) !== null) return 'misspelled'
  if (isPersonalMail(host) || registrableDomainOf(host) === null) return 'personal'
  return isDoubtful(host) ? 'doubtful' : 'own'
}

/** Whether the last label is a top-level domain that exists, or one for tests. */
export function hasRealEnding(host: string): boolean {
  return testEndings.has(endingOf(host)) || parse(host).isIcann === true
}

export function endingOf(host: string): string {
  return host.slice(host.lastIndexOf('.') + 1)
}

/**
 * No list knows every provider: a domain that is called like one becomes no company by itself. To be wrong here costs a
 * person one decision; the other way round it costs a wrong company.
 */
function isDoubtful(host: string): boolean {
  const { domainWithoutSuffix, subdomain, publicSuffix } = parse(host, { allowPrivateDomains: true })
  return (
    providerName.test(domainWithoutSuffix ?? '') ||
    relayPart.test(subdomain ?? '') ||
    personalEndings.test(publicSuffix ?? '')
  )
}
