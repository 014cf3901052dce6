import type { Deps } from './deps.ts'
import { startWorker, type Worker } from './jobs/start-worker.ts'
import type { Metrics } from './metrics.ts'
import { keptOpen } from './process.ts'
import { untilSealKeysChecked } from './require-seal-keys.ts'
import { applicationUrl } from './store/installation/application-role.ts'

/** A worker on the database of the settings, for a process that does nothing else. */
export async function startWorkerProcess(deps: Deps, metrics: Metrics): Promise<Worker> {
  await untilSealKeysChecked(deps)
  const { databaseUrl, workerConcurrency } = deps.config
  return startWorker(deps, {
    url: await applicationUrl(databaseUrl),
    concurrency: workerConcurrency,
    connections: keptOpen,
    onRunEnd: ({ kind, status, created_at, completed_at, processed_records, failed_records }) =>
      metrics.observeRun({
        kind,
        status,
        seconds: ((completed_at ?? created_at).getTime() - created_at.getTime()) / 1_000,
        processed: processed_records,
        failed: failed_records,
      }),
  })
}
