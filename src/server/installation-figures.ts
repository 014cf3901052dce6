import { sharedFor } from './http/shared-for.ts'
import { readDueJobs } from './jobs/count-due-jobs.ts'
import type { InstallationFigures } from './metrics.ts'
import { readOperationFigures } from './store/installation/operation-figures.ts'
import type { Database } from './store/postgres/database.ts'

/** Counting refused connections looks at every organization. */
const countedForMs = 30_000
const dueForMs = 5_000

/** Reads what the metrics show of the whole installation; `clock` gives milliseconds and never goes back. */
export function createInstallationFigures(
  database: Database,
  clock: () => number,
): () => Promise<InstallationFigures> {
  const readFigures = sharedFor(countedForMs, clock, () => readOperationFigures(database))
  const readJobs = sharedFor(dueForMs, clock, () => readDueJobs(database))
  return async () => ({ dueJobs: await readJobs(), ...(await readFigures()) })
}
