import type { Bug } from './bug.ts'

const meanwhile = 'src/server/work/match/review/decided-meanwhile.test.ts'
const many = 'src/server/work/match/review/decide-many.test.ts'
const undo = 'src/server/work/match/review/undo-decision.ts'

/** Holes in decisions about many customers, and in their undo. */
export const reviewBugs: readonly Bug[] = [
  {
    name: 'domain rules without an end',
    file: 'src/server/work/match/match-rules.ts',
    text: '< rulesMax) return',
    replacement: '>= 0) return',
    caughtBy: ['src/server/work/match/review/changed-rule.test.ts', 'rules have an end'],
  },
  {
    name: 'a saved decision that does not say whom it was about',
    file: 'src/web/screens/match-review/use-decisions.ts',
    text: '`Saved for ${nameOf(first)}`',
    replacement: "'Saved'",
    caughtBy: ['e2e/screens/match-review.test.ts', 'attaches a customer that waits'],
  },

  {
    name: 'an undo by key that means the decision before the last',
    file: 'src/web/screens/match-review/use-decisions.ts',
    text: 'sending.current.then(() => act(made.current.at(-1)?.decisionId ?? undefined))',
    replacement: 'Promise.resolve(act(made.current.at(-1)?.decisionId ?? undefined))',
    caughtBy: [
      'src/web/screens/match-review/keys.test.tsx',
      'U right after a decision undoes that one, and not the one before',
    ],
  },
  {
    name: 'a row that shows nothing while its decision is saved',
    file: 'src/web/screens/match-review/use-decisions.ts',
    text: "status: 'pending'",
    replacement: "status: 'idle'",
    caughtBy: [
      'src/web/screens/match-review/match-review-screen.test.tsx',
      'accepted in its row, which shows the saving',
    ],
  },
  {
    name: 'an undo that leaves the dialog at the next customer',
    file: 'src/web/screens/match-review/use-returned-focus.ts',
    text: 'if (place.match !== null) return place.open(back)',
    replacement: '',
    caughtBy: ['src/web/screens/match-review/keys.test.tsx', 'U in the dialog shows the customer again'],
  },
  {
    name: 'a key that makes the double of a company that was found',
    file: 'src/web/screens/match-review/review-dialog.tsx',
    text: 'isCreatable(match) && search.hasFoundNone',
    replacement: 'isCreatable(match)',
    caughtBy: ['src/web/screens/match-review/candidates.test.tsx', 'and no key makes its double'],
  },
  {
    name: 'an email in place of a name that breaks within words',
    file: 'src/web/screens/match-review/match-columns.tsx',
    text: '{isNamedByEmail ? email : nameOf(row)}',
    replacement: '{nameOf(row)}',
    caughtBy: [
      'src/web/screens/match-review/candidates.test.tsx',
      'is called by its email, which breaks between words',
    ],
  },
  {
    name: 'an overview of keys that leaves out those of Match Review',
    file: 'src/web/shell/command/keys-dialog.tsx',
    text: 'areSingleKeysOn ? <Shortcuts of={inReview}',
    replacement: 'inReview.length === 0 ? <Shortcuts of={inReview}',
    caughtBy: ['src/web/shell/preferences.test.tsx', 'single keys can be turned off and on again'],
  },
  {
    name: 'a company suggested by its name without a word on why',
    file: 'src/web/screens/match-review/match-columns.tsx',
    text: 'const suggestion = suggestionText(row)',
    replacement: "const suggestion = row.customerId === '' ? suggestionText(row) : ''",
    caughtBy: ['src/web/screens/match-review/candidates.test.tsx', 'and why they are suggested is said'],
  },
  {
    name: 'candidates without the domains that tell them apart',
    file: 'src/server/store/lists/current-candidates.ts',
    text: 'domains: company?.domains ?? []',
    replacement: 'domains: []',
    caughtBy: [
      'src/web/screens/match-review/candidates.test.tsx',
      'candidates of one name are told apart by what HubSpot says of them',
    ],
  },
  {
    name: 'candidates without the facts that tell them apart',
    file: 'src/server/store/lists/current-candidates.ts',
    text: 'facts: company?.facts ?? noCompanyFacts',
    replacement: 'facts: noCompanyFacts',
    caughtBy: [
      'src/web/screens/match-review/candidates.test.tsx',
      'candidates of one name are told apart by what HubSpot says of them',
    ],
  },
  {
    name: 'a company searched for under the legal form of the customer alone',
    file: 'src/web/screens/match-review/decisions.ts',
    text: "withoutLegalForm(newCompanyName(match) ?? '')",
    replacement: "(newCompanyName(match) ?? '')",
    caughtBy: ['src/web/screens/match-review/decisions.test.ts', 'that no company fits, the name alone'],
  },
  {
    name: 'customers said to be matched before anybody looked for them',
    file: 'src/web/queries/matching-stand.ts',
    text: "return coverage?.wasMatchingRun === false ? 'not_run' : 'matched'",
    replacement: "return 'matched'",
    caughtBy: [
      'src/web/screens/match-review/before-matching.test.tsx',
      'before customers were looked for, none is said to be matched',
    ],
  },
  {
    name: 'syncs promised to another HubSpot account that nobody has confirmed',
    file: 'src/web/queries/session.ts',
    text: 'progress?.hubspotUndecided === true',
    replacement: 'false',
    caughtBy: [
      'src/web/components/runs/sync-obstacles.test.tsx',
      'each screen that speaks of syncs says so, promises none, and stops once it is confirmed',
    ],
  },
  {
    name: 'a dead end after a decision that somebody else was faster with',
    file: 'src/web/screens/match-review/use-review-place.ts',
    text: 'next: step(at < 0 ? lastAt : at + 1),',
    replacement: 'next: at < 0 ? undefined : step(at + 1),',
    caughtBy: [
      'src/web/screens/match-review/match-review-screen.test.tsx',
      'in the dialog writes over no decision made meanwhile',
    ],
  },
  {
    name: 'a decision of somebody else written over by an undo',
    file: undo,
    text: 'const standing = decided.filter(({ isAsDecided }) => isAsDecided)',
    replacement: 'const standing = decided',
    caughtBy: [many, 'after a later decision says whose it is'],
  },
  {
    name: 'many companies created beside those of the same name under another legal form',
    file: 'src/server/work/match/review/create-for-customers.ts',
    text: 'names.get(companyBaseName(companyName))',
    replacement: 'names.get(companyName)',
    caughtBy: [many, 'leaves a customer alone whose name a company has'],
  },
  {
    name: 'a customer that no longer waits decided about again',
    file: 'src/server/work/match/review/decide-many.ts',
    text: 'if (!isWaiting(match)) return { refusal: changedMeanwhile(match) }',
    replacement: '',
    caughtBy: [many, 'says which ones it could not'],
  },
  {
    name: 'a customer attached again to the company that an undo took it off',
    file: undo,
    text: "const isHeld = action === 'created' && stateBefore === 'pending'",
    replacement: 'const isHeld = false',
    caughtBy: [many, 'lets the customer wait, and no run attaches it again'],
  },
  {
    name: 'a rule that outlives the undo of its decision',
    file: undo,
    text: 'await deleteRuleOf(tenant, portalId, decisionId)',
    replacement: 'null',
    caughtBy: [many, 'of a rule ends it'],
  },
  {
    name: 'a rule that was replaced lost with an undo',
    file: undo,
    text: 'if (await hasReplacedRule(tenant, portalId, decisionId))',
    replacement: 'if ((await hasReplacedRule(tenant, portalId, decisionId)) && at === null)',
    caughtBy: [many, 'of a decision that replaced a rule is refused'],
  },
  {
    name: 'rules written in any order of locks',
    file: 'src/server/work/match/review/review-match.ts',
    text: 'if (choice.remember) await lockRules(tenant)',
    replacement: "if (choice.companyRecordId === '') await lockRules(tenant)",
    caughtBy: [many, 'for a whole domain can be made by two people at the same time'],
  },
  {
    name: "a colleague's decision written over from a dialog that is old",
    file: 'src/server/work/match/review/review-match.ts',
    text: 'if (!isAsSeen(match, seen)) return { refusal: changedMeanwhile(match) }',
    replacement: '',
    caughtBy: [
      'src/server/work/match/review/review-match.test.ts',
      'does not overrule somebody who decided about a waiting customer meanwhile',
    ],
  },
  {
    name: 'an attached customer taken off the company to which a colleague has moved it',
    file: 'src/server/work/match/review/review-match.ts',
    text: ' || !isAsSeen(match, seen)) return',
    replacement: ') return',
    caughtBy: [meanwhile, 'is told that a colleague has moved it'],
  },
  {
    name: 'a decision sent twice while the dialog moves on',
    file: 'src/web/screens/match-review/review-dialog.tsx',
    text: 'if (isDeciding.current) return',
    replacement: '',
    caughtBy: ['src/web/screens/match-review/keys.test.tsx', 'a key pressed again while the dialog moves on'],
  },
  {
    name: 'a company created for nobody, of which nobody hears',
    file: 'src/server/work/match/review/create-for-customers.ts',
    text: '${changedMeanwhile(match)}${leftText(deps, one)}',
    replacement: '${changedMeanwhile(match)}',
    caughtBy: [meanwhile, 'a company that was created while a colleague decided is named'],
  },
  {
    name: 'an undo that attaches to a company that is gone',
    file: 'src/server/work/match/review/undo-decision.ts',
    text: 'isGone(one) ? withoutCompany(one) : matchBefore(one, names)',
    replacement: 'matchBefore(one, names)',
    caughtBy: [meanwhile, 'an undo says where the company before is gone'],
  },
  {
    name: 'an activity that names no customer',
    file: 'src/server/api/organization/decision-texts.ts',
    text: 'names.get(about) || about',
    replacement: 'about',
    caughtBy: ['src/server/api/matches/matches.test.ts', 'keeps what a person decides'],
  },
  {
    name: 'two companies created for one domain',
    file: 'src/domain/company-groups.ts',
    text: 'const key = domain === null || untelling.includes(evidence) ? customer : domain',
    replacement: 'const key = customer',
    caughtBy: [many, 'creates one company for the customers of a domain'],
  },
  {
    name: 'an ignored customer whose records lose their contact',
    file: 'src/server/store/crm/crm-associations.ts',
    text: "sql`m.state = 'linked'` : sql`true`",
    replacement: "sql`m.state = 'linked'` : sql`m.state <> 'ignored'`",
    caughtBy: ['src/server/work/match/review/ignored-customer.test.ts', 'stays in the CRM as it is'],
  },
  {
    name: 'decisions do not follow their company through a merge',
    file: 'src/server/store/crm/crm-index-changes.ts',
    text: "for (const decided of ['company_record_id', 'company_before'])",
    replacement: "for (const decided of ['company_record_id', 'company_before'].slice(0, 1))",
    caughtBy: ['src/server/work/match/review/merged-since.test.ts', 'an undo brings back the company'],
  },
]
