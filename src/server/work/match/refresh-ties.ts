import { normalizeEmail } from '#domain/company.ts'
import {
  type IndexedContact,
  listCandidateCompanies,
  listContactsByEmail,
  saveContacts,
} from '../../store/crm-index.ts'
import { inOrganization } from '../../store/database.ts'
import { indexCompanies } from './index-rows.ts'
import { openCustomers } from './open-customers.ts'
import type { MatchSession } from './session.ts'

/**
 * Brings the companies of those contacts up to date whose customers wait for one. A search for changes does not tell of
 * them: that somebody ties a contact to a company need not count as a change of the contact.
 */
export async function refreshTies(session: MatchSession): Promise<void> {
  const { deps, access, write } = session
  const { portalId } = access
  const contacts = await listWaiting(session)
  const recordIds = contacts.map(({ recordId }) => recordId)
  const ties = await deps.crm.listCompaniesOfContacts(access, recordIds)
  const changed = contacts.flatMap((contact) => {
    const companyRecordIds = ties.get(contact.recordId) ?? []
    return isSameSet(companyRecordIds, contact.companyRecordIds) ? [] : [{ ...contact, companyRecordIds }]
  })
  await indexUnknown(session, [...new Set([...ties.values()].flat())])
  await write((tenant) => saveContacts(tenant, portalId, changed, deps.now()))
}

async function listWaiting(session: MatchSession): Promise<IndexedContact[]> {
  const { deps, organizationId, access } = session
  const found = new Map<string, IndexedContact>()
  for await (const page of openCustomers(session)) {
    const waiting = page.filter(({ match }) => match?.state !== 'linked')
    const emails = waiting.flatMap(({ email }) => normalizeEmail(email) ?? [])
    const contacts = await inOrganization(deps.database, organizationId, (tenant) =>
      listContactsByEmail(tenant, access.portalId, emails),
    )
    for (const contact of contacts) found.set(contact.recordId, contact)
  }
  return [...found.values()]
}

/** Takes companies into the index that were made since it was brought up to date. */
async function indexUnknown(session: MatchSession, recordIds: readonly string[]): Promise<void> {
  const { deps, organizationId, access } = session
  if (recordIds.length === 0) return
  const known = await inOrganization(deps.database, organizationId, (tenant) =>
    listCandidateCompanies(tenant, access.portalId, { domains: [], names: [], recordIds }),
  )
  const isKnown = new Set(known.map(({ recordId }) => recordId))
  const unknown = recordIds.filter((recordId) => !isKnown.has(recordId))
  await indexCompanies(session, await deps.crm.readCompanies(access, unknown), deps.now())
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}
