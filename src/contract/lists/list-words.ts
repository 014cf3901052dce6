import type { MatchEvidence, MatchState } from '#domain/company.ts'
import { labelOf } from '#domain/subscription.ts'
import type { RecountRecord } from '../recounts.ts'
import type { jobTypes, starters } from '../sync.ts'

/** How it stands with the company of a customer. Screens and files have these words in place of the codes, as all below. */
export const matchStateLabels: Record<MatchState, string> = {
  linked: 'Matched',
  pending: 'Waits for review',
  ignored: 'Ignored',
}

/** The same for a customer that may not have been looked up yet. */
export function matchLabel(state: MatchState | null): string {
  return state === null ? 'Not looked up yet' : matchStateLabels[state]
}

/** The lists of Match Review. */
export const reviewLabels: Record<MatchState, string> = {
  pending: 'Needs review',
  linked: 'Attached',
  ignored: 'Ignored',
}

/** Names the group of customers with a reason, in few words. */
export const reasonLabels: Record<MatchEvidence, string> = {
  contact_email: 'By contact',
  company_domain: 'By domain',
  created: 'Created',
  person: 'Chosen by hand',
  rule: 'By rule',
  no_candidate: 'No company found',
  several_candidates: 'Several companies fit',
  related_domain: 'Related domain',
  same_name: 'Same name',
  doubtful_domain: 'Doubtful domain',
  free_mail: 'Personal email',
  misspelled_email: 'Misspelled email',
  no_email: 'No email',
  invalid_email: 'Invalid email',
  shared_domain: 'Shared domain',
  never_rule: 'Domain never matched',
  unlinked: 'Unlinked by hand',
  choice_undone: 'Choice undone',
  creation_undone: 'Creation undone',
  company_changed: 'Company changed',
  company_gone: 'Company deleted',
  choice_gone: 'Chosen company deleted',
}

/** The kinds of runs. */
export const runTypeLabels: Record<(typeof jobTypes)[number], string> = {
  import: 'Data Import',
  sync: 'Data Sync',
  recount: 'MRR Recount',
}

/** The state of a run in words. */
export function runStatusLabel(status: string): string {
  return status === 'cancelled' ? 'Canceled' : labelOf(status)
}

/** What started a run. Where it was a person, screens have the name. */
export const starterLabels: Record<(typeof starters)[number], string> = {
  person: 'Person',
  schedule: 'Schedule',
  webhook: 'Webhook',
  import: 'Import',
  rules: 'New MRR rules',
}

/** How an entry of the activity log ended. */
export const outcomeLabels = { done: 'Done', failed: 'Not done', begun: 'Not finished' } as const

/** What happens in HubSpot to a record that a recount changed. */
export const inHubspotLabels: Record<RecountRecord['inHubspot'], string> = {
  created: 'New record',
  updated: 'Updated',
  removed: 'Removed',
  none: 'Not in HubSpot',
}
