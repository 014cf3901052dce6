import type { Bug } from './bug.ts'

const history = 'src/server/api/runs/history.test.ts'

/** Faults in what Sync History says of a run. */
export const runBugs: readonly Bug[] = [
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
    name: "a sync that follows another organization's import",
    file: 'src/server/api/runs/sync.ts',
    text: "await inOrganization((tenant) => requireKind(tenant, follows, 'import'))",
    replacement: '',
    caughtBy: [history, 'follow an import of its own organization only'],
  },
  {
    name: 'events of an import that are not counted as its changes',
    file: 'src/server/work/ledger/rebuild-events.ts',
    text: 'await addRunChanges(tenant, context.claim.runId, { events: changedEvents })',
    replacement: '',
    caughtBy: [history, 'says who started a run, what it changed'],
  },
]
