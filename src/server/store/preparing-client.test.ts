import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, run, type TestDatabase } from '#test/database.ts'
import { type Database, openDatabase } from './database.ts'

let db: TestDatabase
let one: Database

beforeAll(async () => {
  db = await newDatabase()
  await run(db.ownerUrl, `create table words (word text); grant select, insert on words to public`)
  await run(db.ownerUrl, `insert into words values ('seat'), ('usage')`)
})
afterAll(async () => {
  await one?.destroy()
  await db?.close()
})

const limits = { poolSize: 1, statementTimeoutMs: 5_000, onError: () => {} }
const open = async (prepares: boolean) => {
  await one?.destroy()
  one = openDatabase({ url: db.url, ...limits, prepares })
}
const find = (word: string) => sql<{ word: string }>`select word from words where word = ${word}`.execute(one)
const prepared = async () => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(one)
  return rows.map(({ statement }) => statement).filter((text) => text.includes('words'))
}

it('prepares a statement from the third time on, and finds what each time asks for', async () => {
  await open(true)
  for (const word of ['seat', 'usage']) expect((await find(word)).rows).toEqual([{ word }])
  expect(await prepared()).toEqual([])
  for (const word of ['usage', 'seat', 'none', 'usage'])
    expect((await find(word)).rows).toEqual(word === 'none' ? [] : [{ word }])
  expect(await prepared()).toEqual(['select word from words where word = $1'])
})

it('prepares nothing where it is not told to', async () => {
  await open(false)
  for (let time = 0; time < 5; time += 1) await find('seat')
  expect(await prepared()).toEqual([])
})

it('goes on after a statement that failed where it was prepared', async () => {
  await open(true)
  const divide = (by: number) =>
    sql<{ share: number }>`select 6 / ${by}::integer as share from words`.execute(one)
  for (const by of [1, 2, 3]) expect((await divide(by)).rows[0]).toEqual({ share: 6 / by })
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect((await divide(6)).rows[0]).toEqual({ share: 1 })
})

it('prepares anew what a transaction that had failed before refused to', async () => {
  await open(true)
  for (let time = 0; time < 2; time += 1) await find('seat')
  const failed = one.transaction().execute(async (transaction) => {
    await sql`select 1 / 0`.execute(transaction).catch(() => {})
    await sql`select word from words where word = ${'seat'}`.execute(transaction)
  })
  await expect(failed).rejects.toMatchObject({ code: '25P02' })
  expect((await find('usage')).rows).toEqual([{ word: 'usage' }])
  expect(await prepared()).toHaveLength(1)
})

it('leaves alone what gives every column, so that a migration may add one', async () => {
  await open(true)
  const all = () => sql`select * from words where word = ${'seat'}`.execute(one)
  for (let time = 0; time < 4; time += 1) await all()
  await run(db.ownerUrl, `alter table words add column language text`)
  expect((await all()).rows).toEqual([{ word: 'seat', language: null }])
})

it('remembers only so many statements', async () => {
  await open(true)
  for (let time = 0; time < 3; time += 1)
    for (let number = 0; number < 210; number += 1)
      await sql`select word, ${sql.raw(String(number))} as number from words where word = ${'seat'}`.execute(
        one,
      )
  expect(await prepared()).toHaveLength(200)
})
