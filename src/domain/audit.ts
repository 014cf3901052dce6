import { providerNames } from './provider-names.ts'

const { payments, crm } = providerNames

/** The entries of an organization's activity log, as the wording that people read. */
export const auditActions = {
  signed_in: 'Signed in',
  email_changed: 'Changed the email address of the account',
  second_factor_on: 'Turned on two-factor authentication',
  second_factor_off: 'Turned off two-factor authentication',
  second_factor_reset: 'The operator turned off two-factor authentication of',
  recovery_codes_renewed: 'Made new recovery codes',
  recovery_code_used: 'Used a recovery code',
  organization_created: 'Created the organization',
  domain_released: 'The operator released the domain',
  organization_changed: 'Changed the profile of the organization',
  member_invited: 'Invited',
  invitation_cancelled: 'Canceled the invitation of',
  invitation_accepted: 'Joined',
  role_changed: 'Changed the role of',
  owner_made: 'The operator made an owner of',
  ownership_transferred: 'Transferred ownership to',
  member_removed: 'Removed',
  member_left: 'Left',
  organization_switched: 'Opened the organization',
  sessions_revoked: 'Signed out other devices',
  stripe_connected: `Connected ${payments}`,
  stripe_disconnected: `Disconnected ${payments}`,
  stripe_webhook_changed: `Changed the ${payments} webhook`,
  hubspot_connected: `Connected ${crm}`,
  hubspot_account_accepted: `Accepted another ${crm} account`,
  hubspot_disconnected: `Disconnected ${crm}`,
  hubspot_objects_created: `Created the ${crm} objects`,
  hubspot_objects_taken_over: `Took over ${crm} objects`,
  hubspot_amounts_bound: `Had ${crm} show amounts in their currency`,
  settings_changed: 'Changed settings',
  rates_uploaded: 'Uploaded exchange rates',
  setup_changed: 'Changed the setup',
  import_started: 'Started an import',
  push_started: `Started a sync to ${crm}`,
  run_cancelled: 'Canceled a run',
  matching_started: 'Started matching',
  match_decided: 'Decided a match',
  match_rule_made: 'Made a rule for a domain',
  match_rule_removed: 'Removed the rule of a domain',
  match_undone: 'Undid a decision about a match',
  associations_changed: 'Repaired associations',
  recount_read: 'Read what a recount of MRR changed',
  customer_erased: 'Erased a customer',
  contact_deleted: `Deleted a contact in ${crm} for good`,
  access_revoked: 'All access was revoked for safety',
  operator_read: 'An operator looked at the data',
} as const

export type AuditAction = keyof typeof auditActions

export function isAuditAction(text: string): text is AuditAction {
  return Object.hasOwn(auditActions, text)
}
