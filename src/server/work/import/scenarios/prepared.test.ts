import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { type Database, openDatabase } from '../../../store/postgres/database.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

const world = generatedWorld(12)
const poolSize = 5
const closing: (() => Promise<void>)[] = []

async function staged(): Promise<ImportStage> {
  const stage = await stageImport({ world, pageSize: 3 })
  closing.unshift(() => stage.close())
  return stage
}

afterAll(async () => {
  for (const close of closing) await close()
})

it('an import leaves the same where no statement that is prepared may be planned by its values', async () => {
  const usual = await staged()
  expect(await usual.importAll()).toMatchObject({ status: 'completed', failed_records: 0 })
  const stage = await staged()
  const url = new URL(stage.db.url)
  url.searchParams.set('options', '-c plan_cache_mode=force_generic_plan')
  const generic = openDatabase({ url: url.href, poolSize, statementTimeoutMs: 30_000, onError: () => {} })
  closing.unshift(() => generic.destroy())
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  const claimed = await stage.start()
  stage.deps.database = generic
  expect(await stage.work(claimed)).toMatchObject({ status: 'completed', failed_records: 0 })
  expect(await stage.dump()).toEqual(await usual.dump())

  // The queries run at once, each on its own connection.
  const found = await Promise.all(Array.from({ length: poolSize }, () => preparedOn(generic)))
  expect(found.every(({ mode }) => mode === 'force_generic_plan')).toBe(true)
  const texts = found.flatMap((one) => one.texts)
  for (const what of [
    'insert into invoices',
    'insert into events',
    'update subscriptions as known',
    'update customers as known set is_rebuild_due = false',
  ])
    expect(texts.some((text) => text.includes(what))).toBe(true)
  // PostgreSQL would keep a new plan for each text if the texts always differed.
  expect(new Set(texts).size).toBeLessThan(30)
  // A prepared query that returns every column fails after a migration adds a column.
  for (const text of texts) expect(text).not.toMatch(/returning \*|\/\s*select \*/)
})

async function preparedOn(database: Database): Promise<{ mode: string; texts: string[] }> {
  const { rows } = await sql<{ mode: string; texts: string[] | null }>`
    select current_setting('plan_cache_mode') as mode, array_agg(statement) as texts
      from pg_prepared_statements`.execute(database)
  return { mode: rows[0]?.mode ?? '', texts: rows[0]?.texts ?? [] }
}
