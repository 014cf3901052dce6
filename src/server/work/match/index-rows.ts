import type { CompanyCandidate } from '#domain/company.ts'
import { canonicalEmail } from '../../email-address.ts'
import type { CrmCompany, CrmContact } from '../../providers/crm-directory.ts'
import type { IndexedContact } from '../../store/crm/crm-index.ts'
import { followMerge } from '../../store/crm/crm-index-changes.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { keepCompanies, keepContacts } from '../erasure/keep-index.ts'
import { companyDomains } from './domains.ts'
import type { MatchSession } from './session.ts'

/** The row of the index for a company, with the domains by which customers find it. */
export function candidateOf(company: CrmCompany): CompanyCandidate {
  const { recordId, name, createdFor, facts } = company
  return { recordId, name, ...companyDomains(company), createdFor, facts }
}

function indexedContactOf(contact: CrmContact): IndexedContact {
  const { recordId, emails, companyRecordIds, primaryCompanyId } = contact
  return {
    recordId,
    emails: emails.flatMap((email) => canonicalEmail(email) ?? []),
    companyRecordIds,
    primaryCompanyId,
  }
}

/** Adds companies, read at `at`, to the index. Matches of a merged company move to the company that remains. */
export async function indexCompanies(
  session: MatchSession,
  rows: readonly CrmCompany[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return
  const { deps, access, write } = session
  await write(async (tenant) => {
    await keepCompanies(tenant, { deps, portalId: access.portalId, at }, rows.map(candidateOf))
    const moved = await followMerge(tenant, access.portalId, 'company_record_id', rows)
    await tellOfMerge(session, tenant, 'company', moved)
  })
}

export async function indexContacts(
  session: MatchSession,
  rows: readonly CrmContact[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return
  const { deps, access, write } = session
  await write(async (tenant) => {
    await keepContacts(tenant, { deps, portalId: access.portalId, at }, rows.map(indexedContactOf))
    const moved = await followMerge(tenant, access.portalId, 'contact_record_id', rows)
    await tellOfMerge(session, tenant, 'contact', moved)
  })
}

async function tellOfMerge(
  { deps, mended }: MatchSession,
  tenant: Tenant,
  object: string,
  customerIds: readonly string[],
): Promise<void> {
  for (const customerId of customerIds)
    await mended?.(
      tenant,
      `${customerId}: its ${object} was merged with another in ${deps.crm.name}; it goes with it.`,
    )
}
