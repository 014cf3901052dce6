import { expect, it } from 'vitest'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { cancelRuns, RunLost } from '../../../store/runs/runs.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

it('a busy import lets itself be cancelled at once, and asks for no more', async () => {
  const whole = await withImport(async (stage, asked) => {
    const ended = await stage.work(await stage.start())
    expect(ended.status).toBe('completed')
    return asked.count
  })
  await withImport(async (stage, asked) => {
    const work = stage.work(await stage.start()).catch((error: unknown) => error)
    await asked.isBusy
    await inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
      cancelRuns(tenant, stage.deps.now(), 'Cancelled.'),
    )
    const askedBefore = asked.count
    expect(await work).toBeInstanceOf(RunLost)
    // Readers keep requesting pages while at most eight pages per window wait to be saved.
    expect(askedBefore).toBeLessThan(whole / 2)
    // The bound allows the requests in flight, and one page after each.
    expect(asked.count - askedBefore).toBeLessThanOrEqual(24)
  })
})

/** A connected organization before its import; the test counts requests from here on. */
async function withImport<T>(
  use: (stage: ImportStage, asked: { count: number; isBusy: Promise<void> }) => Promise<T>,
): Promise<T> {
  const busy = Promise.withResolvers<void>()
  const asked = { count: 0, isBusy: busy.promise }
  const stage = await stageImport({
    world: generatedWorld(60),
    pageSize: 10,
    around: (fetch) => (request) => {
      asked.count += 1
      if (asked.count === 40) busy.resolve()
      return fetch(request)
    },
  })
  try {
    await connectPayments(stage.deps, stage.organizationId, demoKey)
    asked.count = 0
    return await use(stage, asked)
  } finally {
    await stage.close()
  }
}
