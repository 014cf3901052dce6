import { getDomain } from 'tldts'
import { realName } from '#domain/company-name.ts'
import { canonicalEmail, emailHost } from '../../email-address.ts'
import type { OwnWords } from '../../store/erasure/erase-mentions.ts'
import { listSharedWords, type PersonWords } from '../../store/erasure/erase-rows.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { isPersonalMail } from '../addresses/mail-domain.ts'

/**
 * The words that belong only to this person. A name, an address or a domain that another customer also has does not
 * identify the person, and neither does a mail provider's domain.
 */
export async function findOwnWords(
  tenant: Tenant,
  ids: readonly string[],
  { names, emails }: PersonWords,
): Promise<OwnWords> {
  const lower = (texts: readonly string[]) => [...new Set(texts.map((text) => text.toLowerCase()))]
  const wanted = {
    names: lower(names.flatMap((name) => realName(name) ?? [])),
    addresses: lower(emails.flatMap((email) => [email, canonicalEmail(email) ?? email])),
    hosts: lower(emails.flatMap((email) => hostsOf(email))),
  }
  const sharedNames = await listSharedWords(tenant, ids, 'name', wanted.names)
  const sharedAddresses = await listSharedWords(tenant, ids, 'email', wanted.addresses)
  const sharedHosts = await listSharedWords(tenant, ids, 'domain', wanted.hosts)
  const addresses = wanted.addresses.filter((address) => !sharedAddresses.has(address))
  const hostsOfOwn = new Set(addresses.flatMap(hostsOf))
  return {
    names: wanted.names.filter((name) => !sharedNames.has(name)),
    addresses,
    hosts: wanted.hosts.filter((host) => hostsOfOwn.has(host) && !sharedHosts.has(host)),
  }
}

function hostsOf(email: string): string[] {
  const host = emailHost(email)
  if (host === null || isPersonalMail(host)) return []
  return [host, getDomain(host, { allowPrivateDomains: true }) ?? host]
}
