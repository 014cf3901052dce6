import { keepCompanies } from '../erasure/keep-index.ts'
import type { Draft } from './decide-page.ts'
import { candidateOf } from './index-rows.ts'
import type { MatchSession } from './session.ts'

/** How long the CRM is given to make a company of its own for a new contact. */
const waitsMs = [0, 2_000, 3_000]

/** Whether the portal may still turn out to make companies by itself: it is waited for until it once does not. */
export type Patience = { isWorthwhile: boolean }

/**
 * Looks at the contacts that were just created: a portal may be set to make a company for each by itself. That company
 * is the customer's then, so that none is made beside it; one that comes beside ours is told of.
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
  const companies = await readCompanies(session, unknown)
  return drafts.map((draft) => {
    const ofContact = (isNew(draft) && ties.get(draft.match.contactRecordId ?? '')) || []
    const [recordId] = ofContact
    if (recordId === undefined) return draft
    const { match } = draft
    if (match.state === 'linked') {
      const other = ofContact.find((id) => id !== match.companyRecordId)
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

/** The companies of new contacts by now. Waited for only while some contact could get one and has none. */
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

/** Takes the companies into the index and gives their names. */
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
