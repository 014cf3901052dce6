import type { Bug } from './bug.ts'

const records = 'src/server/api/runs/run-records.test.ts'
const history = 'src/server/api/runs/history.test.ts'
const updates = 'src/server/store/payments/subscriptions.test.ts'
const standingOfSync = 'src/server/api/sync-standing.ts'
const sameEverywhere = 'src/server/api/sync-standing.test.ts'

/** Faults in what Sync History says of a run, and in when its rows count as updated. */
export const runBugs: readonly Bug[] = [
  {
    name: 'a first import that keeps each of its records',
    file: 'src/server/store/runs/run-changes.ts',
    text: 'where given.place <= ${runRecordsMax} - counted.earlier',
    replacement: 'where counted.earlier >= 0',
    caughtBy: [records, 'keeps the first records of a first import'],
  },
  {
    name: 'a record that an earlier run shows as it never was',
    file: 'src/server/store/runs/run-records.ts',
    text: '${run.kind === \'push\' ? isChangedThere : isChangedHere} as "isChangedSince"',
    replacement: '${run.kind === \'push\' ? isChangedThere : isChangedHere} and false as "isChangedSince"',
    caughtBy: [records, 'what later ones changed again or removed'],
  },
  {
    name: 'reasons of a run below its summary on a phone',
    file: 'src/web/screens/sync-history/sync-details-dialog.tsx',
    text: '{isNarrow ? errors : null}',
    replacement: '{isNarrow ? null : null}',
    caughtBy: ['e2e/screens/sync-details.test.ts', 'begins with the reasons of a push on a phone'],
  },
  {
    name: 'a failed sync that Sync Health keeps to itself',
    file: 'src/web/screens/sync-history/sync-trouble.tsx',
    text: 'outcome={status?.lastSync ?? null}',
    replacement: 'outcome={null}',
    caughtBy: [
      'src/web/screens/sync-history/sync-health-screen.test.tsx',
      'what stops every sync comes before all that is failing',
    ],
  },
  {
    name: 'a sync told by the connection of the other provider',
    file: standingOfSync,
    text: 'toLastRun(await findLastPush(tenant), crm)',
    replacement: 'toLastRun(await findLastPush(tenant), payments)',
    caughtBy: [sameEverywhere, 'HubSpot was connected again since a sync failed'],
  },
  {
    name: 'a failed sync made good by an import that found nothing new',
    file: standingOfSync,
    text: 'toLastRun(await findLastPush(tenant), crm)',
    replacement: "toLastRun(await findLastEnded(tenant, ['completed', 'failed']), crm)",
    caughtBy: [sameEverywhere, 'a sync failed, and a later import found nothing new'],
  },
  {
    name: 'a failed sync made good by a part of it',
    file: standingOfSync,
    text: '{ isWhole: true }',
    replacement: '{ isWhole: false }',
    caughtBy: [sameEverywhere, 'a sync failed, and one part of it succeeded since'],
  },
  {
    name: 'a refused connection told twice, as a failed run too',
    file: standingOfSync,
    text: ' && connection.warning === null',
    replacement: '',
    caughtBy: [sameEverywhere, 'HubSpot refuses the connection, so a sync failed'],
  },
  {
    name: 'a failed sync that a connection made anew does not mend',
    file: 'src/server/store/connections/connections.ts',
    text: '...(isRenewal ? {} : { connected_at: connection.at }),',
    replacement: '',
    caughtBy: [sameEverywhere, 'HubSpot was connected again since a sync failed'],
  },
  {
    name: 'a failed sync that renewed tokens mend',
    file: 'src/server/store/connections/connections.ts',
    text: '...(isRenewal ? {} : { connected_at: connection.at }),',
    replacement: 'connected_at: connection.at,',
    caughtBy: [sameEverywhere, 'the tokens were renewed since a sync failed'],
  },
  {
    name: 'a speed that is promised while the connection is refused',
    file: 'src/server/api/runs/imports.ts',
    text: 'isRead && !crm?.warning ?',
    replacement: 'isRead ?',
    caughtBy: ['src/server/api/runs/freshness.test.ts', 'measures each record from the change'],
  },
  {
    name: 'a total that counts runs that are not shown',
    file: 'src/server/store/runs/run-list.ts',
    text: 'totalCount: hidesUnchanged ? changed : changed + unchanged',
    replacement: 'totalCount: changed + unchanged',
    caughtBy: [history, 'leaves out runs without changes'],
  },
  {
    name: 'a run left out although it told an error',
    file: 'src/server/store/runs/run-changes.ts',
    text: 'where e.organization_id = runs.organization_id and e.run_id = runs.id',
    replacement: 'where false',
    caughtBy: [history, 'never leaves out a run that told an error'],
  },
  {
    name: 'a first import that counts its subscriptions as unchanged',
    file: 'src/server/store/runs/run-changes.ts',
    text: "case when ${isFirstImport(tenant)} then '-infinity' else ${run} end",
    replacement: '${run}',
    caughtBy: [updates, 'all subscriptions with figures are what it changed'],
  },
  {
    name: 'subscriptions that all changed when they were imported',
    file: 'src/server/store/ledger/subscription-figures.ts',
    text: `then least(to_timestamp("changedAt"), \${at}) end`,
    replacement: 'then ${at} end',
    caughtBy: [updates, 'figures have the time of the last change in the account'],
  },
  {
    name: 'figures that come back and look no newer than their record',
    file: 'src/server/store/ledger/subscription-figures.ts',
    text: ' and id <> all (${linkedIds(tenant, ids)})',
    replacement: ' and ${linkedIds(tenant, ids)} is not null',
    caughtBy: [updates, 'a record that stands from before is older'],
  },
  {
    name: 'an import left out although it renamed customers',
    file: 'src/server/store/runs/run-changes.ts',
    text: " and not options ? 'changedCustomers'",
    replacement: '',
    caughtBy: [history, 'lists an import that changed customers alone'],
  },
  {
    name: 'an import left out although a sync names it',
    file: 'src/server/store/runs/run-changes.ts',
    text: '  await listFollowed(tenant, runId)\n',
    replacement: '',
    caughtBy: [history, 'lists an import without changes that a'],
  },
  {
    name: "a sync that follows another organization's import",
    file: 'src/server/api/runs/sync.ts',
    text: 'await inOrganization((tenant) => requireCompletedImport(tenant, follows))',
    replacement: '',
    caughtBy: [history, 'follow a completed import of its own organization only'],
  },
  {
    name: 'events of an import that are not counted as its changes',
    file: 'src/server/work/ledger/rebuild-events.ts',
    text: "await addRunChanges(tenant, context.claim.runId, counts, { kind: 'event', records })",
    replacement: '',
    caughtBy: [history, 'says who started a run, what it changed'],
  },
  {
    name: "a list filtered by the word 'all'",
    file: 'src/contract/lists/list-filters.ts',
    text: "text === 'all' ? undefined : splitValues(text)",
    replacement: 'splitValues(text)',
    caughtBy: ['src/contract/lists/list-filters.test.ts', "takes 'all' as no filter"],
  },
  {
    name: 'a step of the wizard that can be opened before what it needs',
    file: 'src/web/components/setup-steps.ts',
    text: 'return before === undefined ||',
    replacement: 'return before !== step ||',
    caughtBy: ['src/web/components/setup-steps.test.ts', 'nobody gets ahead'],
  },
  {
    name: 'a next run that is told for another minute than it comes',
    file: 'src/domain/freshness.ts',
    text: 'organizationId % 60',
    replacement: '(organizationId + 1) % 60',
    caughtBy: ['src/server/jobs/clock-turns.test.ts', 'come when people are told'],
  },
]
