import { type CompanyCandidate, noCompanyFacts } from '#domain/company.ts'
import type { Deps } from '../../deps.ts'
import { type IndexedContact, saveCompanies, saveContacts } from '../../store/crm/crm-index.ts'
import { findErasedWords, type WordKind } from '../../store/erasure/erasures.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findHashes } from './hashes.ts'

/** The portal and the time at which CRM data was read. */
type Place = { deps: Pick<Deps, 'seal'>; portalId: string; at: Date }

/**
 * Adds companies to the index. Those of erased people get the pseudonym as their name and lose their domains and facts.
 * Returns them as stored.
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
      facts: noCompanyFacts,
      name: pseudonym,
      domains: domains.filter(isKept),
      registrableDomains: registrableDomains.filter(isKept),
      ...(createdFor && { createdFor: isKept(createdFor) ? createdFor : null }),
    }
  })
  await saveCompanies(tenant, portalId, kept, at)
  return kept
}

/** Every domain by which a company is found. */
function hostsOf({ domains, registrableDomains, createdFor }: CompanyCandidate): string[] {
  return [...domains, ...registrableDomains, ...(createdFor ? [createdFor] : [])]
}

/** Adds contacts to the index without the addresses of erased people. */
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

/** The texts among these that belonged to erased people, each with its pseudonym. */
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
