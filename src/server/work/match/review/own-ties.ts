// Once a person has taken a choice back, the contacts that it tied to its company must not lead the customer there again.

import { isHeldForPerson, type MatchEvidence } from '#domain/company.ts'
import { lockCandidates } from '../../../store/matches/held-matches.ts'
import { writeMatches } from '../../../store/matches/write-matches.ts'
import type { Tenant } from '../../../store/postgres/database.ts'
import { readAddress } from '../../addresses/read-address.ts'
import { type Draft, isOfProvider } from '../decide-page.ts'
import { lookUpIndex } from '../look-up-index.ts'

/**
 * The customers among these whose contact has come to a company since a run last looked for theirs, which may have been
 * by our own hand.
 */
export async function findNewlyTied(
  tenant: Tenant,
  portalId: string,
  customerIds: readonly string[],
): Promise<Set<string>> {
  if (customerIds.length === 0) return new Set()
  const known = (await lockCandidates(tenant, portalId, customerIds)).flatMap(({ email: text, ...one }) => {
    const { email } = readAddress(text)
    return email === null ? [] : [{ ...one, email }]
  })
  const emails = [...new Set(known.map(({ email }) => email))]
  const { contacts, companies } = await lookUpIndex(tenant, portalId, {
    ...{ emails, domains: [], names: [], recordIds: [] },
  })
  const counting = new Set(
    companies.filter((company) => !isOfProvider(company)).map(({ recordId }) => recordId),
  )
  const companiesOf = new Map<string, string[]>()
  for (const { emails: own, companyRecordIds } of contacts)
    for (const email of own) companiesOf.set(email, [...(companiesOf.get(email) ?? []), ...companyRecordIds])
  const isNewlyTied = ({ email, candidates }: (typeof known)[number]) => {
    const before = candidates.filter(({ reasons }) => reasons.includes('contact_email'))
    const ids = new Set(before.map(({ recordId }) => recordId))
    return companiesOf.get(email)?.some((id) => counting.has(id) && !ids.has(id)) ?? false
  }
  return new Set(known.filter(isNewlyTied).map(({ customerId }) => customerId))
}

/** These say by themselves why the customer lost its company, and that is no choice that was taken back. */
const lostOtherwise: readonly MatchEvidence[] = ['never_rule', 'company_gone']

/**
 * Holds the customers whose company a person took back while a run made their contact and tied it there. Locks the
 * matches, so that an undo comes before or sees the contact.
 */
export async function holdTakenBack(
  tenant: Tenant,
  portalId: string,
  drafts: readonly Draft[],
  at: Date,
): Promise<void> {
  const chosen = drafts.flatMap(({ customer: { customerId, match } }) =>
    match?.state === 'linked' && (match.evidence === 'person' || match.evidence === 'rule')
      ? [customerId]
      : [],
  )
  if (chosen.length === 0) return
  const found = await lockCandidates(tenant, portalId, chosen)
  const held = found.flatMap(({ customerId, state, evidence }) =>
    state === 'linked' || isHeldForPerson(evidence) || lostOtherwise.includes(evidence)
      ? []
      : [{ customerId, state, evidence: 'choice_undone', company: null } as const],
  )
  await writeMatches(tenant, portalId, held, at)
}
