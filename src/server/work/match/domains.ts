import { getDomain } from 'tldts'
import { canonicalHost, claimableDomain, emailHost } from '../email-domain.ts'

/** What an address says of its company. */
export type AddressDomain = {
  /** Lower case, punycode; null without a usable address. */
  host: string | null
  registrableDomain: string | null
  /** A personal mail provider, or another domain that belongs to nobody in particular. */
  isFreeMail: boolean
}

export function domainOfAddress(email: string | null): AddressDomain {
  const host = email === null ? null : emailHost(email)
  if (email === null || host === null) return { host: null, registrableDomain: null, isFreeMail: false }
  const registrableDomain = claimableDomain(email)
  return { host, registrableDomain, isFreeMail: registrableDomain === null }
}

/** The host that a company's record names, however it was typed: 'https://www.Acme.example/team' is 'acme.example'. */
export function companyHost(text: string): string | null {
  const withoutScheme = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const host = withoutScheme
    .split(/[/?#]/)[0]
    ?.replace(/^[^@]*@/, '')
    .replace(/:\d*$/, '')
  return canonicalHost((host ?? '').replace(/^www\./i, ''))
}

export function registrableDomainOf(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true })
}

/** The spellings under which a company is found, each once. */
export function companyDomains(texts: readonly string[]): {
  domains: string[]
  registrableDomains: string[]
} {
  const domains = [...new Set(texts.flatMap((text) => companyHost(text) ?? []))]
  return {
    domains,
    registrableDomains: [...new Set(domains.flatMap((host) => registrableDomainOf(host) ?? []))],
  }
}
