import { listCompanyNames } from '../../store/crm/crm-index.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { keepCompanies } from '../erasure/keep-index.ts'
import type { Draft } from './decide-page.ts'
import { candidateOf } from './index-rows.ts'
import type { MatchSession } from './session.ts'

/** Pauses before each look for a company that the CRM creates by itself for a new contact. */
const waitsMs = [0, 2_000, 3_000]

/** False once a wait brought no company: this portal then seems not to create companies by itself. */
export type Patience = { isWorthwhile: boolean }

/**
 * A portal may create a company for each new contact by itself. We link the customer to that company instead of
 * creating a second one, and report a second company that appears beside ours.
 */
export async function adoptCompanies(
  session: MatchSession,
  drafts: readonly Draft[],
  createdContacts: ReadonlySet<string>,
  patience: Patience,
): Promise<Draft[]> {
  const isNew = ({ match }: Draft) =>
    match.contactRecordId !== null && createdContacts.has(match.contactRecordId)
  const fresh = drafts.filter(isNew)
  const ties = await awaitCompanies(session, fresh, patience)
  if (ties.size === 0) return [...drafts]
  const known = new Set(fresh.flatMap(({ match }) => match.companyRecordId ?? []))
  const unknown = [...new Set([...ties.values()].flat())].filter((recordId) => !known.has(recordId))
  const stoodBefore = await listIndexed(session, unknown)
  const companies = await readCompanies(session, unknown)
  return drafts.map((draft) => {
    const ofContact = (isNew(draft) && ties.get(draft.match.contactRecordId ?? '')) || []
    const [recordId] = ofContact
    if (recordId === undefined) return draft
    const { match } = draft
    if (match.state === 'linked') {
      // The CRM also ties the contact to a company that stood there before: that is no second one of this customer.
      const other = ofContact.find((id) => id !== match.companyRecordId && !stoodBefore.has(id))
      if (other !== undefined) reportSecond(session, draft, companies.get(other) ?? other)
      return draft
    }
    const isOpen = match.evidence === 'no_candidate' && ofContact.length === 1
    if (!isOpen) return draft
    const companyName = companies.get(recordId) ?? null
    return {
      ...draft,
      match: { ...match, state: 'linked', evidence: 'contact_email', companyRecordId: recordId, companyName },
    }
  })
}

/** Reads the companies of new contacts. Waits only while a contact that could get one has none. */
async function awaitCompanies(
  { deps, access }: MatchSession,
  fresh: readonly Draft[],
  patience: Patience,
): Promise<Map<string, string[]>> {
  const ids = fresh.flatMap(({ match }) => match.contactRecordId ?? [])
  const waiting = fresh.filter(({ match }) => match.state === 'pending' && match.evidence === 'no_candidate')
  let ties = new Map<string, string[]>()
  if (ids.length === 0) return ties
  const isSet = (draft: Draft) => (ties.get(draft.match.contactRecordId ?? '') ?? []).length > 0
  for (const waitMs of patience.isWorthwhile && waiting.length > 0 ? waitsMs : [0]) {
    if (waitMs > 0) await deps.sleep(waitMs, access.signal)
    ties = await deps.crm.listCompaniesOfContacts(access, ids)
    if (waiting.every(isSet)) break
  }
  if (waiting.length > 0) patience.isWorthwhile = waiting.some(isSet)
  return ties
}

/** Those of the companies that were there at the last look. */
async function listIndexed({ deps, access, organizationId }: MatchSession, recordIds: readonly string[]) {
  const found = await inOrganization(deps.database, organizationId, (tenant) =>
    listCompanyNames(tenant, access.portalId, recordIds),
  )
  return new Set(found.keys())
}

/** Adds the companies to the index and returns their names. */
async function readCompanies(
  { deps, access, write }: MatchSession,
  recordIds: readonly string[],
): Promise<Map<string, string>> {
  const read = await deps.crm.readCompanies(access, recordIds)
  const place = { deps, portalId: access.portalId, at: deps.now() }
  const companies = await write((tenant) => keepCompanies(tenant, place, read.map(candidateOf)))
  return new Map(companies.flatMap(({ recordId, name }) => (name === null ? [] : [[recordId, name]])))
}

function reportSecond({ deps, report }: MatchSession, { customer, email }: Draft, name: string): void {
  report(
    customer.customerId,
    `${deps.crm.name} has made a company of its own, ${name}, for the new contact ${email}, beside the one that the customer is matched to. Merge the two in ${deps.crm.name}, or switch off its setting "Create and associate companies with contacts".`,
  )
}
