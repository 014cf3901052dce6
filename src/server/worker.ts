import type { Deps } from './deps.ts'
import { startWorker, type Worker } from './jobs/start-worker.ts'
import { applicationUrl } from './store/migrate.ts'

/** A worker on the database of the settings, for a process that does nothing else. */
export function startWorkerProcess(deps: Deps): Promise<Worker> {
  const { databaseUrl, workerConcurrency } = deps.config
  return startWorker(deps, { url: applicationUrl(databaseUrl), concurrency: workerConcurrency })
}
