import { getDomain, parse } from 'tldts'
import type { AddressKind } from '#domain/company.ts'
import { canonicalEmail, emailHost } from '../../email-address.ts'
import { isPersonalMail } from './mail-domain.ts'
import { providerMeantBy } from './slip-of-provider.ts'

/** A customer's address and what it says about the company. */
export type CustomerAddress = {
  /** The normalized spelling that we compare and send; null if the text is not an address. */
  email: string | null
  kind: AddressKind
  /** Lower case, punycode; null without a usable address. */
  host: string | null
  /** Null if the domain says nothing about the company. */
  registrableDomain: string | null
}

/** RFC 2606 reserves these for tests and documents, so no list of top-level domains contains them. */
const testEndings = new Set(['test', 'example'])

/** Endings that only private persons or internet access providers can register. */
const personalEndings =
  /(?:^|\.)(?:name|me\.uk|id\.au|idv\.(?:tw|hk)|per\.sg|pp\.(?:ru|ua)|nom\.[a-z]{2}|ne\.jp)$/

/** Words by which mail and internet access providers usually name themselves. */
const providerName =
  /mail|inbox|postfach|relay|alias|anonym|no-?reply|throwaway|trash|disposable|burner|spam|internet|broadband|telecom|telekom|telefon|dialup|adsl|(?:^|-)(?:dsl|isp|wifi|cable)(?:-|$)/
/** The usual name of a subdomain that forwards other people's mail. */
const relayPart = /relay|alias|anonym|no-?reply/

/** Reads an address as the payment provider gives it. */
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

/** The registrable part of a host; null if the host itself is a public suffix. */
export function registrableDomainOf(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true })
}

function kindOf(host: string): AddressKind {
  if (!hasRealEnding(host)) return 'invalid'
  if (providerMeantBy(host) !== null) return 'misspelled'
  if (isPersonalMail(host) || registrableDomainOf(host) === null) return 'personal'
  return isDoubtful(host) ? 'doubtful' : 'own'
}

/** Whether the last label is an existing top-level domain, or one reserved for tests. */
export function hasRealEnding(host: string): boolean {
  return testEndings.has(endingOf(host)) || parse(host).isIcann === true
}

/** What follows the last dot of a host. */
export function endingOf(host: string): string {
  return host.slice(host.lastIndexOf('.') + 1)
}

/**
 * No list knows every provider, so a domain with a provider's name creates no company by itself. A false alarm costs
 * a person one decision; a miss creates a wrong company.
 */
function isDoubtful(host: string): boolean {
  const { domainWithoutSuffix, subdomain, publicSuffix } = parse(host, { allowPrivateDomains: true })
  return (
    providerName.test(domainWithoutSuffix ?? '') ||
    relayPart.test(subdomain ?? '') ||
    personalEndings.test(publicSuffix ?? '')
  )
}
