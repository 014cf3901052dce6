/**
 * Copies one imported and pushed account into many organizations on one PostgreSQL, with simulated providers that answer at
 * once, and measures what each kind of scheduled work costs and how long it waits in the queue. Linux only.
 */
import { rmSync } from 'node:fs'
import { openProcess } from '#server/process.ts'
import { connectPayments } from '#server/work/connections/connect-payments.ts'
import { lookForChanges } from '#server/work/import/refresh-payments.ts'
import { startImport } from '#server/work/import/start-import.ts'
import { startPush } from '#server/work/push/start-push.ts'
import { copyOrganization } from './tenants/copies.ts'
import { type MeasuredWork, openWorkers } from './tenants/measure.ts'
import { openTenantStage } from './tenants/stage.ts'

const scale = Number(process.env['BENCH_SCALE'] ?? 1)
const organizations = Math.round(1_000 * scale)
/** Passes take a second each, so fewer of them tell as much. */
const passes = Math.max(2, Math.round(organizations / 20))
const customers = { each: 30, large: Math.round(3_000 * Math.min(1, scale * 2)) }
const delaySecondsMax = 30
/** The share of a machine's two processors that scheduled work may take; the rest is for peaks and people. */
const usable = 2 * 3_600 * 0.7

/** One line: processor seconds per look, push and pass, delays of the queue, and what one machine carries. */
export async function run() {
  const stage = await openTenantStage(customers)
  const { deps, close } = await openProcess({ name: 'bench', environment: stage.environment })
  try {
    const made = { from: stage.organizationId, count: organizations }
    const ids = await copyOrganization(stage.superuserUrl, deps, made)
    const { measure, stopAll } = openWorkers(stage)
    const look = (id: number) => lookForChanges(deps, id, deps.now())
    const push = async (id: number) => {
      await startPush(deps, id, { retriesFailed: false, isScheduled: true })
    }
    const pass = async (id: number) => {
      await startImport(deps, id, { mode: 'historical' }, { isScheduled: true })
    }
    const startLarge = async () => {
      await connectPayments(deps, await stage.addOrganization(), 'sk_test_large')
      await startImport(deps, await stage.lastOrganization(), { mode: 'historical' })
    }
    const looks = await measure(ids, look, { workers: 1 })
    const looksOfTwo = await measure(ids, look, { workers: 2 })
    const beside = await measure(ids, look, { workers: 1, besides: startLarge })
    const pushes = await measure(ids, push, { workers: 1 })
    const passed = await measure(ids.slice(0, passes), pass, { workers: 1 })
    await stopAll()
    const figures = {
      organizations,
      customersEach: customers.each,
      look: costOf(looks),
      hourlyPush: costOf(pushes),
      // A push follows each pass.
      fullPass: lessOf(costOf(passed), costOf(pushes)),
      delay: {
        oneWorker: delayOf(looks),
        twoWorkers: delayOf(looksOfTwo),
        besideLargeImport: delayOf(beside),
      },
    }
    return {
      bench: 'tenants',
      scale,
      ...figures,
      carried: carriedBy(figures),
      broken: [looks, looksOfTwo, beside].flatMap(({ delays }) =>
        (delays.at(-1) ?? 0) > delaySecondsMax ? [`a look waited more than ${delaySecondsMax} s`] : [],
      ),
    }
  } finally {
    await close()
    await stage.close()
    rmSync(stage.folder, { recursive: true, force: true })
  }
}

type Cost = { workerSeconds: number; databaseSeconds: number }

function costOf({ count, workerSeconds, databaseSeconds }: MeasuredWork): Cost {
  return { workerSeconds: rounded(workerSeconds / count), databaseSeconds: rounded(databaseSeconds / count) }
}

function lessOf(all: Cost, part: Cost): Cost {
  return {
    workerSeconds: rounded(all.workerSeconds - part.workerSeconds),
    databaseSeconds: rounded(all.databaseSeconds - part.databaseSeconds),
  }
}

function delayOf({ delays, seconds, count }: MeasuredWork) {
  const at = (share: number) => rounded(delays[Math.floor(share * (delays.length - 1))] ?? 0)
  return { median: at(0.5), longest: at(1), all: rounded(seconds), count }
}

/** Organizations that the scheduled work of an hour leaves room for: twelve looks, a push, a 24th of a pass. */
function carriedBy({ look, hourlyPush, fullPass }: Record<'look' | 'hourlyPush' | 'fullPass', Cost>) {
  const anHour = (of: keyof Cost) => 12 * look[of] + (look[of] + hourlyPush[of]) + fullPass[of] / 24
  const [worker, database] = [anHour('workerSeconds'), anHour('databaseSeconds')]
  return {
    byWorkerMachine: Math.floor(usable / worker),
    byDatabaseMachine: Math.floor(usable / database),
    byOneMachineForBoth: Math.floor(usable / (worker + database)),
  }
}

const rounded = (seconds: number) => Math.round(seconds * 10_000) / 10_000
