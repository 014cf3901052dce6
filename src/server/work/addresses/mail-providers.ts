import emailProviders from 'email-providers/all.json' with { type: 'json' }
import throwawayAndRelays from 'mailchecker'
import { parse } from 'tldts'
import {
  hostsOfTenants,
  internetProviders,
  mailboxes,
  providersOfAnyEnding,
  relays,
  tenantHosts,
} from './mail-provider-lists.ts'

/** The specification names these; the packages know them and thousands more. */
const namedFreeMail = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com']

const providers = new Set([
  ...namedFreeMail,
  ...emailProviders,
  ...throwawayAndRelays.blacklist(),
  ...relays,
  ...mailboxes,
  ...tenantHosts,
  ...internetProviders,
])

const namedByAnyEnding = new Set(providersOfAnyEnding)

const tenantsOf = new Set(hostsOfTenants)

/** Whether anybody can get a subdomain of this domain, although the domain itself belongs to a company. */
export function givesSubdomains(domain: string): boolean {
  return tenantsOf.has(domain)
}

/** Whether this domain is known to give mailboxes to anybody: personal mail, relays, throwaway addresses. */
export function isKnownProvider(domain: string): boolean {
  return providers.has(domain) || namedByAnyEnding.has(parse(domain).domainWithoutSuffix ?? '')
}
