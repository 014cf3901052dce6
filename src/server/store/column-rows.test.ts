import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { columnRows } from './column-rows.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const columns = { name: 'text', cents: 'bigint', quantity: 'integer', body: 'jsonb', lines: 'json' } as const
type Row = { name: string | null; cents: number; quantity: number | null; body: unknown; lines: unknown }

async function roundTrip(rows: readonly Row[]) {
  const read = await sql<Row>`
    select name, cents, quantity, body, lines from ${columnRows(rows, columns)} as given`.execute(db.database)
  return read.rows
}

const asStored = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, one) =>
      typeof one === 'string' ? one.replaceAll('\0', '').toWellFormed() : one,
    ),
  )

const text = fc.string({
  unit: fc.constantFrom(...'ab{},"\\\'\n\r\t\0\x1e\x1fé€😀\ud83d', 'NULL'),
  maxLength: 12,
})
const json = fc.oneof(
  fc.record({ description: text, nothing: fc.constant(null), count: fc.integer() }),
  fc.array(text, { maxLength: 3 }),
)

it('whatever rows hold comes out as it went in, but for what PostgreSQL cannot hold', async () => {
  const row = fc.record({
    name: fc.option(text),
    cents: fc.maxSafeInteger(),
    quantity: fc.option(fc.integer()),
    body: fc.option(json),
    lines: json,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      expect(await roundTrip(rows)).toEqual(rows.map(asStored))
    }),
    { numRuns: 200 },
  )
})

it('a field that is left out is null', async () => {
  const partial: { name: string; cents?: number; body?: unknown }[] = [{ name: 'one' }]
  const { rows } = await sql`
    select * from ${columnRows(partial, { name: 'text', cents: 'bigint', body: 'jsonb' })} as given`.execute(
    db.database,
  )
  expect(rows).toEqual([{ name: 'one', cents: null, body: null }])
})
