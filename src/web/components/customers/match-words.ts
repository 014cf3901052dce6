import type { Match } from '#contract/matches.ts'
import type { MatchEvidence, MatchReason } from '#domain/company.ts'

/** Explains a customer's match in a sentence. */
const evidenceTexts: Record<MatchEvidence, string> = {
  contact_email: 'HubSpot has a contact with this email, and it belongs to the company.',
  company_domain: 'The company has the domain of the email.',
  created: 'The company was created for this customer.',
  person: 'Somebody of your team chose it.',
  rule: 'Your rule for the domain says so.',
  no_candidate: 'No company in HubSpot has this contact or domain.',
  several_candidates: 'Several companies fit.',
  related_domain: 'No company has the very domain of the email, but one has a related domain.',
  doubtful_domain: 'The domain may be that of a mail provider, so no company was created for it.',
  free_mail: 'The email is a personal one, which says nothing about the company.',
  misspelled_email: 'The email looks like a slip of the pen. Correct it in Stripe.',
  no_email: 'The customer has no email in Stripe.',
  invalid_email: 'The email in Stripe cannot be one. Correct it there.',
  shared_domain: 'Many different customers share this domain.',
  never_rule: 'Your rule says that this domain does not tell the company.',
  unlinked: 'Somebody of your team took it off its company.',
  company_changed: 'The company that was created for this domain has another one in HubSpot by now.',
  company_gone: 'Its company was deleted in HubSpot.',
  choice_gone: 'The company that your team chose was deleted in HubSpot.',
}

/** Explains the match; when the address is the cause, it says what is wrong with the address. */
export function whyText({ evidence, emailProblem }: Pick<Match, 'evidence' | 'emailProblem'>): string {
  const isOfAddress = evidence === 'invalid_email' || evidence === 'misspelled_email'
  return (isOfAddress && emailProblem) || evidenceTexts[evidence]
}

/** Says why one candidate fits. */
export const reasonTexts: Record<MatchReason, string> = {
  contact_primary: 'it is the primary company of the contact',
  contact_email: 'a contact with this email belongs to it',
  company_domain: 'it has the domain of the email',
  company_registrable_domain: 'its domain is related to that of the email, but not the same',
  created_for_domain: 'it was created for the domain of the email',
  same_name: 'it has the same name',
}
