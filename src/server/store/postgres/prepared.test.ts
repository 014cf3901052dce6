import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newDatabase, run, type TestDatabase } from '#test/database.ts'
import { type Database, openDatabase } from './database.ts'
import { prepared } from './prepared.ts'

let db: TestDatabase
let one: Database

beforeAll(async () => {
  db = await newDatabase()
  await run(db.ownerUrl, 'create table words (word text); grant select on words to public')
  await run(db.ownerUrl, `insert into words values ('seat'), ('usage')`)
})
beforeEach(async () => {
  await one?.destroy()
  one = openDatabase({ url: db.url, poolSize: 1, statementTimeoutMs: 5_000, onError: () => {} })
})
afterAll(async () => {
  await one?.destroy()
  await db?.close()
})

const find = (word: string, database: Database = one) =>
  sql<{ word: string }>`${prepared} select word from words where word = ${word}`.execute(database)
const preparedTexts = async () => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(one)
  return rows.map(({ statement }) => statement)
}

it('prepares what is marked, once, and finds what each time asks for', async () => {
  for (const word of ['usage', 'seat', 'none', 'usage', 'seat', 'usage', 'seat'])
    expect((await find(word)).rows).toEqual(word === 'none' ? [] : [{ word }])
  expect(await preparedTexts()).toEqual(['/* prepared */ select word from words where word = $1'])
})

it('prepares nothing else', async () => {
  for (let time = 0; time < 7; time += 1)
    await sql`select word from words where word = ${'seat'}`.execute(one)
  expect(await preparedTexts()).toEqual([])
})

it('goes on after what is prepared has failed', async () => {
  const divide = (by: number) =>
    sql<{ share: number }>`${prepared} select 6 / ${by}::integer as share`.execute(one)
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect((await divide(3)).rows).toEqual([{ share: 2 }])
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect((await divide(6)).rows).toEqual([{ share: 1 }])
})

it('prepares later what a transaction that had failed before refused to', async () => {
  const failed = one.transaction().execute(async (transaction) => {
    await sql`select 1 / 0`.execute(transaction).catch(() => {})
    await find('seat', transaction)
  })
  await expect(failed).rejects.toMatchObject({ code: '25P02' })
  expect((await find('usage')).rows).toEqual([{ word: 'usage' }])
})

it('lets a migration add a column to what is prepared', async () => {
  for (let time = 0; time < 7; time += 1) await find('seat')
  await run(db.ownerUrl, 'alter table words add column language text')
  expect((await find('seat')).rows).toEqual([{ word: 'seat' }])
})
