import type { CompanyCandidate } from '#domain/company.ts'
import type { Deps } from '../../deps.ts'
import type { CrmAccess, CrmCompany } from '../../providers/crm-directory.ts'
import { Refusal } from '../../refusal.ts'
import { findIndexedCompany } from '../../store/crm/crm-index.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { withCrm } from '../crm/with-crm.ts'
import { keepCompanies } from '../erasure/keep-index.ts'
import { companyHost } from './domains.ts'
import { candidateOf } from './index-rows.ts'

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
  const known = await inOrganization(deps.database, organizationId, (tenant) =>
    findIndexedCompany(tenant, access.portalId, recordId),
  )
  if (known) return known
  const [read] = await keep(deps, organizationId, access, await deps.crm.readCompanies(access, [recordId]))
  if (!read)
    throw new Refusal('not_found', `This company is no longer in ${deps.crm.name}. Choose another one.`)
  return read
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
