import { PgBoss } from 'pg-boss'
import type { Deps } from '../deps.ts'
import { cancelStatements } from '../store/postgres/database.ts'
import { WritingClient } from '../store/postgres/writing-client.ts'
import type { Run } from '../store/runs/runs.ts'
import { type InSpan, noTraces } from '../traces.ts'
import { tellQueueErrors } from './queue-errors.ts'
import { queueSchema, scheduleNames, scheduleQueue } from './queues.ts'
import { followClock } from './schedules.ts'
import { forgetTimesAhead } from './times-ahead.ts'
import { workOnRuns } from './work-on-runs.ts'

/** When a worker stops, its running work gets this time to end. */
const stopWithinMs = 8_000
/** A statement that runs longer than this after the stop is cancelled; another worker repeats its work. */
const cancelAfterMs = 3_000
const superviseEverySeconds = 2
const lookAtTimesEveryMs = 60_000
/** A schedule begins at most so late, twice: until it is noticed, and until it is in its queue. */
const clockEverySeconds = 2
/** A schedule that takes long, such as the nightly ones, does not hold up the minute's. */
const scheduling = { includeMetadata: true, localConcurrency: 2 } as const

/** The queue passes its options on to its pool of connections. */
const ofPool = { Client: WritingClient }

export type Worker = { stop(): Promise<void> }

/**
 * Works on the runs of all organizations, beside any number of workers. A stop ends its runs at their next
 * step; another worker continues them.
 */
export async function startWorker(
  deps: Deps,
  options: {
    url: string
    concurrency: number
    signal?: AbortSignal
    pollSeconds?: number
    /** Receives every run that ended in this worker. */
    onRunEnd?: (ended: Run) => void
    /** Does each attempt at a run in a span. */
    inSpan?: InSpan
  },
): Promise<Worker> {
  const stopping = new AbortController()
  const boss = new PgBoss({
    connectionString: options.url,
    ...ofPool,
    schema: queueSchema,
    application_name: 'tributary worker',
    max: 4,
    migrate: false,
    // A notification starts a job at its commit; polling finds the others.
    useListenNotify: true,
    reindex: false,
    monitorVacuum: false,
    cronMonitorIntervalSeconds: clockEverySeconds,
    cronWorkerIntervalSeconds: clockEverySeconds,
    superviseIntervalSeconds: superviseEverySeconds,
    monitorIntervalSeconds: superviseEverySeconds,
  })
  boss.on('error', tellQueueErrors(deps))
  const lookAtTimes = () =>
    forgetTimesAhead(deps.database).catch((error: unknown) => {
      deps.log.warn({ error }, "the queue's times could not be looked at")
    })
  await lookAtTimes()
  const lookingAtTimes = setInterval(() => void lookAtTimes(), lookAtTimesEveryMs)
  lookingAtTimes.unref()
  await boss.start()
  const { concurrency, pollSeconds, onRunEnd, inSpan = noTraces.inSpan } = options
  const place = { deps, boss, stopping: stopping.signal, concurrency, pollSeconds, inSpan }
  await workOnRuns(place, onRunEnd)
  await boss.work(scheduleQueue, scheduling, async ([job]) => {
    const data: object = { ...(typeof job?.data === 'object' ? job.data : {}) }
    const name = scheduleNames.find((one) => 'name' in data && one === data.name)
    if (!job || !name) return
    const signal = AbortSignal.any([job.signal, stopping.signal])
    await followClock(deps, boss, { name, at: job.createdOn }, signal)
  })

  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping.abort(new Error('The worker is being stopped.'))
    clearInterval(lookingAtTimes)
    stopped ??= stopBoss(deps, boss)
    return stopped
  }
  options.signal?.addEventListener('abort', () => void stop(), { once: true })
  return { stop }
}

/** Claims no more jobs, waits for running ones, and closes the queue last. */
async function stopBoss(deps: Deps, boss: PgBoss): Promise<void> {
  const cancelling = setTimeout(() => {
    cancelStatements(deps.database).catch((error: unknown) => deps.log.warn({ error }, 'could not cancel'))
  }, cancelAfterMs)
  try {
    await boss.stop({ graceful: true, timeout: stopWithinMs })
  } finally {
    clearTimeout(cancelling)
  }
}
