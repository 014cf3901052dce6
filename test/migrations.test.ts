import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run, type TestDatabase } from './database.ts'

const folder = 'db/migrations'
const names = readdirSync(folder).sort()
let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** Tables that the migration's own statements write to, apart from bodies between `$$`. */
function writtenAtOnce(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, '').replaceAll(/\$\$[\s\S]*?\$\$/g, '')
  const found = statements.matchAll(/^\s*(?:update|delete from|insert into)\s+"?(\w+)"?/gim)
  return [...found].map(([, table = '']) => table)
}

describe('a migration', () => {
  it('that writes to a table of organizations names each in turn, or an owner without power would write nothing', async () => {
    const forced = await run<{ name: string }>(
      db.ownerUrl,
      'select relname::text as name from pg_class where relforcerowsecurity',
    )
    const tenant = new Set(forced.map(({ name }) => name))
    const blind = names
      .flatMap((name) => writtenAtOnce(readFileSync(join(folder, name), 'utf8')))
      .filter((table) => tenant.has(table))
    expect(blind).toEqual([])
  })

  it('joins the rows before and after an update without a nested loop, or one of all rows of a large account never ends', async () => {
    const functions = await run<{ name: string; settings: string[] | null }>(
      db.ownerUrl,
      `select proname::text as name, proconfig as settings from pg_proc
        where pronamespace = 'public'::regnamespace and prosrc ~ 'added join removed'`,
    )
    const slow = functions.filter(({ settings }) => !settings?.includes('enable_nestloop=off'))
    expect(slow.map(({ name }) => name)).toEqual([])
    expect(functions.length).toBeGreaterThan(3)
  })
})
