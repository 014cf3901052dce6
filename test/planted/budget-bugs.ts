import type { Bug } from './bug.ts'

const csv = 'src/server/api/csv.test.ts'
const deliveries = 'src/server/api/connections/webhooks.test.ts'
const failures = 'src/server/http/failure-limit.test.ts'
const invitations = 'src/server/api/organization/invitation-budgets.test.ts'
const unchanged = 'src/server/api/unchanged.test.ts'
const activity = 'src/server/api/organization/audit.test.ts'

/** Holes in the counts, limits and messages of mail, deliveries, files and the activity log. */
export const budgetBugs: readonly Bug[] = [
  {
    name: 'a formula behind the separator of another country',
    file: 'src/server/api/csv.ts',
    text: 'isBeginning = separators.has(char) || (isBeginning && passedOver.test(char))',
    replacement: 'isBeginning = false',
    caughtBy: [csv, 'calculates for nobody, wherever they split'],
  },
  {
    name: 'a file that Excel does not read as UTF-8',
    file: 'src/server/api/csv.ts',
    text: 'encoder.encode(utf8Mark + csvOf([head]))',
    replacement: 'encoder.encode(csvOf([head]))',
    caughtBy: [csv, 'a file says at its beginning that it is UTF-8, which Excel does not assume'],
  },
  {
    name: 'a file with codes in place of words',
    file: 'src/server/api/matches/match-csv.ts',
    text: 'reasonLabels[row.evidence]',
    replacement: 'row.evidence',
    caughtBy: [
      'src/server/api/figures/figure-csv.test.ts',
      'no file has a code where the screens have words',
    ],
  },
  {
    name: 'cells without quotes',
    file: 'src/server/api/csv.ts',
    text: `return \`"\${harmless(text).replaceAll('"', '""')}"\``,
    replacement: 'return harmless(text)',
    caughtBy: [csv, 'is read back by who splits at commas'],
  },
  {
    name: 'a file that is read whole before anybody takes it off',
    file: 'src/server/api/csv.ts',
    text: 'const next = await pages.next()\n',
    replacement: `const all: string[][] = []
      for await (const page of pages) all.push(...page)
      const next = { done: false, value: all }\n`,
    caughtBy: [csv, 'reads no further than it is taken off'],
  },
  {
    name: 'an activity log that ends with its first page',
    file: 'src/server/api/organization/audit.ts',
    text: 'if (next === null) return undefined',
    replacement: 'if (behind === null) return undefined',
    caughtBy: [activity, 'is exported to its last line'],
  },
  {
    name: 'an activity log that leaves out the last day',
    file: 'src/server/store/accounts/audit-list.ts',
    text: 'startOf(addDays(to, 1))',
    replacement: 'startOf(to)',
    caughtBy: [activity, 'on the screen and in the file'],
  },
  {
    name: "a tenant's first delivery kept out by the guesses of another network",
    file: 'src/server/http/failure-limit.ts',
    text: "const network = networkOf(address ?? '')",
    replacement: "const network = networkOf('')",
    caughtBy: [deliveries, 'keep the first genuine delivery from no other network out'],
  },
  {
    name: 'guesses at a known address without end',
    file: 'src/server/http/failure-limit.ts',
    text: 'const key = good.has(caller) ? `${network} ${caller}` : network',
    replacement: 'const key = good.has(caller) ? `${network} ${caller} ${Math.random()}` : network',
    caughtBy: [failures, 'as long as they do not fail as often themselves'],
  },
  {
    name: 'who comes while we are busy counted as a stranger',
    file: 'src/server/http/failure-limit.ts',
    text: ' && faults.includes(error.code)',
    replacement: '',
    caughtBy: [failures, 'nor who is only too fast'],
  },
  {
    name: 'a delivery read before it is known whether anybody wants it',
    file: 'src/server/http/serve.ts',
    text: '() => readBody(request, deliveryMaxBytes)',
    replacement: '((bytes) => async () => bytes)(await readBody(request, deliveryMaxBytes))',
    caughtBy: [deliveries, 'are refused unread'],
  },
  {
    name: 'a signature of next year',
    file: 'src/server/providers/stripe/read-delivery.ts',
    text: 'if (isAhead(signature, now)) return undefined',
    replacement: '',
    caughtBy: [deliveries, 'signed too far ahead'],
  },
  {
    name: 'deliveries of the other mode counted as received',
    file: 'src/server/work/import/receive-webhook.ts',
    text: "isOfMode ? 'accepted' : 'other_mode'",
    replacement: "'accepted'",
    caughtBy: [deliveries, 'of the other mode are told'],
  },
  {
    name: 'signed deliveries as fast as anybody likes',
    file: 'src/server/work/import/receive-webhook.ts',
    text: '  admit(organizationId)\n',
    replacement: '',
    caughtBy: [deliveries, 'wait their turn'],
  },
  {
    name: 'invitations without end to one address',
    file: 'src/server/work/organization/invitation-budgets.ts',
    text: 'const perAddress = { max: 3, windowSeconds: day }',
    replacement: 'const perAddress = { max: 300, windowSeconds: day }',
    caughtBy: [invitations, 'reaches an address three times a day'],
  },
  {
    name: 'a mailbox for each tag',
    file: 'src/server/store/accounts/attempt-budgets.ts',
    text: "const untagged = local.split('+')[0] ?? ''",
    replacement: 'const untagged = local',
    caughtBy: [invitations, 'reaches an address three times a day'],
  },
  {
    name: 'invitations without end by one person',
    file: 'src/server/work/organization/invitation-budgets.ts',
    text: 'const perInviter = { max: 20, windowSeconds: hour }',
    replacement: 'const perInviter = { max: 2_000, windowSeconds: hour }',
    caughtBy: [invitations, 'of one person ends after twenty an hour'],
  },
  {
    name: 'invitations without end by one organization',
    file: 'src/server/work/organization/invitation-budgets.ts',
    text: 'const key = `inviting:${organizationId}`',
    replacement: 'const key = `inviting:${organizationId}:${inviterId}`',
    caughtBy: [invitations, 'of one organization ends after a hundred a day'],
  },
  {
    name: 'a domain of all tenants claimed by the first of them',
    file: 'src/server/work/addresses/mail-domain.ts',
    text: 'if (part !== host && givesSubdomains(part)) return true',
    replacement: '',
    caughtBy: ['src/server/work/addresses/mail-domain.test.ts', 'is claimed by no subdomain'],
  },
  {
    name: 'forwarding services taken for work domains',
    file: 'src/server/work/addresses/mail-providers.ts',
    text: '  ...relays,\n',
    replacement: '',
    caughtBy: ['src/server/work/addresses/mail-domain.test.ts', 'to claim, written'],
  },
  {
    name: 'a claim released without a word',
    file: 'src/server/work/organization/release-domain.ts',
    text: "await recordAudit(tenant, null, { action: 'domain_released', subject: domain })",
    replacement: '',
    caughtBy: ['src/cli/release-domain.test.ts', 'which is logged and told'],
  },
  {
    name: 'a second factor turned off by the operator without a word',
    file: 'src/server/work/organization/reset-second-factor.ts',
    text: "await recordAudit(tenant, null, { action: 'second_factor_reset', subject: person.email })",
    replacement: '',
    caughtBy: ['src/cli/account-help.test.ts', 'logged, mailed, and signed out elsewhere'],
  },
  {
    name: 'an owner made by the operator without a word',
    file: 'src/server/work/organization/make-owner.ts',
    text: "await recordAudit(tenant, null, { action: 'owner_made', subject: person.email })",
    replacement: '',
    caughtBy: ['src/cli/account-help.test.ts', 'whose last owner is gone, logged and mailed'],
  },
  {
    name: 'a line for a setting that stays as it is',
    file: 'src/server/http/audited.ts',
    text: 'isSame ? dropAudit(tenant, line) : settleAudit',
    replacement: 'settleAudit',
    caughtBy: [unchanged, 'saveSyncSettings has a line once'],
  },
  {
    name: 'a line for a name that stays as it is',
    file: 'src/server/work/organization/change-organization.ts',
    text: 'if (isDeepStrictEqual(before, profile)) return profile',
    replacement: '',
    caughtBy: [unchanged, 'a name, a role and an open organization'],
  },
  {
    name: 'a secret sealed anew taken for another one',
    file: 'src/server/api/standing.ts',
    text: 'return { account_id, is_live, warning, key }',
    replacement: 'return { account_id, is_live, warning, key, sealed_secret }',
    caughtBy: [unchanged, 'connectStripe has a line once'],
  },
  {
    name: 'a mail for each renewal of an invitation',
    file: 'src/server/work/organization/invitation-budgets.ts',
    text: 'if (!isMailLost) {',
    replacement: 'if (false) {',
    caughtBy: [invitations, 'is sent again after ten minutes'],
  },
  {
    name: "a stranger's link in a mail of ours",
    file: 'src/server/work/mail/unlinked-name.ts',
    text: ".replace(linking, ' ')",
    replacement: '',
    caughtBy: [invitations, 'holds nothing that a mail program makes a link of'],
  },
  {
    name: 'a kind of mail that is counted nowhere',
    file: 'src/server/providers/identity/attempts.ts',
    text: "const mailing = ['/sign-up/email', '/request-password-reset', '/send-verification-email']",
    replacement: "const mailing = ['/sign-up/email', '/request-password-reset']",
    caughtBy: ['src/server/providers/identity/attempts.test.ts', 'comes five times an hour to one mailbox'],
  },
]
