import { type RawBuilder, sql } from 'kysely'
import type { JsonText } from './json-rows.ts'

type ValueOf = {
  text: string
  bigint: number
  integer: number
  boolean: boolean
  json: JsonText
  jsonb: JsonText
}
type ColumnType = keyof ValueOf
type Columns = Readonly<Record<string, ColumnType>>

/** What a row holds in these columns. */
export type ColumnRow<C extends Columns> = { readonly [K in keyof C]: ValueOf[C[K]] | null }

/**
 * Rows as a table expression of the given columns: an array for each, and a line for each value of JSON. PostgreSQL reads
 * these several times faster than the same rows as one JSON document, which counts where rows come by the thousand.
 */
export function columnRows<C extends Columns>(
  rows: readonly ColumnRow<NoInfer<C>>[],
  columns: C,
): RawBuilder<unknown> {
  const named = Object.entries(columns) as [keyof C & string, ColumnType][]
  const plain = named.filter(([, type]) => !isJson(type))
  const json = named.filter(([, type]) => isJson(type))
  const arrays = plain.map(
    ([name, type]) => sql`${arrayText(rows.map((row) => row[name]))}::${sql.raw(type)}[]`,
  )
  // A null is an empty line, as JSON text never is.
  const lines = json.map(
    ([name]) => sql`string_to_table(${rows.map((row) => row[name]).join('\n')}, chr(10), '')`,
  )
  const names = [...plain, ...json].map(([name]) => sql.ref(name))
  const values = [
    ...plain.map(([name]) => sql.ref(name)),
    ...json.map(([name, type]) => sql`${sql.ref(name)}::${sql.raw(type)} as ${sql.ref(name)}`),
  ]
  return sql`(select ${sql.join(values)} from rows from (${sql.join([sql`unnest(${sql.join(arrays)})`, ...lines])})
                as raw (${sql.join(names)}))`
}

function isJson(type: ColumnType): boolean {
  return type === 'json' || type === 'jsonb'
}

/** What cannot stand in quotes as it is. */
const special = /["\\\0]/

/** An array as PostgreSQL reads it, in less than half the time that the library takes to write it. */
function arrayText(values: readonly Parameters<typeof elementText>[0][]): string {
  return `{${values.map(elementText).join()}}`
}

/** In quotes, without the character that PostgreSQL cannot hold. */
function elementText(given: string | number | boolean | null | undefined): string {
  if (given === null || given === undefined) return 'NULL'
  const value = String(given)
  return special.test(value) ? `"${value.replaceAll('\0', '').replaceAll(/["\\]/g, '\\$&')}"` : `"${value}"`
}
