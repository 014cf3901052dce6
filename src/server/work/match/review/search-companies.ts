import type { CompanyCandidate } from '#domain/company.ts'
import type { Deps } from '../../../deps.ts'
import type { CrmAccess, CrmCompany } from '../../../providers/crm-directory.ts'
import { Refusal } from '../../../refusal.ts'
import { listCompanies } from '../../../store/crm/crm-index.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { withCrm } from '../../crm/with-crm.ts'
import { keepCompanies } from '../../erasure/keep-index.ts'
import { companyHost } from '../domains.ts'
import { candidateOf } from '../index-rows.ts'

/**
 * Searches companies of the connected portal by name or domain, in any spelling, and adds the results to the index,
 * so that a person's choice is known afterwards.
 */
export function searchCompanies(
  deps: Deps,
  organizationId: number,
  text: string,
  signal?: AbortSignal,
): Promise<{ portalId: string; companies: CompanyCandidate[] }> {
  return withCrm(
    deps,
    organizationId,
    async ({ access }) => {
      const found = await deps.crm.searchCompanies(access, companyHost(text) ?? text)
      const companies = await keep(deps, organizationId, access, found)
      return { portalId: access.portalId, companies }
    },
    signal,
  )
}

/** A company by its id, from the index or the CRM. Throws a refusal if it does not exist. */
export async function getCompany(
  deps: Deps,
  organizationId: number,
  access: CrmAccess,
  recordId: string,
): Promise<CompanyCandidate> {
  const company = (await getCompanies(deps, organizationId, access, [recordId])).get(recordId)
  if (!company)
    throw new Refusal('not_found', `This company is no longer in ${deps.crm.name}. Choose another one.`)
  return company
}

/** Companies by their ids, from the index or the CRM. Those that do not exist are left out. */
export async function getCompanies(
  deps: Deps,
  organizationId: number,
  access: CrmAccess,
  recordIds: readonly string[],
): Promise<Map<string, CompanyCandidate>> {
  const known = await inOrganization(deps.database, organizationId, (tenant) =>
    listCompanies(tenant, access.portalId, recordIds),
  )
  const companies = new Map(known.map((company) => [company.recordId, company]))
  const unknown = recordIds.filter((recordId) => !companies.has(recordId))
  if (unknown.length === 0) return companies
  const read = await keep(deps, organizationId, access, await deps.crm.readCompanies(access, unknown))
  for (const company of read) companies.set(company.recordId, company)
  // A merged company comes under its new id.
  const [only] = unknown
  if (unknown.length === 1 && only && read[0]) companies.set(only, read[0])
  return companies
}

async function keep(
  deps: Deps,
  organizationId: number,
  access: CrmAccess,
  found: readonly CrmCompany[],
): Promise<CompanyCandidate[]> {
  const place = { deps, portalId: access.portalId, at: deps.now() }
  return inOrganization(deps.database, organizationId, (tenant) =>
    keepCompanies(tenant, place, found.map(candidateOf)),
  )
}
