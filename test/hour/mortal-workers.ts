import type { PgBoss } from 'pg-boss'
import type { Deps } from '#server/deps.ts'
import { followRun } from '#server/jobs/follow-run.ts'
import { priorityOf } from '#server/jobs/priority.ts'
import type { QueuedRun } from '#server/jobs/queues.ts'
import { runWorks } from '#server/jobs/run-works.ts'
import { workOnRun } from '#server/jobs/work-on-run.ts'
import { followHints } from '#server/work/import/refresh-payments.ts'
import { countSteps, Killed, stepFates } from '../import/steps.ts'
import type { Clockwork } from './clockwork.ts'

/** What a run takes of a worker's time, and after what time another worker gets the run of a dead one. */
const workMs = 200
const noticedAfterMs = 15_000
/** One run in this many loses its worker, at one of its first transactions or just after its end. */
const killedOneIn = 12
const stepsMax = 30

type Waiting = { organizationId: number; run: QueuedRun; number: number }

/**
 * A worker that dies at random, and its queue. The queue orders jobs as the real one does, and gives a dead worker's run to
 * the next one. `onDeath` receives each organization whose worker died.
 */
export function openMortalWorkers(
  deps: Deps,
  parts: {
    clockwork: Clockwork
    clock: { readonly ms: number; moveTo(ms: number): void }
    random: () => number
    onDeath: (organizationId: number) => void
  },
) {
  const { clockwork, clock, random, onDeath } = parts
  let waiting: Waiting[] = []
  let count = 0
  let isMortal = true
  const add = (organizationId: number, run: QueuedRun): boolean => {
    if (waiting.some((one) => one.run.id === run.id)) return false
    waiting.push({ organizationId, run, number: count++ })
    clockwork.plan(clock.ms, workOff)
    return true
  }
  deps.enqueue = async ({ organizationId }, run) => void add(organizationId, run)

  async function workOff(): Promise<void> {
    waiting.sort((a, b) => priorityOf(b.run) - priorityOf(a.run) || a.number - b.number)
    const next = waiting[0]
    if (!next) return
    waiting = waiting.slice(1)
    clock.moveTo(clock.ms + workMs)
    await workOn(next)
  }

  async function workOn({ organizationId, run }: Waiting): Promise<void> {
    const isDoomed = isMortal && random() < 1 / killedOneIn
    const steps = countSteps()
    const step = 1 + Math.floor(random() * stepsMax)
    const fate = random() < 0.5 ? stepFates[0] : stepFates[1]
    const signal = steps.begin(isDoomed ? { step, fate } : undefined)
    const struck = { ...deps, database: steps.aroundDatabase(deps.database) }
    const task = { kind: run.kind, work: runWorks[run.kind], postpone: async () => {} }
    const job = { version: 1 as const, organizationId, runId: run.id }
    const ended = await workOnRun(struck, task, job, signal).catch((error: unknown) => {
      if (!(error instanceof Killed) && !signal.aborted) throw error
      return undefined
    })
    if (signal.aborted) {
      onDeath(organizationId)
      clockwork.plan(clock.ms + noticedAfterMs, async () => void add(organizationId, run))
      return
    }
    // This step was never reached: the worker dies after the run, before it starts what follows.
    if (isDoomed) return onDeath(organizationId)
    if (!ended) return
    const { gatherMs } = await followRun(deps, organizationId, ended)
    if (gatherMs > 0) clockwork.plan(clock.ms + gatherMs, () => followHints(deps, organizationId))
  }
  return {
    /** The queue as the clock's schedules see it. */
    boss: {
      send: async (
        kind: QueuedRun['kind'],
        { organizationId, runId }: { organizationId: number; runId: string },
      ) => (add(organizationId, { id: runId, kind, options: {} }) ? runId : null),
    } as unknown as PgBoss,
    becomeImmortal: () => {
      isMortal = false
    },
  }
}
