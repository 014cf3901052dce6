import { canonicalEmail } from '../../email-address.ts'
import {
  type IndexedContact,
  listCompanyNames,
  listContactsByEmail,
  saveContacts,
} from '../../store/crm/crm-index.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { indexCompanies } from './index-rows.ts'
import { openCustomers } from './open-customers.ts'
import type { MatchSession } from './session.ts'

/**
 * Updates the companies of contacts whose customers wait for one. Search may miss them, because a new association
 * need not count as a change of the contact.
 */
export async function refreshTies(session: MatchSession): Promise<void> {
  const { deps, access, write } = session
  const contacts = await listWaiting(session)
  if (contacts.length === 0) return
  const lookedFrom = deps.now()
  const recordIds = contacts.map(({ recordId }) => recordId)
  const ties = await deps.crm.listCompaniesOfContacts(access, recordIds)
  const lost = contacts.flatMap(({ recordId, companyRecordIds }) =>
    missingIn(ties.get(recordId) ?? [], companyRecordIds),
  )
  const unknown = await listUnknown(session, [...new Set([...ties.values()].flat())])
  const found = await deps.crm.readCompanies(access, [...new Set([...lost, ...unknown])])
  await indexCompanies(session, found, lookedFrom)
  // An association is also hidden while its company is in the recycle bin. We notice and report that when we write to
  // the company.
  const gone = new Set(
    missingIn(
      found.map(({ recordId }) => recordId),
      lost,
    ),
  )
  const changed = contacts.flatMap((contact) => {
    const hidden = contact.companyRecordIds.filter((recordId) => gone.has(recordId))
    const companyRecordIds = [...(ties.get(contact.recordId) ?? []), ...hidden]
    if (isSameSet(companyRecordIds, contact.companyRecordIds)) return []
    // If a contact has only one company, that one is primary.
    const [only] = companyRecordIds
    const primaryCompanyId = companyRecordIds.length === 1 && only ? only : (contact.primaryCompanyId ?? null)
    return [{ ...contact, companyRecordIds, primaryCompanyId }]
  })
  await write((tenant) => saveContacts(tenant, access.portalId, changed, lookedFrom))
}

function missingIn(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(some)
  return others.filter((one) => !known.has(one))
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && missingIn(some, others).length === 0
}

async function listWaiting(session: MatchSession): Promise<IndexedContact[]> {
  const { deps, organizationId, access } = session
  const found = new Map<string, IndexedContact>()
  for await (const page of openCustomers(session)) {
    const waiting = page.filter(({ match }) => match?.state !== 'linked')
    const emails = waiting.flatMap(({ email }) => (email === null ? [] : (canonicalEmail(email) ?? [])))
    const contacts = await inOrganization(deps.database, organizationId, (tenant) =>
      listContactsByEmail(tenant, access.portalId, emails),
    )
    for (const contact of contacts) found.set(contact.recordId, contact)
  }
  return [...found.values()]
}

/** Companies that were created since the index was updated. */
async function listUnknown(session: MatchSession, recordIds: readonly string[]): Promise<string[]> {
  const { deps, organizationId, access } = session
  const known = await inOrganization(deps.database, organizationId, (tenant) =>
    listCompanyNames(tenant, access.portalId, recordIds),
  )
  return recordIds.filter((recordId) => !known.has(recordId))
}
