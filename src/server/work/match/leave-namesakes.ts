import type { CompanyCandidate, MatchCandidate } from '#domain/company.ts'
import { companyBaseName, realName } from '#domain/company-name.ts'
import { listCompaniesNamedLike, listNamesOfHosts } from '../../store/crm/crm-index.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { Draft } from './decide-page.ts'
import { type CreateSwitches, wantsCompany, wantsContact } from './plan-creates.ts'
import type { MatchSession } from './session.ts'

/** Base names of customers, by the registrable domain of their addresses. */
type NamesOfDomains = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Leaves to a person whose company may be one that names no domain: it has the name of the customer or of another one of
 * the domain, with whatever legal form at its end, or none.
 */
export async function leaveNamesakes(
  session: MatchSession,
  drafts: readonly Draft[],
  { autoCreateCompanies, autoCreateContacts }: CreateSwitches,
): Promise<Draft[]> {
  const { deps, organizationId, access } = session
  // For a new contact, the CRM may make the second company by itself.
  const isDue = (draft: Draft) =>
    wantsCompany(draft) && (autoCreateCompanies || (autoCreateContacts && wantsContact(draft)))
  const wanting = drafts.filter(isDue)
  if (wanting.length === 0) return [...drafts]
  const { names, companies } = await inOrganization(deps.database, organizationId, async (tenant) => {
    const hosts = wanting.flatMap(({ address }) => address.host ?? [])
    const names = namesOfDomains(wanting, drafts, await listNamesOfHosts(tenant, [...new Set(hosts)]))
    const beginnings = [...names.values()].flatMap((some) => [...some])
    return {
      names,
      companies: await listCompaniesNamedLike(tenant, access.portalId, [...new Set(beginnings)]),
    }
  })
  const byName = Map.groupBy(
    companies.filter(({ name, domains }) => name !== null && domains.length === 0),
    ({ name }) => companyBaseName(name ?? ''),
  )
  return drafts.map((draft) => (isDue(draft) ? doubted(draft, names, byName) : draft))
}

function namesOfDomains(
  wanting: readonly Draft[],
  drafts: readonly Draft[],
  known: readonly { host: string; name: string }[],
): NamesOfDomains {
  const wanted = new Set(wanting.map(({ address }) => address.registrableDomain))
  const domainOf = new Map(drafts.map(({ address }) => [address.host, address.registrableDomain]))
  const names = new Map<string, Set<string>>()
  const own = drafts.map(({ address, customer }) => ({ host: address.host, name: customer.name }))
  for (const { host, name } of [...own, ...known]) {
    const [domain, base] = [domainOf.get(host) ?? null, baseOf(name)]
    if (domain === null || base === null || !wanted.has(domain)) continue
    names.set(domain, (names.get(domain) ?? new Set()).add(base))
  }
  return names
}

function baseOf(name: string | null): string | null {
  const real = realName(name)
  return real === null ? null : companyBaseName(real)
}

function doubted(
  draft: Draft,
  names: NamesOfDomains,
  byName: ReadonlyMap<string, readonly CompanyCandidate[]>,
): Draft {
  const { match, address, customer } = draft
  const own = baseOf(customer.name)
  const candidates = [...(names.get(address.registrableDomain ?? '') ?? [])]
    .flatMap((base) =>
      (byName.get(base) ?? []).map(({ recordId, name }): MatchCandidate => {
        // The name may be that of another customer.
        return { recordId, name, reasons: base === own ? ['same_name'] : [] }
      }),
    )
    .toSorted((one, other) => other.reasons.length - one.reasons.length)
  if (candidates.length === 0) return draft
  const others = match.candidates.filter(({ recordId }) =>
    candidates.every((candidate) => candidate.recordId !== recordId),
  )
  return { ...draft, match: { ...match, evidence: 'same_name', candidates: [...candidates, ...others] } }
}
