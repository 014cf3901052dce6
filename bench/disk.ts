/**
 * Imports an account and tells, part by part, what one row of each large table takes on disk: its columns, its indexes,
 * and what PostgreSQL adds. `DISK_CUSTOMERS=3000` makes a larger account.
 */
import { measureImport } from './import/measure-import.ts'
import { openStage, query } from './import/stage.ts'

const customers = Number(process.env['DISK_CUSTOMERS'] ?? 1_000)
const account = { customers, months: 12, laps: 1 }
const tables = ['subscriptions', 'events', 'invoices', 'invoice_payments', 'customers']
/** Bytes of a row with its indexes. They may grow by what a new feature needs, but not without being seen here. */
const limits: Record<string, number> = { subscriptions: 5_400, events: 2_100 }

/** Bytes per row; `other` is the room that PostgreSQL keeps beside the columns. */
type Parts = {
  rows: number
  bytes: number
  columns: Record<string, number>
  other: number
  indexes: Record<string, number>
}

/** One line: the parts of a row of each table, and the tables whose rows take more than they may. */
export async function run() {
  const stage = await openStage(account)
  const parts: Record<string, Parts> = {}
  try {
    await measureImport(stage, { workers: 1, perSecond: 0, delayMs: 0 }, async (url) => {
      for (const table of tables) parts[table] = await partsOf(url, table)
    })
  } finally {
    await stage.close()
  }
  const broken = Object.entries(limits).filter(([table, most]) => (parts[table]?.bytes ?? most + 1) > most)
  return { bench: 'disk', customers, parts, broken: broken.map(([table]) => `${table}.bytes`) }
}

async function partsOf(url: string, table: string): Promise<Parts> {
  await query(url, `vacuum (analyze) ${table}`)
  const names = await query(
    url,
    `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped`,
  )
  const sizes = names.map(({ name }) => `avg(coalesce(pg_column_size("${name}"), 0)) as "${name}"`)
  const [columnSizes = {}] = await query(url, `select ${sizes.join(', ')} from ${table}`)
  const [whole = {}] = await query(
    url,
    `select count(*) as rows, pg_total_relation_size('${table}') as bytes, pg_indexes_size('${table}') as indexes from ${table}`,
  )
  const indexes = await query(
    url,
    `select indexrelid::regclass::text as name, pg_relation_size(indexrelid) as bytes from pg_index
      where indrelid = '${table}'::regclass order by 2 desc`,
  )
  const rows = Number(whole['rows'])
  const each = (bytes: unknown) => Math.round(Number(bytes) / rows)
  const columns = Object.fromEntries(
    Object.entries(columnSizes).map(([name, bytes]) => [name, Math.round(Number(bytes))]),
  )
  const inColumns = Object.values(columns).reduce((sum, bytes) => sum + bytes, 0)
  return {
    rows,
    bytes: each(whole['bytes']),
    columns,
    other: each(Number(whole['bytes']) - Number(whole['indexes'])) - inColumns,
    indexes: Object.fromEntries(indexes.map(({ name, bytes }) => [String(name), each(bytes)])),
  }
}
