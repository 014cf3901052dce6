import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { startImport } from './start-import.ts'

/** To start, claim, plan and end a look; not counting BEGIN and COMMIT. */
const statementsMax = 25

const counts = { statements: 0 }
const countStatements: KyselyPlugin = {
  transformQuery: ({ node }) => {
    counts.statements += 1
    return node
  },
  transformResult: async ({ result }) => result,
}

let stage: ImportStage
beforeAll(async () => {
  stage = await stageImport({
    world: generatedWorld(30),
    aroundDatabase: (database) => database.withPlugin(countStatements),
  })
  await stage.importAll()
})
afterAll(() => stage.close())

it('a look takes few statements when nothing changed, and leaves only its time', async () => {
  const before = await stage.dump()
  const { deps, organizationId } = stage
  const look = async () => {
    counts.statements = 0
    const request = { mode: 'window' as const, from: deps.now(), until: deps.now() }
    const { runId } = await startImport(deps, organizationId, request, { isScheduled: true, isHint: true })
    return stage.work(await stage.claim(runId))
  }
  await look()
  const ended = await look()
  expect(ended).toMatchObject({ status: 'completed', message: 'Nothing changed.', processed_records: 0 })
  expect(counts.statements).toBeGreaterThan(0)
  expect(counts.statements).toBeLessThanOrEqual(statementsMax)
  expect(await stage.dump()).toEqual(before)
  const [mirror] = await query<{ is_new: boolean }>(
    stage.db.ownerUrl,
    'select refreshed_at = $1 as is_new from payment_mirrors',
    [ended.created_at],
  )
  expect(mirror).toEqual({ is_new: true })
})
