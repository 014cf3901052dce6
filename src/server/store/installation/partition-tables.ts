import type pg from 'pg'
import { allowApplicationRole, applicationRoleOf, grantApplicationRole } from './application-role.ts'
import { onTables } from './as-owner.ts'
import { copiesSchema, isHalfPartitioned } from './half-partitioned.ts'
import { allowBackupByOwner, backupSetting } from './owner-backup-policy.ts'
import { backupLock, ownerLock } from './owner-lock.ts'
import {
  indexesFor,
  listPlainTables,
  type PlainTable,
  readAttachments,
  readNumbers,
} from './partitioned-shape.ts'

/** Holds the parts of partitioned tables, which nothing names: statements name the table itself. */
const partsSchema = 'partitions'

export type Partitioning = {
  /** In how many parts each table is divided, by a hash of the organization. */
  parts: number
  /** How much of a table one transaction copies: pages of 8 kB. */
  pagesAtOnce?: number
  /** Is told each step. If it throws, the work ends as if the process had died. */
  tell?: (line: string) => void
}

/** Thrown while something else is connected to the database. */
export class InUse extends Error {}

/**
 * Divides every table of organizations by a hash of `organization_id`: copies in batches, then exchanges all tables in
 * one transaction. A call after an interruption goes on. Returns the tables; throws InUse while others are connected.
 */
export async function partitionTables(ownerUrl: string, options: Partitioning): Promise<string[]> {
  return await alone(ownerUrl, async (client) => {
    const tables = await listPlainTables(client)
    if (tables.length > 0) {
      if (!(await isHalfPartitioned(client))) await makeCopies(client, tables, options.parts)
      for (const table of tables) await fillCopy(client, table, options)
      options.tell?.('exchanging the tables')
      await inTransaction(client, () => exchange(client, tables))
    }
    await allowBackupByOwner(client)
    await grantApplicationRole(client)
    await client.query('analyze')
    return tables.map(({ name }) => name)
  })
}

/** Removes the copies of a partitioning that was interrupted; the tables are as they were before it. */
export async function undoPartitioning(ownerUrl: string): Promise<boolean> {
  return await alone(ownerUrl, async (client) => {
    const isHalf = await isHalfPartitioned(client)
    await client.query(`drop schema if exists ${copiesSchema} cascade`)
    await grantApplicationRole(client)
    return isHalf
  })
}

/** Works as the owner while nobody else is connected and the application cannot log in. */
async function alone<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return await onTables(ownerUrl, 'tributary partition', async (client) => {
    const isHalf = await isHalfPartitioned(client)
    // A copied database still names the role of its original, which must stay able to log in.
    if (!isHalf) await grantApplicationRole(client)
    const role = await applicationRoleOf(client)
    const locks = await client.query<{ is_taken: boolean }>(
      'select pg_try_advisory_lock(number) as is_taken from unnest($1::bigint[]) number',
      [[ownerLock, backupLock]],
    )
    if (locks.rows.some(({ is_taken }) => !is_taken))
      throw new InUse('A migration, a partitioning or a backup is at work. Wait for its end.')
    await refuseOthers(client)
    await allowApplicationRole(client, role, false)
    try {
      // Between the first look and the closed door, somebody may have come in.
      await refuseOthers(client)
    } catch (error) {
      if (!isHalf) await allowApplicationRole(client, role, true)
      throw error
    }
    await client.query(`select set_config($1, 'on', false)`, [backupSetting])
    return await work(client)
  })
}

async function refuseOthers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; count: string }>(
    `select coalesce(nullif(application_name, ''), usename::text) as name, count(*) as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null group by 1 order by 1`,
  )
  if (rows.length === 0) return
  const named = rows.map(({ name, count }) => `${name} (${count})`).join(', ')
  throw new InUse(
    `Others are connected to the database: ${named}. Stop every server and worker, and close every other session.`,
  )
}

/** Makes an empty partitioned copy of each table, without indexes, and notes how far each is filled. */
async function makeCopies(client: pg.Client, tables: PlainTable[], parts: number): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`create schema ${copiesSchema}`)
    await client.query(`create schema if not exists ${partsSchema}`)
    await client.query(
      `create table ${copiesSchema}.progress (name text primary key, pages_done bigint not null default 0,
         rows_done bigint not null default 0, is_whole boolean not null default false)`,
    )
    for (const table of tables) await makeCopy(client, table, parts)
    await client.query(`insert into ${copiesSchema}.progress (name) select unnest($1::text[])`, [
      tables.map(({ name }) => name),
    ])
  })
}

async function makeCopy(
  client: pg.Client,
  { name, options, isUnlogged }: PlainTable,
  parts: number,
): Promise<void> {
  const table = client.escapeIdentifier(name)
  await client.query(
    `create table ${copiesSchema}.${table} (like public.${table} including all excluding indexes)
       partition by hash (organization_id)`,
  )
  for (let part = 0; part < parts; part++)
    await client.query(
      `create ${isUnlogged ? 'unlogged ' : ''}table ${partsSchema}.${client.escapeIdentifier(`${name}_${part}`)}
         partition of ${copiesSchema}.${table} for values with (modulus ${parts}, remainder ${part})
         ${options === '' ? '' : `with (${options})`}`,
    )
  // `like` does not copy how closely the planner looks at a column.
  const watched = await client.query<{ column: string; target: number }>(
    `select attname::text as column, attstattarget as target from pg_attribute
      where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and coalesce(attstattarget, -1) <> -1`,
    [`public.${table}`],
  )
  for (const { column, target } of watched.rows)
    await client.query(
      `alter table ${copiesSchema}.${table} alter column ${client.escapeIdentifier(column)} set statistics ${target}`,
    )
}

/** Copies what is not copied yet, then makes the keys and indexes, which is faster on filled tables. */
async function fillCopy(client: pg.Client, table: PlainTable, options: Partitioning): Promise<void> {
  const name = client.escapeIdentifier(table.name)
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const { pagesAtOnce = 4096 } = options
  const { rows } = await client.query<{ done: string; is_whole: boolean; pages: string }>(
    `select pages_done as done, is_whole, pg_relation_size($2::text::regclass) / current_setting('block_size')::bigint as pages
       from ${copiesSchema}.progress where name = $1`,
    [table.name, `public.${name}`],
  )
  const [progress] = rows
  if (progress === undefined)
    throw new Error(
      `${table.name} is newer than the partitioning that was begun. Take that back: tributary partition --undo`,
    )
  if (progress.is_whole) return
  for (let page = Number(progress.done); page < Number(progress.pages); page += pagesAtOnce) {
    await inTransaction(client, async () => {
      const copied = await client.query(
        `insert into ${copiesSchema}.${name} (${columns}) overriding system value
         select ${columns} from public.${name} where ctid >= '(${page},0)'::tid and ctid < '(${page + pagesAtOnce},0)'::tid`,
      )
      await client.query(
        `update ${copiesSchema}.progress set pages_done = $2, rows_done = rows_done + $3 where name = $1`,
        [table.name, page + pagesAtOnce, copied.rowCount],
      )
    })
    options.tell?.(
      `${table.name}: ${Math.min(page + pagesAtOnce, Number(progress.pages))} of ${progress.pages} pages`,
    )
  }
  await inTransaction(client, async () => {
    for (const statement of await indexesFor(client, table.name, copiesSchema)) await client.query(statement)
    await client.query(`update ${copiesSchema}.progress set is_whole = true where name = $1`, [table.name])
  })
  options.tell?.(`${table.name}: indexes made`)
}

async function refuseMissing(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ there: string; copied: string }>(
    `select (select count(*) from public.${client.escapeIdentifier(table)}) as there,
            (select rows_done from ${copiesSchema}.progress where name = $1) as copied`,
    [table],
  )
  const [count] = rows
  if (count?.there !== count?.copied)
    throw new Error(
      `${table} has ${count?.there} rows and its copy ${count?.copied}, so somebody wrote meanwhile. Take the ` +
        'partitioning back and begin again: tributary partition --undo',
    )
}

/** Puts the copies in the place of the tables, with all that hangs on them. */
async function exchange(client: pg.Client, tables: PlainTable[]): Promise<void> {
  const names = tables.map(({ name }) => name)
  for (const name of names) await refuseMissing(client, name)
  const attached = await readAttachments(client, names)
  const numbers = await readNumbers(client, names)
  for (const statement of attached.away) await client.query(statement)
  await client.query('create schema tables_before')
  for (const name of names.map((one) => client.escapeIdentifier(one))) {
    await client.query(`alter table public.${name} set schema tables_before`)
    await client.query(`alter table ${copiesSchema}.${name} set schema public`)
  }
  for (const statement of [...attached.back, ...numbers]) await client.query(statement)
  for (const name of names) await client.query(`drop table tables_before.${client.escapeIdentifier(name)}`)
  await client.query(`drop schema tables_before`)
  await client.query(`drop schema ${copiesSchema} cascade`)
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
