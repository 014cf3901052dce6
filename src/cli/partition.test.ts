import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { applicationUrl, grantApplicationRole } from '#server/store/installation/application-role.ts'
import { asOwner } from '#server/store/installation/as-owner.ts'
import { applyMigrations, listMigrationNames, migrate } from '#server/store/installation/migrate.ts'
import { allowBackupByOwner } from '#server/store/installation/owner-backup-policy.ts'
import { partitionTables } from '#server/store/installation/partition-tables.ts'
import { tributary } from '#test/cli/run-command.ts'
import { dropDatabase, newEmptyDatabase, run } from '#test/database.ts'
import { listTables, printRows, type Table } from '#test/upgrade/rows.ts'
import { describeSchema } from '../../tools/describe-schema.ts'
import { readParts } from './partition.ts'

const rows = readFileSync('test/upgrade/0001-rows.sql', 'utf8')

let db: Awaited<ReturnType<typeof newEmptyDatabase>>
/** The filled database of the first release with all later migrations, without a role: its copies get their own. */
let filled: typeof db
beforeAll(async () => {
  filled = await newEmptyDatabase()
  await fillFirstRelease(filled)
  const names = await listMigrationNames()
  await as(filled.databaseUrl, (owner) => applyMigrations(owner, names))
})
afterAll(() => filled?.close())

/** The database of the test that runs. */
async function open(original?: typeof db): Promise<void> {
  db = await newEmptyDatabase(original)
  onTestFinished(db.close)
}

async function copyFilled(): Promise<void> {
  await open(filled)
  await migrate(db.databaseUrl)
}

async function as(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  await asOwner(url, 'test', work)
}

/** A database of the first release with an imported and pushed account. */
async function fillFirstRelease({ databaseUrl, ownerUrl }: typeof db): Promise<void> {
  await as(databaseUrl, (owner) => applyMigrations(owner, ['0001_schema.sql']))
  await as(ownerUrl, async (superuser) => {
    await superuser.query('set session_replication_role = replica')
    await superuser.query(rows)
    await superuser.query(`select setval('audit_log_id_seq', (select max(id) from audit_log))`)
  })
}

async function tablesNow(): Promise<Table[]> {
  let tables: Table[] = []
  await as(db.ownerUrl, async (client) => {
    tables = await listTables(client)
  })
  return tables
}

const printed = async () => printRows(db.ownerUrl, await tablesNow())
const partition = (...args: string[]) => tributary(['partition', ...args], { DATABASE_URL: db.databaseUrl })

/** Tables of organizations by whether they are partitioned. */
async function kinds(): Promise<Record<string, number>> {
  const found = await run<{ kind: string; tables: number }>(
    db.ownerUrl,
    `select relkind::text as kind, count(*)::int as tables from pg_class c join pg_policy p on p.polrelid = c.oid
      where p.polname = 'own_organization' group by 1`,
  )
  return Object.fromEntries(found.map(({ kind, tables }) => [kind, tables]))
}

/** What partitioned tables say otherwise in the catalog, and what only their parts have. */
const comparable = (schema: string) =>
  schema.replaceAll(' ON ONLY public.', ' ON public.').replaceAll(/^-- {3}(?:unlogged|with \(.*\))\n/gm, '')

describe('a filled database', () => {
  beforeEach(copyFilled)

  it('has the same rows, keys, indexes, triggers and walls when it is partitioned', async () => {
    const before = { rows: await printed(), schema: comparable(await describeSchema(db.ownerUrl)) }
    const plain = (await kinds())['r']
    expect(plain).toBeGreaterThan(40)
    expect(await partition('--parts=3')).toMatchObject({
      code: 0,
      error: '',
      out: expect.stringContaining(`${plain} tables are divided by organization into 3 parts.`),
    })
    expect(await kinds()).toEqual({ p: plain })
    expect(await printed()).toEqual(before.rows)
    expect(comparable(await describeSchema(db.ownerUrl))).toBe(before.schema)
    expect(
      await run(
        db.ownerUrl,
        `select count(*)::int as parts from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where c.relkind = 'r' and c.relnamespace = 'partitions'::regnamespace`,
      ),
    ).toEqual([{ parts: 3 * (plain ?? 0) }])
    expect(await partition()).toMatchObject({
      code: 0,
      out: 'Every table of organizations is partitioned already.\n',
    })
    expect(await partition('--parts=1')).toMatchObject({
      code: 2,
      error: 'Tributary cannot partition: setting --parts must be a whole number from 2 to 256, and is 1\n',
    })
  })

  it('lets each organization see its own rows only, also in the parts', async () => {
    await partitionTables(db.databaseUrl, { parts: 2 })
    const url = await applicationUrl(db.databaseUrl)
    expect(await run(url, 'select 1 from customers')).toEqual([])
    const [own] = await run<{ organization_id: number; rows: number }>(
      db.ownerUrl,
      'select organization_id, count(*)::int as rows from customers group by 1 limit 1',
    )
    await as(url, async (client) => {
      await client.query(`select set_config('app.organization_id', $1::text, false)`, [own?.organization_id])
      const { rows } = await client.query('select count(*)::int as rows from customers')
      expect(rows).toEqual([{ rows: own?.rows }])
    })
    await expect(run(url, 'select 1 from partitions.customers_0')).rejects.toThrow(
      /permission denied for schema/,
    )
  })

  it('is backed up whole, and restored into plain tables', async () => {
    await partitionTables(db.databaseUrl, { parts: 2 })
    const folder = mkdtempSync(join(tmpdir(), 'tributary-partitioned-'))
    const other = await newEmptyDatabase()
    try {
      const file = join(folder, 'whole.backup')
      expect(await tributary(['backup', file], { DATABASE_URL: db.databaseUrl })).toMatchObject({ code: 0 })
      expect(await tributary(['restore', file], { DATABASE_URL: other.databaseUrl })).toMatchObject({
        code: 0,
      })
      const notRestored = ['outbound_hold', 'last_backup', 'session', 'verification']
      const tables = (await tablesNow()).filter(({ name }) => !notRestored.includes(name))
      expect(await printRows(other.ownerUrl, tables)).toEqual(await printRows(db.ownerUrl, tables))
    } finally {
      await other.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('shuts only itself while it is the copy of another, which goes on', async () => {
    const copy = `${new URL(db.databaseUrl).pathname.slice(1)}_copy`
    await run(
      inject('clusterUrl'),
      `create database ${copy} template ${new URL(db.databaseUrl).pathname.slice(1)}`,
    )
    try {
      const url = new URL(db.databaseUrl)
      url.pathname = `/${copy}`
      await run(inject('clusterUrl'), `alter database ${copy} owner to ${url.username}`)
      await partitionTables(url.href, { parts: 2 })
      expect(await run(await applicationUrl(db.databaseUrl), 'select 1 as one')).toEqual([{ one: 1 }])
      expect(await run(await applicationUrl(url.href), 'select 1 as one')).toEqual([{ one: 1 }])
    } finally {
      await dropDatabase(inject('clusterUrl'), copy)
      await run(inject('clusterUrl'), `drop role if exists tributary_app_${copy}`)
    }
  })

  it('goes on numbering where it was', async () => {
    const next = `insert into audit_log (organization_id, action) select min(id), 'signed_in' from organization returning id`
    const before = await run<{ id: string }>(db.ownerUrl, next)
    await partitionTables(db.databaseUrl, { parts: 2 })
    const after = await run<{ id: string }>(db.ownerUrl, next)
    expect(Number(after[0]?.id)).toBe(Number(before[0]?.id) + 1)
  })

  it('stays as it is while something is connected, which is named', async () => {
    const url = new URL(await applicationUrl(db.databaseUrl))
    url.searchParams.set('application_name', 'tributary worker')
    await as(url.href, async () => {
      expect(await partition()).toMatchObject({
        code: 1,
        error:
          'Tributary cannot partition: Others are connected to the database: tributary worker (1). Stop every server ' +
          'and worker, and close every other session.\n',
      })
    })
    expect(Object.keys(await kinds())).toEqual(['r'])
    expect(await run(url.href, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

it.each(['1', '8.5', 'many', '257'])('a table is not divided into %s parts', (parts) => {
  expect(() => readParts(parts)).toThrow(`--parts must be a whole number from 2 to 256, and is ${parts}`)
})

describe('a partitioning that dies', () => {
  beforeEach(copyFilled)
  const dieAfter = (steps: number) => {
    let left = steps
    return () => {
      left -= 1
      if (left === 0) throw new Error('died')
    }
  }

  it('lets nothing start, goes on where it was, and loses no row', async () => {
    const before = await printed()
    for (const steps of [1, 2, 30, 45]) {
      const tell = dieAfter(steps)
      await expect(partitionTables(db.databaseUrl, { parts: 2, pagesAtOnce: 1, tell })).rejects.toThrow(
        'died',
      )
      await expect(migrate(db.databaseUrl)).rejects.toThrow(/Run `tributary partition` to its end/)
      await expect(applicationUrl(db.databaseUrl)).rejects.toThrow(/Run `tributary partition` to its end/)
    }
    expect(await partition()).toMatchObject({ code: 0 })
    expect(Object.keys(await kinds())).toEqual(['p'])
    expect(await printed()).toEqual(before)
    expect(await run(await applicationUrl(db.databaseUrl), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('can be taken back, and the tables are as before', async () => {
    const before = { rows: await printed(), schema: await describeSchema(db.ownerUrl) }
    const tell = dieAfter(20)
    await expect(partitionTables(db.databaseUrl, { parts: 2, tell })).rejects.toThrow('died')
    expect(await partition('--undo')).toMatchObject({
      code: 0,
      out: 'The partitioning was taken back; all tables are as they were before it.\n',
    })
    expect({ rows: await printed(), schema: await describeSchema(db.ownerUrl) }).toEqual(before)
    expect(await run(await applicationUrl(db.databaseUrl), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await partition('--undo')).toMatchObject({ code: 0, out: 'No partitioning was begun.\n' })
  })

  it('says so when a row was written meanwhile', async () => {
    const tell = dieAfter(30)
    await expect(partitionTables(db.databaseUrl, { parts: 2, tell })).rejects.toThrow('died')
    await run(
      db.ownerUrl,
      `insert into audit_log (organization_id, action) select min(id), 'signed_in' from organization`,
    )
    expect(await partition()).toMatchObject({
      code: 1,
      error: expect.stringMatching(/somebody wrote meanwhile.*--undo\n$/),
    })
  })
})

it('a database that was partitioned at the first release is migrated like any other', async () => {
  await open()
  await fillFirstRelease(db)
  await as(db.databaseUrl, async (owner) => {
    await allowBackupByOwner(owner)
    await grantApplicationRole(owner)
  })
  await partitionTables(db.databaseUrl, { parts: 2 })
  expect(await migrate(db.databaseUrl)).toEqual((await listMigrationNames()).slice(1))
})
