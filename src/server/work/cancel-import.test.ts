import { expect, it } from 'vitest'
import { inOrganization } from '../store/database.ts'
import { cancelRuns, RunLost } from '../store/runs.ts'
import { connectPayments } from './connect-payments.ts'
import { demoKey, generatedWorld, stageImport } from './import/test-support.ts'

it('a busy import lets itself be cancelled at once, and asks for no more', async () => {
  let asked = 0
  const isBusy = Promise.withResolvers<void>()
  const stage = await stageImport({
    world: generatedWorld(150),
    pageSize: 10,
    around: (fetch) => (request) => {
      asked += 1
      if (asked === 40) isBusy.resolve()
      return fetch(request)
    },
  })
  try {
    await connectPayments(stage.deps, stage.organizationId, demoKey)
    asked = 0
    const work = stage.work(await stage.start()).catch((error: unknown) => error)
    await isBusy.promise
    await inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
      cancelRuns(tenant, stage.deps.now(), 'Cancelled.'),
    )
    const askedBefore = asked
    expect(await work).toBeInstanceOf(RunLost)
    expect(askedBefore).toBeLessThan(80)
    // What was in flight, and a page after each of it.
    expect(asked - askedBefore).toBeLessThanOrEqual(24)
  } finally {
    await stage.close()
  }
})
