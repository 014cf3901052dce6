import type { Bug } from './bug.ts'

const moved = 'src/server/work/push/scenarios/moved.test.ts'

const takenBack = 'src/server/work/match/review/taken-back.test.ts'

const reverted = 'src/server/work/push/scenarios/reverted.test.ts'

/** Bugs of what people do with our records in HubSpot, and with their companies. */
export const moveBugs: readonly Bug[] = [
  {
    name: 'a former choice that comes back where people have moved the records since',
    file: 'src/server/work/push/repair/reconcile-moves.ts',
    text: '  await forgetChoices(tenant, portalId, customerId)\n',
    replacement: '',
    caughtBy: [moved, 'takes the place of what was chosen before, also once the company is deleted'],
  },
  {
    name: 'a restored company stays without the customers for whom people chose it',
    file: 'src/server/store/matches/restored-choices.ts',
    text: '  await writeMatches(tenant, portalId, restored, at)\n',
    replacement: '',
    caughtBy: [
      'src/server/work/match/scenarios/deleted-in-crm.test.ts',
      'is a company that a person chose, until it is restored',
    ],
  },
  {
    name: 'the former company of a deleted record that comes back under its own id',
    file: 'src/server/store/crm/crm-links.ts',
    text: 'coalesce(l.former_record_id = given."recordId", false) as "isBack"',
    replacement: 'false as "isBack"',
    caughtBy: [
      'src/server/work/push/scenarios/repair.test.ts',
      'ties a deleted record that comes back to its present company alone',
    ],
  },
  {
    name: 'a customer that goes to and fro between its company and one that was added',
    file: 'src/server/work/push/repair/reconcile-moves.ts',
    text: '.filter(({ toRecordId }) => toRecordId === customer.companyRecordId)',
    replacement: '',
    caughtBy: [
      moved,
      'is not one that got a second company beside that which took the place of a deleted one',
    ],
  },
  {
    name: 'a moved record with the company of the move beside the one chosen later',
    file: 'src/server/work/push/write-associations.ts',
    text: '[...untried, ...moves]',
    replacement: 'untried',
    caughtBy: [moved, 'has the company alone that a person chooses in Match Review before the daily look'],
  },
  {
    name: 'a waiting customer whose records were tied to a company in HubSpot',
    file: 'src/server/work/push/repair/reconcile-existing.ts',
    text: "if (kind === 'subscription') moved.push(",
    replacement: "if (kind === 'event') moved.push(",
    caughtBy: [moved, 'so that nothing found later gives it a second company'],
  },
  {
    name: 'a customer that a person took off a company, and that HubSpot attaches again',
    file: 'src/server/store/crm/crm-moves.ts',
    text: "m.state = 'pending' and m.evidence not in ('unlinked', 'choice_undone', 'creation_undone')",
    replacement: "m.state = 'pending'",
    caughtBy: [moved, 'or after a person took the customer off a company, lets it wait'],
  },
  {
    name: 'a record that something in HubSpot changes back, told as in sync',
    file: 'src/server/work/push/repair/reconcile-existing.ts',
    text: '  await parkReverted(tenant, place, sourceId, reason)\n',
    replacement: '',
    caughtBy: [reverted, 'tells of the record as failed'],
  },
  {
    name: 'edits months apart that add up until a record is given up',
    file: 'src/server/store/crm/crm-repairs.ts',
    text: ' and coalesce(r.completed_at, r.created_at) >= ${since}',
    replacement: '',
    caughtBy: [reverted, 'mends an edit long after those before it'],
  },
  {
    name: 'a choice that its own contact makes again after the undo',
    file: 'src/server/work/match/review/undo-decision.ts',
    text: "action === 'created' || tied.has(customerId)",
    replacement: "action === 'created'",
    caughtBy: [takenBack, 'is not made again by that contact'],
  },
  {
    name: 'a choice that is taken back while its contact is made, and made again by it',
    file: 'src/server/work/match/create-missing.ts',
    text: 'if (patience.isWorthwhile) await holdTakenBack(',
    replacement: 'if (!patience.isWorthwhile) await holdTakenBack(',
    caughtBy: [takenBack, 'while the sync makes the contact'],
  },
  {
    name: 'an undo that calls every tie of a contact ours',
    file: 'src/server/work/match/review/own-ties.ts',
    text: ' && !ids.has(id)',
    replacement: '',
    caughtBy: [takenBack, 'does so also where a contact was with several companies before'],
  },
]
