import type { CrmWriteOutcome } from '../../providers/crm.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { saveCompanies, saveContacts } from '../../store/crm-index.ts'
import type { Settings } from '../../store/settings.ts'
import type { Draft } from './decide-page.ts'
import type { MatchSession } from './session.ts'

type Switches = Pick<Settings, 'autoCreateCompanies' | 'autoCreateContacts'>

/**
 * Creates what nobody could be found for, as far as the organization wants that: companies first, keyed by their
 * domain, so that the contacts made after them hang on them.
 */
export async function createMissing(
  session: MatchSession,
  drafts: readonly Draft[],
  switches: Switches,
): Promise<Draft[]> {
  const withCompanies = switches.autoCreateCompanies ? await createCompanies(session, drafts) : [...drafts]
  return switches.autoCreateContacts ? createContacts(session, withCompanies) : withCompanies
}

async function createCompanies(session: MatchSession, drafts: readonly Draft[]): Promise<Draft[]> {
  const { deps, access, write } = session
  const names = new Map<string, string>()
  for (const { match, address, customer } of drafts) {
    const domain = address.registrableDomain
    const isWanted = match.state === 'pending' && match.evidence === 'no_candidate'
    if (isWanted && domain !== null && !names.has(domain)) names.set(domain, customer.name?.trim() || domain)
  }
  const wanted = [...names].map(([domain, name]) => ({ domain, name }))
  const created = await inChunks(wanted, deps.crm.limits.recordsPerBatch, (chunk) =>
    deps.crm.upsertCompanies(access, chunk),
  )
  const byDomain = writtenIds(created)
  await write((tenant) =>
    saveCompanies(
      tenant,
      access.portalId,
      [...byDomain].map(([domain, recordId]) => ({
        recordId,
        name: names.get(domain) ?? null,
        domains: [domain],
        registrableDomains: [domain],
      })),
      deps.now(),
    ),
  )
  reportRefused(session, created, (domain) => `The company of ${domain} was not created`)
  return drafts.map((draft) => {
    const domain = draft.address.registrableDomain
    const recordId = domain === null ? undefined : byDomain.get(domain)
    const isOpen = draft.match.state === 'pending' && draft.match.evidence === 'no_candidate'
    if (!isOpen || recordId === undefined || domain === null) return draft
    return {
      ...draft,
      match: {
        ...draft.match,
        state: 'linked',
        evidence: 'created',
        companyRecordId: recordId,
        companyName: names.get(domain) ?? null,
        candidates: [],
      },
    }
  })
}

/** With several companies to choose from a contact would invite the CRM to choose one: that is left to a person. */
function wantsContact({ match, email }: Draft): boolean {
  return email !== null && match.contactRecordId === null && match.evidence !== 'several_candidates'
}

async function createContacts(session: MatchSession, drafts: readonly Draft[]): Promise<Draft[]> {
  const { deps, access, write } = session
  const companyOf = new Map<string, string | null>()
  for (const draft of drafts) {
    if (!wantsContact(draft) || draft.email === null) continue
    companyOf.set(draft.email, companyOf.get(draft.email) ?? draft.match.companyRecordId)
  }
  const wanted = [...companyOf].map(([email, companyRecordId]) => ({ email, companyRecordId }))
  const created = await inChunks(wanted, deps.crm.limits.recordsPerBatch, (chunk) =>
    deps.crm.createContacts(access, chunk),
  )
  const byEmail = writtenIds(created)
  await write((tenant) =>
    saveContacts(
      tenant,
      access.portalId,
      [...byEmail].map(([email, recordId]) => ({
        recordId,
        emails: [email],
        companyRecordIds: [companyOf.get(email) ?? null].filter((id) => id !== null),
      })),
      deps.now(),
    ),
  )
  reportRefused(session, created, (email) => `The contact ${email} was not created`)
  return drafts.map((draft) => {
    const recordId = draft.email === null ? undefined : byEmail.get(draft.email)
    return recordId === undefined || !wantsContact(draft)
      ? draft
      : { ...draft, match: { ...draft.match, contactRecordId: recordId } }
  })
}

/** What a portal does not let us create at all leaves the customers open; it does not end the matching. */
async function inChunks<T>(
  items: readonly T[],
  size: number,
  create: (chunk: readonly T[]) => Promise<CrmWriteOutcome[]>,
): Promise<CrmWriteOutcome[]> {
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

function writtenIds(outcomes: readonly CrmWriteOutcome[]): Map<string, string> {
  return new Map(
    outcomes.flatMap((outcome) => (outcome.state === 'written' ? [[outcome.key, outcome.recordId]] : [])),
  )
}

function reportRefused(
  { report }: MatchSession,
  outcomes: readonly CrmWriteOutcome[],
  subject: (key: string) => string,
): void {
  for (const outcome of outcomes) {
    if (outcome.state !== 'written') report(null, `${subject(outcome.key)}: ${outcome.message}`)
  }
}
