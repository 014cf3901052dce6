import type { CustomerEntry } from '#contract/customers/customers.ts'
import { matchStateLabels } from '#contract/lists/list-words.ts'
import type { CandidateFacts, Match } from '#contract/matches.ts'
import type { MatchEvidence, MatchReason } from '#domain/company.ts'
import { formatDay } from '../../ui/dates.ts'
import { counted } from '../counted.ts'

/** Explains a customer's match in a sentence. */
const evidenceTexts: Record<MatchEvidence, string> = {
  contact_email: 'HubSpot has a contact with this email, and it belongs to the company.',
  company_domain: 'The company has the domain of the email.',
  created: 'The company was created for this customer.',
  person: 'Somebody on your team chose it.',
  rule: 'Your rule for the domain says so.',
  no_candidate: 'No company in HubSpot has this contact or domain.',
  several_candidates: 'Several companies fit.',
  related_domain: 'No company has the exact domain of the email, but one has a related domain.',
  same_name: 'A company of its name has no domain in HubSpot and may be it, so no other one was created.',
  doubtful_domain: 'The domain may be that of a mail provider, so no company was created for it.',
  free_mail: "Personal email address. It can't identify the company.",
  misspelled_email: 'The email looks misspelled. Fix it in Stripe.',
  no_email: 'The customer has no email in Stripe.',
  invalid_email: 'Not a valid email address. Fix it in Stripe.',
  shared_domain: 'Many different customers share this domain.',
  never_rule: 'Your rule says that this domain is never matched.',
  unlinked: 'Somebody on your team unlinked it.',
  choice_undone: 'Your team chose a company for it and took that back.',
  creation_undone: 'Your team created a company for it and took that back.',
  company_changed: 'The company that was created for this domain has another one in HubSpot by now.',
  company_gone: 'Its company was deleted in HubSpot.',
  choice_gone: 'The company that your team chose was deleted in HubSpot.',
}

/** Stands in place of a company where there is none: a person ignored the customer, or else it is not matched. */
export const noCompanyText = ({ matchState }: Pick<CustomerEntry, 'matchState'>) =>
  matchState === 'ignored' ? matchStateLabels.ignored : 'Not matched'

type Why = Pick<Match, 'evidence' | 'emailProblem' | 'decidedBy'>

/** Explains the match: by whom it was decided, where that is known, or what is wrong with the address that caused it. */
export function whyText({ evidence, emailProblem, decidedBy }: Why): string {
  if (decidedBy !== null) return `${evidence === 'unlinked' ? 'Unlinked' : 'Chosen'} by ${decidedBy}.`
  const isOfAddress = evidence === 'invalid_email' || evidence === 'misspelled_email'
  return (isOfAddress && emailProblem) || evidenceTexts[evidence]
}

/** Says why a company fits. */
const reasonTexts: Record<MatchReason, (company: string) => string> = {
  contact_primary: (company) => `${company} is the primary company of the contact`,
  contact_email: (company) => `a contact with this email belongs to ${company}`,
  company_domain: (company) => `${company} has the domain of the email`,
  company_registrable_domain: (company) => `${company} has a related domain, but not that of the email`,
  created_for_domain: (company) => `${company} was created for the domain of the email`,
  same_name: (company) => `${company} has the same name`,
}

type Candidate = Pick<Match['candidates'][number], 'reasons'>

/** Says why a candidate fits, after its name. */
export function reasonsText({ reasons }: Candidate): string {
  return reasons.map((reason) => reasonTexts[reason]('it')).join(', and ')
}

/** Reasons that say already what is known of the companies that fit. */
const tellsCompany: readonly MatchEvidence[] = [
  'several_candidates',
  'related_domain',
  'same_name',
  'company_changed',
]

type Suggestion = Pick<Match, 'state' | 'evidence'> & { candidates: readonly Candidate[] }

/** Says why the first candidate is suggested, if the reason of the match says only why it was not taken; else empty. */
export function suggestionText({ state, evidence, candidates }: Suggestion): string {
  const reason = candidates[0]?.reasons[0]
  if (state === 'linked' || reason === undefined || tellsCompany.includes(evidence)) return ''
  return sentence(reasonTexts[reason]('the company'))
}

/** A text with a capital at its beginning and a full stop; empty for an empty one. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text === '' ? '' : '.'}`
}

const domainsMax = 3

/** Names the domains of a company, which tell it from others of its name; empty where it has none. */
export function domainsText(domains: readonly string[]): string {
  const more = domains.length - domainsMax
  return `${domains.slice(0, domainsMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/**
 * Says in one line what HubSpot knows of a company, which tells it from its double; empty where that is nothing. A narrow
 * line breaks between two facts.
 */
export function companyFactsText({
  createdAt,
  contactCount,
  dealCount,
  lastActivityAt,
}: CandidateFacts): string {
  const facts = [
    createdAt === null ? '' : `Created ${formatDay(createdAt)}`,
    contactCount === null ? '' : countText(contactCount, 'contact'),
    dealCount === null ? '' : countText(dealCount, 'deal'),
    lastActivityAt === null ? '' : `Last activity ${formatDay(lastActivityAt)}`,
  ]
  return facts
    .filter(Boolean)
    .map((fact) => fact.replaceAll(' ', '\u00a0'))
    .join(' · ')
}

function countText(count: number, noun: string): string {
  return count === 0 ? `No ${noun}s` : counted(count, noun)
}
