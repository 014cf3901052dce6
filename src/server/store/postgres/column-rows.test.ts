import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { columnRows } from './column-rows.ts'
import { storableJsonOrNull } from './json-rows.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const columns = {
  name: 'text',
  cents: 'bigint',
  quantity: 'integer',
  isActive: 'boolean',
  body: 'jsonb',
  lines: 'json',
} as const
type Row = {
  name: string | null
  cents: number | null
  quantity: number | null
  isActive: boolean | null
  body: object | null
  lines: object | null
}

async function roundTrip(rows: readonly Row[]) {
  const given = rows.map((row) => ({
    ...row,
    body: storableJsonOrNull(row.body),
    lines: storableJsonOrNull(row.lines),
  }))
  const read = await sql<Row>`
    select name, cents, quantity, "isActive", body, lines
      from ${columnRows(given, columns)} as given`.execute(db.database)
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
    cents: fc.option(fc.maxSafeInteger()),
    quantity: fc.option(fc.integer()),
    isActive: fc.option(fc.boolean()),
    body: fc.option(json),
    lines: fc.option(json),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      expect(await roundTrip(rows)).toEqual(rows.map(asStored))
    }),
    { numRuns: 200 },
  )
})

it('null, the empty text and the words for null are told apart', async () => {
  const none = { name: null, cents: null, quantity: null, isActive: null, body: null, lines: null }
  const rows = [
    none,
    { ...none, name: '', isActive: false, body: [], lines: {} },
    { ...none, name: 'null', isActive: true, body: { '': '' }, lines: ['a\nb\0c\r\n', null] },
    { ...none, name: 'NULL' },
  ]
  expect(await roundTrip(rows)).toEqual(rows.map(asStored))
  expect(await roundTrip([none])).toEqual([none])
})

it.each([
  { cents: 0.5 },
  { cents: 2 ** 53 },
  { quantity: 1.5 },
  { quantity: 2 ** 31 },
  { cents: Number.NaN },
])('a number that its column cannot hold is refused, not cut: %j', async (wrong) => {
  const row = { name: null, cents: 1, quantity: 1, isActive: null, body: null, lines: null }
  await expect(roundTrip([row, { ...row, ...wrong }])).rejects.toThrow(RangeError)
})

it('arrays grow as far as their rows need', async () => {
  const row = { cents: -1, quantity: -1, isActive: true, body: null, lines: [] }
  const rows = Array.from({ length: 300 }, (_, index) => ({ ...row, name: 'é'.repeat(20 * index) }))
  expect(await roundTrip(rows)).toEqual(rows)
})
