import type { Queue } from 'pg-boss'
import type { RunKind } from '../store/runs/runs.ts'

/** Where the queue engine keeps its tables. */
export const queueSchema = 'pgboss'

/** What a job of a run carries; a worker that does not know the version leaves it to a newer one. */
export type RunJob = { version: 1; organizationId: number; runId: string }

export const runQueues: Readonly<Record<RunKind, string>> = {
  import: 'import',
  push: 'push',
  recount: 'recount',
}

/** Where a large import asks other workers for help. */
export const assistQueue = 'assist'
/** Workers that help with one run at most; a fifth would wait for the provider's limits and nothing else. */
export const assistsMax = 4

/** What comes by the clock. */
export const scheduleQueue = 'schedule'
export const scheduleNames = ['sweep', 'look', 'sync', 'refresh', 'erase', 'retention', 'snapshots'] as const
export type ScheduleName = (typeof scheduleNames)[number]

/** In UTC: each minute, every five minutes, each hour (twice), each night (twice), and the first second of a month. */
export const schedules: Readonly<Record<ScheduleName, string>> = {
  sweep: '* * * * *',
  look: '2-57/5 * * * *',
  sync: '0 * * * *',
  refresh: '15 3 * * *',
  erase: '40 * * * *',
  retention: '45 4 * * *',
  snapshots: '0 0 1 * *',
}

const hourSeconds = 3600

/**
 * A run has one job at a time, by its id. A worker that dies shows by its heartbeat; the job is then taken up by
 * another within seconds, as often as it takes. How often a run may fail is counted on the run itself.
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
