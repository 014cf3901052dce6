import type { Deps } from './deps.ts'
import { startWorker, type Worker } from './jobs/start-worker.ts'
import type { Metrics } from './metrics.ts'
import { heldMessage } from './outbound.ts'
import { requireDatabase } from './require-database.ts'
import { requireKnownMigrations } from './require-known-migrations.ts'
import { untilSealKeysChecked } from './require-seal-keys.ts'
import { applicationUrl } from './store/installation/application-role.ts'
import { findOutboundHold } from './store/installation/outbound-hold.ts'
import { findUnknownMigrations } from './store/installation/pending-migrations.ts'
import { type InSpan, noTraces } from './traces.ts'

const lookAgainMs = 2_000

/**
 * A worker in a process of its own, on the database of the settings. While calls to providers are held it takes no
 * run; it begins by itself when they are allowed.
 */
export async function startWorkerProcess(
  deps: Deps,
  metrics: Metrics,
  inSpan: InSpan = noTraces.inSpan,
): Promise<Worker> {
  await requireDatabase(deps.config.databaseUrl)
  await untilSealKeysChecked(deps)
  await requireKnownMigrations(deps)
  if ((await findOutboundHold(deps.database)) === undefined) return start(deps, metrics, inSpan)
  deps.log.warn(heldMessage)
  const stopping = new AbortController()
  const started = untilAllowed(deps, stopping.signal).then(() => start(deps, metrics, inSpan))
  started.catch((error: unknown) => {
    if (stopping.signal.aborted) return
    deps.log.error({ error }, 'the worker could not start')
    process.exit(1)
  })
  return {
    stop: async () => {
      stopping.abort()
      const worker = await started.catch(() => undefined)
      await worker?.stop()
    },
  }
}

async function untilAllowed({ database, sleep, log }: Deps, signal: AbortSignal): Promise<void> {
  const isHeld = async () => (await findOutboundHold(database)) !== undefined
  // While the database is away, its state is unknown.
  while (await isHeld().catch(() => true)) await sleep(lookAgainMs, signal)
  log.info('calls to the providers are on')
}

async function start(deps: Deps, metrics: Metrics, inSpan: InSpan): Promise<Worker> {
  const { databaseUrl, workerConcurrency } = deps.config
  const worker = await startWorker(deps, {
    url: await applicationUrl(databaseUrl),
    concurrency: workerConcurrency,
    inSpan,
    onRunEnd: ({ kind, status, created_at, completed_at, processed_records, failed_records }) =>
      metrics.observeRun({
        kind,
        status,
        seconds: ((completed_at ?? created_at).getTime() - created_at.getTime()) / 1_000,
        processed: processed_records,
        failed: failed_records,
      }),
  })
  return endWhereOutdated(deps, worker)
}

/** A worker saves its progress and ends when the database gets a migration that it does not know. */
function endWhereOutdated(deps: Deps, worker: Worker): Worker {
  const look = async (): Promise<void> => {
    if ((await findUnknownMigrations(deps.database)).length === 0) return
    stop()
    await worker.stop()
    await requireKnownMigrations(deps)
  }
  const timer = setInterval(() => {
    // While the database is away, nobody can migrate it.
    look().catch((error: unknown) => deps.log.debug({ error }, 'could not look at the migrations'))
  }, lookAgainMs)
  timer.unref()
  const stop = () => clearInterval(timer)
  return {
    stop: () => {
      stop()
      return worker.stop()
    },
  }
}
