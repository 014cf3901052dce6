import type { CrmContactDraft, CrmWriteOutcome } from '../../providers/crm.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findErasedTexts, keepContacts } from '../erasure/keep-index.ts'
import { adoptCompanies, type Patience } from './adopt-companies.ts'
import { createCompanies } from './create-companies.ts'
import { customersBy, inChunks, reportUnmade } from './create-outcomes.ts'
import type { Draft } from './decide-page.ts'
import { companyGone } from './gone-texts.ts'
import { indexContacts } from './index-rows.ts'
import { leaveNamesakes } from './leave-namesakes.ts'
import { type Heir, lookAgain } from './look-again.ts'
import { type CreateSwitches, planContacts, wantsContact } from './plan-creates.ts'
import { holdTakenBack } from './review/own-ties.ts'
import type { MatchSession } from './session.ts'
import { tieContacts } from './tie-contacts.ts'

/**
 * Creates the missing companies and contacts that the organization wants. Companies come first, so that the new
 * contacts can be associated with them.
 */
export async function createMissing(
  session: MatchSession,
  drafts: readonly Draft[],
  switches: CreateSwitches,
  patience: Patience,
): Promise<Draft[]> {
  const certain = await leaveNamesakes(session, drafts, switches)
  const withCompanies = switches.autoCreateCompanies ? await createCompanies(session, certain) : certain
  await tieContacts(session, withCompanies)
  return switches.autoCreateContacts ? createContacts(session, withCompanies, patience) : withCompanies
}

async function createContacts(
  session: MatchSession,
  drafts: readonly Draft[],
  patience: Patience,
): Promise<Draft[]> {
  const { access, deps, write } = session
  const first = await createAll(session, drafts)
  const moved = await movedCompanies(session, first)
  const { wanted, created } = moved.size === 0 ? first : await createAgain(session, first, moved)
  const standing = drafts.map((draft) => withoutMoved(draft, moved))
  const byEmail = writtenIds(created)
  const companyOf = new Map(wanted.map(({ email, companyRecordId }) => [email, companyRecordId]))
  const contacts = [...writtenIds(created.filter(isNew))].map(([email, recordId]) => ({
    recordId,
    emails: [email],
    companyRecordIds: [companyOf.get(email) ?? null].filter((id) => id !== null),
  }))
  const tiedEmails = new Set(
    contacts.flatMap(({ emails, companyRecordIds }) => (companyRecordIds.length > 0 ? emails : [])),
  )
  const tied = standing.filter(({ email }) => email !== null && tiedEmails.has(email))
  const others = [...writtenIds(created.filter((outcome) => !isNew(outcome))).values()]
  const place = { deps, portalId: access.portalId, at: deps.now() }
  await write(async (tenant) => {
    await keepContacts(tenant, place, contacts)
    // A forecast keeps its transaction open, and would hold up people's decisions by the locks.
    if (patience.isWorthwhile) await holdTakenBack(tenant, place.portalId, tied, place.at)
    await session.created?.(tenant, { contacts: created.filter(isNew).length })
  })
  // A contact that stood there before has other addresses and companies than ours would have.
  if (others.length > 0) await indexContacts(session, await deps.crm.readContacts(access, others), deps.now())
  const whose = customersBy(drafts, ({ email }) => email)
  reportUnmade(session, created, whose, (email) => `The contact ${email} was not created`)
  const refusals = new Map(
    created.flatMap((outcome) => (outcome.state === 'refused' ? [[outcome.key, outcome.message]] : [])),
  )
  const settled = standing.map((draft) => settleContact(draft, byEmail, refusals))
  return adoptCompanies(session, settled, new Set(byEmail.values()), patience)
}

/** Whether this write created the contact; one that was there before has no time of its write. */
const isNew = (outcome: CrmWriteOutcome) => outcome.state === 'written' && outcome.updatedAt !== undefined

function refusedAsErased(email: string): CrmWriteOutcome {
  const message = 'Whoever had this address was erased, so no contact is made for it again.'
  return { key: email, state: 'refused', message }
}

type Creation = { wanted: CrmContactDraft[]; created: CrmWriteOutcome[] }

async function createAll(session: MatchSession, drafts: readonly Draft[]): Promise<Creation> {
  const wanted = planContacts(session.retriesParked ? drafts.map(unparked) : drafts)
  return { wanted, created: await create(session, wanted) }
}

async function create(session: MatchSession, wanted: readonly CrmContactDraft[]): Promise<CrmWriteOutcome[]> {
  const { deps, access } = session
  const emails = wanted.map(({ email }) => email)
  const erased = await inOrganization(deps.database, session.organizationId, (tenant) =>
    findErasedTexts(deps, tenant, 'address', emails),
  )
  const others = wanted.filter(({ email }) => !erased.has(email))
  const made = await inChunks(session, 'contacts', others, (chunk) => deps.crm.createContacts(access, chunk))
  return [...made, ...[...erased.keys()].map(refusedAsErased)]
}

/** Companies that were deleted or merged since the last look, among those for which the CRM refused contacts. */
async function movedCompanies(session: MatchSession, { wanted, created }: Creation) {
  const refused = new Set(created.flatMap(({ key, state }) => (state === 'refused' ? [key] : [])))
  const ids = wanted.flatMap(({ email, companyRecordId }) =>
    refused.has(email) ? (companyRecordId ?? []) : [],
  )
  const { moved, released } = await lookAgain(session, 'company', ids)
  for (const customerId of released) session.report(customerId, companyGone(session.deps))
  return moved
}

/** Retries with the company that the first one was merged into, or with no company. */
async function createAgain(
  session: MatchSession,
  { wanted, created }: Creation,
  moved: ReadonlyMap<string, Heir | null>,
): Promise<Creation> {
  const isMoved = ({ companyRecordId }: CrmContactDraft) =>
    companyRecordId !== null && moved.has(companyRecordId)
  const corrected = wanted.map((contact) =>
    isMoved(contact)
      ? { ...contact, companyRecordId: moved.get(contact.companyRecordId ?? '')?.recordId ?? null }
      : contact,
  )
  const again = corrected.filter((_, index) => wanted[index] && isMoved(wanted[index]))
  const emails = new Set(again.map(({ email }) => email))
  return {
    wanted: corrected,
    created: [...created.filter(({ key }) => !emails.has(key)), ...(await create(session, again))],
  }
}

/** A customer follows its merged company; a customer whose company was deleted waits for a person. */
function withoutMoved(draft: Draft, moved: ReadonlyMap<string, Heir | null>): Draft {
  const { match } = draft
  const heir = match.companyRecordId === null ? undefined : moved.get(match.companyRecordId)
  if (heir === undefined) return draft
  if (heir !== null) {
    const { recordId, name = null } = heir
    return { ...draft, match: { ...match, companyRecordId: recordId, companyName: name } }
  }
  const evidence = match.evidence === 'person' ? 'choice_gone' : 'company_gone'
  return {
    ...draft,
    match: { ...match, state: 'pending', evidence, companyRecordId: null, companyName: null },
  }
}

function unparked(draft: Draft): Draft {
  return { ...draft, match: { ...draft.match, contactProblem: null, contactProblemEmail: null } }
}

/** Links the contact, or parks the customer with the CRM's reason until the address changes. */
function settleContact(
  draft: Draft,
  created: ReadonlyMap<string, string>,
  refusals: ReadonlyMap<string, string>,
): Draft {
  const { email, match } = draft
  if (email === null || !wantsContact(unparked(draft))) return draft
  const contactRecordId = created.get(email)
  if (contactRecordId !== undefined) {
    return { ...draft, match: { ...unparked(draft).match, contactRecordId } }
  }
  const contactProblem = refusals.get(email)
  return contactProblem === undefined
    ? draft
    : { ...draft, match: { ...match, contactProblem, contactProblemEmail: email } }
}

function writtenIds(outcomes: readonly CrmWriteOutcome[]): Map<string, string> {
  return new Map(
    outcomes.flatMap((outcome) => (outcome.state === 'written' ? [[outcome.key, outcome.recordId]] : [])),
  )
}
