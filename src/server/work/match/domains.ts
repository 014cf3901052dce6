import { canonicalHost } from '../../email-address.ts'
import type { CrmCompany } from '../../providers/crm-directory.ts'
import { registrableDomainOf } from '../addresses/read-address.ts'

/** Sites that host pages for many companies: only the path after the host identifies the company. */
const sitesOfMany = new Set(
  `
  facebook.com fb.com instagram.com linkedin.com twitter.com x.com youtube.com tiktok.com pinterest.com
  vk.com xing.com medium.com linktr.ee about.me google.com goo.gl bit.ly t.me wa.me github.com gitlab.com
  etsy.com ebay.com amazon.com yelp.com apple.com crunchbase.com wikipedia.org angel.co wellfound.com
  trustpilot.com g2.com calendly.com
  `
    .trim()
    .split(/\s+/),
)

/** The host in a company's record, whatever the spelling: 'https://www.Acme.example/team' gives 'acme.example'. */
export function companyHost(text: string): string | null {
  const host = withoutScheme(text)
    .split(/[/?#]/)[0]
    ?.replace(/^[^@]*@/, '')
    .replace(/(?<=^[^:]*):\d*$/, '')
  return canonicalHost((host ?? '').replace(/^www\./i, ''))
}

/** The host of an address that a company gives for its own; null for a page on a site that many companies share. */
function ownHost(text: string): string | null {
  const host = companyHost(text)
  const isPage = /^[^/?#]+[/?#]+[^/?#]/.test(withoutScheme(text))
  const isOfMany = host !== null && sitesOfMany.has(registrableDomainOf(host) ?? host)
  return isPage && isOfMany ? null : host
}

function withoutScheme(text: string): string {
  return text.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '')
}

/**
 * The domains by which a company is found, without duplicates. Imports leave several in one text, or a page's address. The
 * website counts only if there is no domain.
 */
export function companyDomains({ domains: named, website }: Pick<CrmCompany, 'domains' | 'website'>): {
  domains: string[]
  registrableDomains: string[]
} {
  const hosts = named.flatMap((text) => text.split(/[\s,;]+/)).flatMap((text) => ownHost(text) ?? [])
  const domains = [...new Set(hosts.length > 0 ? hosts : [ownHost(website ?? '') ?? []].flat())]
  return {
    domains,
    registrableDomains: [...new Set(domains.flatMap((host) => registrableDomainOf(host) ?? []))],
  }
}
