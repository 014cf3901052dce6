import type { Queue } from 'pg-boss'
import type { RunKind } from '../store/runs/runs.ts'

/** The schema of the queue engine's tables. */
export const queueSchema = 'pgboss'

/** The payload of a run's job. A worker that does not know the version leaves the job to a newer worker. */
export type RunJob = { version: 1; organizationId: number; runId: string }

/** What the queue needs to know of a run. */
export type QueuedRun = { id: string; kind: RunKind; options: unknown }

export const runQueues: Readonly<Record<RunKind, string>> = {
  import: 'import',
  push: 'push',
  recount: 'recount',
}

/** A large import asks other workers for help in this queue. */
export const assistQueue = 'assist'
/**
 * At most this number of workers help with one run; a fifth would only wait for the provider's rate limit.
 */
export const assistsMax = 4

/** The queue of scheduled work. */
export const scheduleQueue = 'schedule'
export const scheduleNames = [
  'sweep',
  'look',
  'sync',
  'refresh',
  'alert',
  'erase',
  'retention',
  'snapshots',
] as const
export type ScheduleName = (typeof scheduleNames)[number]

/**
 * In UTC: each minute (of `look` and `sync`, and of `refresh` every ten minutes, for the organizations whose turn
 * it is), every five minutes, hourly, nightly, and on the 1st of each month at 00:00.
 */
export const schedules: Readonly<Record<ScheduleName, string>> = {
  sweep: '* * * * *',
  look: '* * * * *',
  sync: '* * * * *',
  refresh: '*/10 0-6 * * *',
  alert: '*/5 * * * *',
  erase: '40 * * * *',
  retention: '45 4 * * *',
  snapshots: '0 0 1 * *',
}

const hourSeconds = 3600

/**
 * A run has one job, identified by the run's id. If a worker's heartbeat stops, another worker gets the job
 * within seconds, without limit; the run itself counts its failures.
 */
export const queues: readonly Queue[] = [
  ...[...Object.values(runQueues), assistQueue].map((name) => ({
    name,
    policy: 'exclusive' as const,
    notify: true,
    heartbeatSeconds: 10,
    expireInSeconds: 24 * hourSeconds,
    retryLimit: 10_000,
    retryDelay: 1,
    deleteAfterSeconds: hourSeconds,
  })),
  {
    name: scheduleQueue,
    policy: 'standard',
    expireInSeconds: 15 * 60,
    retryLimit: 3,
    retryDelay: 5,
    retentionSeconds: hourSeconds,
    deleteAfterSeconds: hourSeconds,
  },
]
