import type { CompanyCandidate } from '#domain/company.ts'
import type { Deps } from '../../deps.ts'
import { type IndexedContact, saveCompanies, saveContacts } from '../../store/crm/crm-index.ts'
import { findErasedWords, type WordKind } from '../../store/erasure/erasures.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findHashes } from './hashes.ts'

/** Where something of the CRM is kept, and when it was read there. */
type Place = { deps: Pick<Deps, 'seal'>; portalId: string; at: Date }

/**
 * Takes companies into the index; what belonged to erased people is called by their pseudonyms, and found by no domain of
 * theirs. Returns them as they are kept.
 */
export async function keepCompanies(
  tenant: Tenant,
  { deps, portalId, at }: Place,
  companies: readonly CompanyCandidate[],
): Promise<CompanyCandidate[]> {
  const names = companies.flatMap(({ name }) => name ?? [])
  const erasedNames = await findErasedTexts(deps, tenant, 'name', names)
  const erasedHosts = await findErasedTexts(deps, tenant, 'host', companies.flatMap(hostsOf))
  const isKept = (host: string) => !erasedHosts.has(host)
  const kept = companies.map((company) => {
    const ofHost = hostsOf(company).find((host) => !isKept(host))
    const pseudonym = erasedNames.get(company.name ?? '') ?? erasedHosts.get(ofHost ?? '')
    if (pseudonym === undefined) return company
    const { domains, registrableDomains, createdFor } = company
    return {
      ...company,
      name: pseudonym,
      domains: domains.filter(isKept),
      registrableDomains: registrableDomains.filter(isKept),
      ...(createdFor && { createdFor: isKept(createdFor) ? createdFor : null }),
    }
  })
  await saveCompanies(tenant, portalId, kept, at)
  return kept
}

/** Every domain that a company is found by. */
function hostsOf({ domains, registrableDomains, createdFor }: CompanyCandidate): string[] {
  return [...domains, ...registrableDomains, ...(createdFor ? [createdFor] : [])]
}

/** Takes contacts into the index without the addresses of erased people. */
export async function keepContacts(
  tenant: Tenant,
  { deps, portalId, at }: Place,
  contacts: readonly IndexedContact[],
): Promise<void> {
  const erased = await findErasedTexts(
    deps,
    tenant,
    'address',
    contacts.flatMap(({ emails }) => emails),
  )
  const kept =
    erased.size === 0
      ? contacts
      : contacts.map((contact) => ({
          ...contact,
          emails: contact.emails.filter((email) => !erased.has(email)),
        }))
  await saveContacts(tenant, portalId, kept, at)
}

/** Of these texts those that belonged to erased people, each with the pseudonym. */
export async function findErasedTexts(
  { seal }: Pick<Deps, 'seal'>,
  tenant: Tenant,
  kind: WordKind,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const hashes = texts.length === 0 ? undefined : await findHashes(seal, tenant)
  if (hashes === undefined) return new Map()
  const byHash = Map.groupBy(new Set(texts), (text) => hashes.ofWord(kind, text))
  const found = await findErasedWords(tenant, kind, [...byHash.keys()])
  return new Map(
    [...found].flatMap(([hash, pseudonym]) => (byHash.get(hash) ?? []).map((text) => [text, pseudonym])),
  )
}
