import type { MatchCandidate } from '#domain/company.ts'
import type { CrmWriteOutcome } from '../../providers/crm.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { inOrganization } from '../../store/database.ts'
import { findErasedTexts, keepCompanies, keepContacts } from '../erasure/keep-index.ts'
import { adoptCompanies, type Patience } from './adopt-companies.ts'
import type { Draft } from './decide-page.ts'
import {
  type CreateSwitches,
  leaveSisters,
  planCompanies,
  planContacts,
  wantsCompany,
  wantsContact,
} from './plan-creates.ts'
import type { MatchSession } from './session.ts'

/**
 * Creates what nobody could be found for, as far as the organization wants that: companies first, keyed by their
 * domain, so that the contacts made after them hang on them.
 */
export async function createMissing(
  session: MatchSession,
  drafts: readonly Draft[],
  switches: CreateSwitches,
  patience: Patience,
): Promise<Draft[]> {
  const withCompanies = switches.autoCreateCompanies ? await createCompanies(session, drafts) : [...drafts]
  return switches.autoCreateContacts ? createContacts(session, withCompanies, patience) : withCompanies
}

async function createCompanies(session: MatchSession, drafts: readonly Draft[]): Promise<Draft[]> {
  const { deps, access, write } = session
  const decided = leaveSisters(drafts)
  const wanted = planCompanies(decided)
  const created = await inChunks(session, wanted, (chunk) =>
    deps.crm.upsertCompanies(
      access,
      chunk.map((company) => ({ key: company.domain, ...company })),
    ),
  )
  const byDomain = writtenIds(created)
  const names = new Map(wanted.map(({ domain, name }) => [domain, name]))
  const companies = [...byDomain].map(([domain, recordId]) => ({
    recordId,
    name: names.get(domain) ?? null,
    domains: [domain],
    registrableDomains: [domain],
  }))
  const place = { deps, portalId: access.portalId, at: deps.now() }
  await write((tenant) => keepCompanies(tenant, place, companies))
  const whose = customersBy(drafts, ({ address }) => address.registrableDomain)
  reportRefused(session, created, whose, (domain) => `The company of ${domain} was not created`)
  return drafts.map((draft, at) => {
    const domain = draft.address.registrableDomain
    const recordId = domain === null ? undefined : byDomain.get(domain)
    if (!wantsCompany(draft) || recordId === undefined || domain === null) return draft
    const name = names.get(domain) ?? null
    const left = decided[at]
    if (left && !wantsCompany(left)) return withSister(left, { recordId, name })
    return {
      ...draft,
      match: {
        ...draft.match,
        state: 'linked',
        evidence: 'created',
        companyRecordId: recordId,
        companyName: name,
        candidates: [],
      },
    }
  })
}

/** The company of a sister domain was just made: whether it is the customer's too is left to a person. */
function withSister(draft: Draft, company: { recordId: string; name: string | null }): Draft {
  const sister: MatchCandidate = { ...company, reasons: ['company_registrable_domain'] }
  const candidates = [sister, ...draft.match.candidates]
  return { ...draft, match: { ...draft.match, candidates } }
}

async function createContacts(
  session: MatchSession,
  drafts: readonly Draft[],
  patience: Patience,
): Promise<Draft[]> {
  const { deps, access, write } = session
  const wanted = planContacts(session.retriesParked ? drafts.map(unparked) : drafts)
  const erased = await inOrganization(deps.database, session.organizationId, (tenant) =>
    findErasedTexts(
      deps,
      tenant,
      'address',
      wanted.map(({ email }) => email),
    ),
  )
  const made = await inChunks(
    session,
    wanted.filter(({ email }) => !erased.has(email)),
    (chunk) => deps.crm.createContacts(access, chunk),
  )
  const created = [...made, ...[...erased.keys()].map(refusedAsErased)]
  const byEmail = writtenIds(created)
  const companyOf = new Map(wanted.map(({ email, companyRecordId }) => [email, companyRecordId]))
  const contacts = [...byEmail].map(([email, recordId]) => ({
    recordId,
    emails: [email],
    companyRecordIds: [companyOf.get(email) ?? null].filter((id) => id !== null),
  }))
  const place = { deps, portalId: access.portalId, at: deps.now() }
  await write((tenant) => keepContacts(tenant, place, contacts))
  const whose = customersBy(drafts, ({ email }) => email)
  reportRefused(session, created, whose, (email) => `The contact ${email} was not created`)
  const refusals = new Map(
    created.flatMap((outcome) => (outcome.state === 'refused' ? [[outcome.key, outcome.message]] : [])),
  )
  const settled = drafts.map((draft) => settleContact(draft, byEmail, refusals))
  return adoptCompanies(session, settled, new Set(byEmail.values()), patience)
}

function refusedAsErased(email: string): CrmWriteOutcome {
  const message = 'Whoever had this address was erased, so no contact is made for it again.'
  return { key: email, state: 'refused', message }
}

function unparked(draft: Draft): Draft {
  return { ...draft, match: { ...draft.match, contactProblem: null, contactProblemEmail: null } }
}

/** With its contact, or parked with the CRM's reason until the address changes. */
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

/** What a portal does not let us create at all leaves the customers open; it does not end the matching. */
async function inChunks<T>(
  { deps }: MatchSession,
  items: readonly T[],
  create: (chunk: readonly T[]) => Promise<CrmWriteOutcome[]>,
): Promise<CrmWriteOutcome[]> {
  const size = deps.crm.limits.recordsPerBatch
  const outcomes: CrmWriteOutcome[] = []
  for (let start = 0; start < items.length; start += size) {
    try {
      outcomes.push(...(await create(items.slice(start, start + size))))
    } catch (error) {
      if (!(error instanceof ProviderError && error.kind === 'forbidden')) throw error
      outcomes.push({ key: '', state: 'refused', message: error.message })
      break
    }
  }
  return outcomes
}

/** The first customer of each key, for whom a refusal is told. */
function customersBy(drafts: readonly Draft[], keyOf: (draft: Draft) => string | null): Map<string, string> {
  return new Map(drafts.toReversed().map((draft) => [keyOf(draft) ?? '', draft.customer.customerId]))
}

function writtenIds(outcomes: readonly CrmWriteOutcome[]): Map<string, string> {
  return new Map(
    outcomes.flatMap((outcome) => (outcome.state === 'written' ? [[outcome.key, outcome.recordId]] : [])),
  )
}

function reportRefused(
  { report }: MatchSession,
  outcomes: readonly CrmWriteOutcome[],
  whose: ReadonlyMap<string, string>,
  subject: (key: string) => string,
): void {
  for (const outcome of outcomes) {
    if (outcome.state !== 'written')
      report(whose.get(outcome.key) ?? null, `${subject(outcome.key)}: ${outcome.message}`)
  }
}
