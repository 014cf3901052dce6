import type { Bug } from './bug.ts'

/** What the frame around every screen says or leads to wrongly. */
export const shellBugs: readonly Bug[] = [
  {
    name: 'a state line that calls a failed sync good',
    file: 'src/server/api/runs/sync-state.ts',
    text: "last.status === 'failed' ? 'failed' : 'synced'",
    replacement: "'synced'",
    caughtBy: ['src/server/api/runs/sync-state.test.ts', 'says how the last import or push ended'],
  },
]
