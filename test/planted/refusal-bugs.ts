import type { Bug } from './bug.ts'

const refusals = 'src/server/work/push/scenarios/account-refusal.test.ts'
const room = 'src/server/work/push/make-room.test.ts'
const hubspot = 'src/server/providers/hubspot/client.test.ts'
const push = 'src/server/work/push/push-crm.test.ts'
const index = 'src/server/work/match/refresh-index.test.ts'
const unnamed = 'src/server/providers/hubspot/unnamed-errors.test.ts'
const stray = 'src/server/providers/hubspot/stray-answers.test.ts'
const deleted = 'src/server/work/match/scenarios/deleted-in-crm.test.ts'
const stillRefused = 'src/server/work/push/scenarios/still-refused.test.ts'
const unsearchable = 'src/server/work/push/scenarios/unsearchable.test.ts'
const movedKey = 'src/server/work/push/scenarios/moved-key.test.ts'
const related = 'src/server/work/match/scenarios/related-domains.test.ts'

/** Data loss and endless requests when HubSpot refuses or does not answer, and wrong forecasts. */
export const refusalBugs: readonly Bug[] = [
  {
    name: 'a refusal kept that our own next step removes',
    file: 'src/server/work/push/write-associations.ts',
    text: 'await makeRoom(session, kind, { ...first, refused: standing })',
    replacement: '{ ...first, refused: standing }',
    caughtBy: [room, 'goes with its records to the new one'],
  },
  {
    name: 'a record that is left without a company',
    file: 'src/server/store/crm/crm-obsolete.ts',
    text: ' and ${isReplaced}`',
    replacement: ' and ${sql`true`} and ${isReplaced} is not null`',
    caughtBy: [room, 'stays with the former one'],
  },
  {
    name: 'a former company that does not come back',
    file: 'src/server/work/push/make-room.ts',
    text: 'const back = taken.filter(({ sourceId }) => isOpen.has(sourceId))',
    replacement: 'const back = taken.filter(({ sourceId }) => isOpen.has(sourceId) && false)',
    caughtBy: [room, 'stays with the former one'],
  },
  {
    name: 'a refusal of the account asked for row by row',
    file: 'src/server/providers/hubspot/lone-refusals.ts',
    text: 'const handful = 5',
    replacement: 'const handful = 5_000',
    caughtBy: [refusals, 'of every record ends the push early'],
  },
  {
    name: 'neighbours taken for the whole account',
    file: 'src/server/providers/hubspot/in-halves.ts',
    text: 'calls.refusals.areSuspicious ? takeProbe(calls, state.open) :',
    replacement: 'calls.refusals.count < 0 ? takeProbe(calls, state.open) :',
    caughtBy: [hubspot, 'is not given up for neighbours'],
  },
  {
    name: 'a full account not asked for its room',
    file: 'src/server/providers/hubspot/record-room.ts',
    text: 'if (room === undefined || room.usage < room.limit) return null',
    replacement: 'if (room !== undefined || room === undefined) return null',
    caughtBy: [refusals, 'fills it, and goes on writing'],
  },
  {
    name: 'a run that says nothing of what the account refuses',
    file: 'src/server/work/push/push-crm.ts',
    text: "status: error === null ? 'completed' : 'failed',",
    replacement: "status: 'completed',",
    caughtBy: [refusals, 'ends the push early and says so once'],
  },
  {
    name: 'a push that calls everything up to date beside what HubSpot refuses',
    file: 'src/server/work/push/push-crm.ts',
    text: 'if (listed + unremoved === 0) return',
    replacement: 'if (listed + unremoved >= 0) return',
    caughtBy: [stillRefused, 'says that all is up to date only where nothing is refused'],
  },
  {
    name: 'an event that HubSpot does not let go told nowhere but in the run that met it',
    file: 'src/server/store/crm/refusals.ts',
    text: 'and l.refused_hash = ${absentHash} and l.record_id',
    replacement: 'and l.refused_hash <> ${absentHash} and l.record_id',
    caughtBy: [stillRefused, 'names events whose records HubSpot does not let go'],
  },
  {
    name: 'a record promised again for an event that no longer exists',
    file: 'src/server/work/push/repair/reconcile-missing.ts',
    text: 'if (existing.has(sourceId)) await',
    replacement: 'if (existing.has(sourceId) || true) await',
    caughtBy: [stillRefused, 'promises no other record'],
  },
  {
    name: 'a refused search after which nothing is looked at for good',
    file: 'src/server/work/push/repair/inspect-records.ts',
    text: 'if (!isDue && (!retriesFailed || onlyDue)) return',
    replacement: 'if (refusal !== null) return',
    caughtBy: [unsearchable, 'finds what people edited and deleted by a list of all'],
  },
  {
    name: 'a record that becomes the one whose key was typed into it',
    file: 'src/server/work/push/repair/restore-keys.ts',
    text: 'key === null || links.get(key)?.recordId !== recordId',
    replacement: 'key === null || !links.has(key)',
    caughtBy: [movedKey, 'and the other gets its own'],
  },
  {
    name: 'swapped keys that wait for each other',
    file: 'src/server/work/push/repair/restore-keys.ts',
    text: 'typedKey !== null && wanted.has(typedKey)',
    replacement: 'typedKey !== null && !wanted.has(typedKey)',
    caughtBy: [movedKey, 'goes back where two were swapped'],
  },
  {
    name: 'a key that stays where its record and its holder are on different pages',
    file: 'src/server/work/push/repair/inspect-records.ts',
    text: 'strays.push(...found.strays)',
    replacement: '',
    caughtBy: [movedKey, 'stand on different pages'],
  },
  {
    name: 'a connection given up for a good token that is refused for seconds',
    file: 'src/server/providers/hubspot/client.ts',
    text: 'if (refusals > 2) throw error',
    replacement: 'if (refusals > 1) throw error',
    caughtBy: [push, 'refuses good tokens for six seconds'],
  },
  {
    name: 'a connection marked dead by any refusal of its renewal',
    file: 'src/server/providers/hubspot/oauth.ts',
    text: "if (error instanceof HubspotError && error.kind === 'unauthorized') throw unanswered(undefined, error)",
    replacement: '',
    caughtBy: ['src/server/work/connections/connect-crm.test.ts', 'is not given up for'],
  },
  {
    name: 'a permission that a key lost told by the run alone',
    file: 'src/server/api/connections/connections.ts',
    text: 'payments?.warning ?? details?.unread ?? null',
    replacement: 'payments?.warning ?? null',
    caughtBy: ['src/web/screens/data-sync/stripe-card.test.tsx', 'lost a permission'],
  },
  {
    name: 'a forecast that is kept',
    file: 'src/server/store/postgres/rehearsal.ts',
    text: 'throw undo',
    replacement: 'void undo',
    caughtBy: ['src/server/work/match/scenarios/forecast.test.ts', 'knows what an earlier page makes'],
  },
  {
    name: 'ties of contacts left to the nightly listing',
    file: 'src/server/work/match/refresh-index.ts',
    text: 'else await refreshTies(session)',
    replacement: '',
    caughtBy: [index, 'is attached by the next sync'],
  },
  {
    name: 'a former company that a record keeps beside the one that had no room before',
    file: 'src/server/work/push/write-associations.ts',
    text: '          scope = wide.scope\n',
    replacement: '',
    caughtBy: [room, 'has the new company alone after the sync'],
  },
  {
    name: 'a record without its company, told as in sync',
    file: 'src/server/store/crm/refusals.ts',
    text: '     union select tie.source_id from ${refusedTies(tenant, portal, kind)} tie)`',
    replacement: '    )`',
    caughtBy: [room, 'stays with the former one as long as the new one is refused'],
  },
  {
    name: 'a deletion that HubSpot refused, taken for done',
    file: 'src/server/providers/hubspot/archive-batch.ts',
    text: '  if (unnamed !== undefined) throw refusalOf(unnamed, refusedRecord)\n',
    replacement: '',
    caughtBy: [unnamed, 'takes none of the records for deleted'],
  },
  {
    name: 'a refusal that names nobody, tried without end',
    file: 'src/server/providers/hubspot/write-batch.ts',
    text: '    refuseUnnamed(answer, rows, found)\n',
    replacement: '',
    caughtBy: [unnamed, 'finds whose an error of a batch'],
  },
  {
    name: 'a deleted contact noted for the address that the customer has by now',
    file: 'src/server/store/crm/crm-index-changes.ts',
    text: 'coalesce(m.contact_for, c.email)',
    replacement: 'c.email',
    caughtBy: [deleted, 'is not the contact of an address that the customer got since'],
  },
  {
    name: 'a second company beside one of the name that has no domain',
    file: 'src/server/work/match/create-missing.ts',
    text: 'const certain = await leaveNamesakes(session, drafts, switches)',
    replacement: 'const certain = [...drafts]',
    caughtBy: [related, 'is offered, and no other one is made beside it'],
  },
  {
    name: 'a second company beside one whose customer no longer waits',
    file: 'src/server/work/match/leave-namesakes.ts',
    text: 'await listNamesOfHosts(tenant, [...new Set(hosts)])',
    replacement: 'await listNamesOfHosts(tenant, [])',
    caughtBy: [related, 'is offered to a customer of the domain also where'],
  },
  {
    name: 'the company of a mail provider gets the customers of its contacts',
    file: 'src/server/work/match/decide-page.ts',
    text: ' && !isOfProvider(company),',
    replacement: ',',
    caughtBy: [
      'src/server/work/match/scenarios/contact-evidence.test.ts',
      'is no evidence for a customer whose contact is tied to it',
    ],
  },
  {
    name: 'an agency is called by the name of one of its clients',
    file: 'src/server/work/match/plan-creates.ts',
    text: '(isOne ? names[0] : names.find(resembles))',
    replacement: 'names[0]',
    caughtBy: ['src/server/work/match/create-missing.test.ts', 'webcraft.example'],
  },
  {
    name: 'what a list leaves out counts as deleted',
    file: 'src/server/work/match/refresh-index.ts',
    text: '  await readUnlisted(session, listedFrom)\n',
    replacement: '',
    caughtBy: [
      'src/server/work/match/refresh-index.test.ts',
      'keeps a company and a contact that a list leaves out',
    ],
  },
  {
    name: 'two companies to merge that are not one',
    file: 'src/server/work/match/adopt-companies.ts',
    text: ' && !stoodBefore.has(id))',
    replacement: ')',
    caughtBy: ['src/server/work/match/create-missing.test.ts', 'made no second company where the domain'],
  },
  {
    name: 'a key and an admin offered to a connection that may not write records',
    file: 'src/server/work/crm/ensure-crm-objects.ts',
    text: "crm.missingScopes(scopes, 'records').length === 0",
    replacement: 'true',
    caughtBy: ['src/server/work/crm/ensure-crm-objects.test.ts', 'for want of the plan'],
  },
  {
    name: 'only the first companies of a contact count',
    file: 'src/server/providers/hubspot/companies-and-contacts.ts',
    text: 'page.rows.filter(isCut)',
    replacement: 'page.rows.filter((record) => !record && isCut(record))',
    caughtBy: [
      'src/server/providers/hubspot/companies-and-contacts.test.ts',
      'reads all companies of a contact whose list of them is cut',
    ],
  },
  {
    name: 'a page of associations that leads to itself is read without end',
    file: 'src/server/providers/hubspot/standing-pairs.ts',
    text: 'after === undefined || isSame ||',
    replacement: 'after === undefined ||',
    caughtBy: [
      'src/server/providers/hubspot/companies-and-contacts.test.ts',
      'reads no page of associations without end',
    ],
  },
  {
    name: 'errors of a sync that are counted, and kept nowhere',
    file: 'src/server/work/push/write-records.ts',
    text: 'failed.map(({ sourceId, error })',
    replacement: "failed.filter(({ state }) => state === 'pending').map(({ sourceId, error })",
    caughtBy: [refusals, 'ends the push early and says so once'],
  },
  {
    name: "an answer of a gateway taken for HubSpot's refusal of a record",
    file: 'src/server/providers/hubspot/hubspot-error.ts',
    text: 'if (isStray(failed)) {',
    replacement: 'if (isStray(failed) && failed.status === 408) {',
    caughtBy: ['src/server/work/push/scenarios/stray-answer.test.ts', 'is written in the end'],
  },
  {
    name: "a 408 in HubSpot's form taken for a refusal",
    file: 'src/server/providers/hubspot/hubspot-error.ts',
    text: 'if (status === 408) return true',
    replacement: '',
    caughtBy: [stray, '408 in the form of HubSpot'],
  },
  {
    name: "another server's JSON taken for an error of HubSpot",
    file: 'src/server/providers/hubspot/exchange.ts',
    text: "return status === 'error' ||",
    replacement: "return status !== 'ok' ||",
    caughtBy: [stray, 'is no answer'],
  },
]
