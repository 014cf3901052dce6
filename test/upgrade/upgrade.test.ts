import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { asOwner } from '#server/store/installation/as-owner.ts'
import { takeBackup } from '#server/store/installation/backup.ts'
import { applyMigrations, listMigrationNames, migrate } from '#server/store/installation/migrate.ts'
import { inOrganization, openDatabase } from '#server/store/postgres/database.ts'
import { recountMovements } from '#server/store/totals/movement-totals.ts'
import { newEmptyDatabase, run } from '../database.ts'
import { movementFaults } from '../store/kept-movements.ts'
import { listTotalFaults } from '../store/kept-totals.ts'
import { unsentFaults } from '../store/kept-unsent.ts'
import { listTables, printRows, type Table } from './rows.ts'

/** Released migrations, each with a hash of its text: a released one never changes; changes need a new one. */
const released = { '0001_schema.sql': '25161532b3b72d445550efc01e856b7010fe0102ecfe58d66f1afd8883ff4ff2' }
/** The migrations by which version 0.1 reached the same schema. */
const ofVersion01 = readFileSync(join(import.meta.dirname, 'version-0.1.txt'), 'utf8')
  .trim()
  .split('\n')
const rows = readFileSync(join(import.meta.dirname, '0001-rows.sql'), 'utf8')

/**
 * Their rows are elsewhere now, or other ones: those of an open import and the totals of lists, which tests of their own
 * follow, and the texts of searches.
 */
const movedTables = [
  'run_slices',
  'event_counts',
  'subscription_totals',
  'match_counts',
  'attached_totals',
  'customer_text_grams',
  'customer_texts',
]
/** One said which rows a search could pass over; the other was in dollars, and is in the reporting currency now. */
const goneColumns = /, (?:is_packed|usd_mrr_cents)\b/g

let db: Awaited<ReturnType<typeof newEmptyDatabase>>
let tables: Table[]
let before: Record<string, unknown>
/** A database as a release left it, with an imported and pushed account. */
beforeEach(async () => {
  db = await newEmptyDatabase()
  await asOwner(db.databaseUrl, 'test', (owner) => applyMigrations(owner, ['0001_schema.sql']))
  await asOwner(db.ownerUrl, 'test', async (superuser) => {
    await superuser.query('set session_replication_role = replica')
    await superuser.query(rows)
    tables = (await listTables(superuser))
      .filter(({ name }) => !movedTables.includes(name))
      .map(({ name, columns }) => ({ name, columns: columns.replace(goneColumns, '') }))
  })
  before = await printRows(db.ownerUrl, tables)
})
afterEach(() => db.close())

const names = async () =>
  (await run<{ name: string }>(db.ownerUrl, 'select name from migrations order by 1')).map(({ name }) => name)
const somebodyWaits = async () => {
  const waiting = `select from pg_locks join pg_database d on d.oid = database and datname = current_database()
                    where not granted and locktype = 'advisory'`
  return (await run(db.ownerUrl, waiting)).length > 0
}
const isVersion01 = (applied: string[]) =>
  run(
    db.ownerUrl,
    `with gone as (delete from migrations) insert into migrations (name) select unnest($1::text[])`,
    [applied],
  )

describe('a filled database of an earlier release', () => {
  it('has rows in most tables', () => {
    const filled = Object.values(before).filter((print) => Object(print).rows > 0)
    expect(filled.length).toBeGreaterThan(30)
  })

  it('loses no row when it is brought up to date, however short queries are to be, nor does a backup of that time', async () => {
    const url = new URL(db.databaseUrl)
    url.searchParams.set('options', '-c statement_timeout=50 -c lock_timeout=50')
    let migrating: Promise<void> | undefined
    let isMigrated = false
    const copied = await takeBackup(db.ownerUrl, async () => {
      if (migrating !== undefined) return
      migrating = migrate(url.href).then(() => {
        isMigrated = true
      })
      while (!isMigrated && !(await somebodyWaits())) await setTimeout(20)
    })
    await migrating
    for (const [name, print] of Object.entries(before)) expect(copied[name], name).toBe(Object(print).rows)
    expect(await names()).toEqual(await listMigrationNames())
    expect(await printRows(db.ownerUrl, tables)).toEqual(before)
  })

  it('has the texts of all customers for searches', async () => {
    await migrate(db.databaseUrl)
    const missing = await run(
      db.ownerUrl,
      `select id from customers c where not exists (
         select from customer_texts t where t.organization_id = c.organization_id and c.id = any(t.ids)
            and strpos(chr(30) || t.texts || chr(30), chr(30) || translate(folded(c.name), chr(30), ' ') || chr(10)) > 0)`,
    )
    expect(missing).toEqual([])
  })

  it('keeps the totals of its lists', async () => {
    await migrate(db.databaseUrl)
    const kept = await run<{ list: string }>(db.ownerUrl, 'select distinct list from list_totals order by 1')
    expect(kept.map(({ list }) => list)).toEqual(['customers', 'events', 'matches', 'subscriptions'])
    expect(await listTotalFaults(db.ownerUrl)).toEqual([])
  })

  it('keeps what has no record in the portal that it pushed to', async () => {
    const earlier = (await listMigrationNames()).filter((name) => name < '0022')
    await asOwner(db.databaseUrl, 'test', (owner) => applyMigrations(owner, earlier))
    await run(
      db.ownerUrl,
      `insert into push_marks (organization_id, portal_id, basis)
       select organization_id, min(portal_id), '' from crm_links group by organization_id;
       delete from crm_links where source_id in (select source_id from crm_links order by 1 limit 3)`,
    )
    await migrate(db.databaseUrl)
    expect(await unsentFaults(db.ownerUrl)).toEqual([])
    expect((await run(db.ownerUrl, 'select from crm_unsent')).length).toBeGreaterThan(0)
  })

  const recountAll = async () => {
    const database = openDatabase({
      url: await applicationUrl(db.databaseUrl),
      poolSize: 1,
      statementTimeoutMs: 30_000,
      onError: () => {},
    })
    for (const { id } of await run<{ id: number }>(db.ownerUrl, 'select id from organization'))
      await inOrganization(database, id, recountMovements)
    await database.destroy()
  }

  it('counts the movements of segments and the losses of customers where movements were counted before', async () => {
    await migrate(db.databaseUrl)
    await recountAll()
    await run(
      db.ownerUrl,
      `delete from movement_totals where dimension in ('segment', 'lost');
       alter table movement_totals drop column subscription_count;
       delete from migrations where name similar to '(0026|0040)%'`,
    )
    expect(await migrate(db.databaseUrl)).toHaveLength(2)
    expect(await movementFaults(db.ownerUrl)).toEqual([])
    for (const dimension of ['segment', 'lost']) {
      const kept = await run(db.ownerUrl, 'select from movement_totals where dimension = $1', [dimension])
      expect(kept.length).toBeGreaterThan(0)
    }
  })

  it('takes events without a customer out of the cohort in which they were counted', async () => {
    await migrate(db.databaseUrl)
    await run(
      db.ownerUrl,
      `update events set customer_id = null where customer_id = (select min(customer_id) from events where mrr_change_cents > 0)`,
    )
    await recountAll()
    const withoutCohort = `dimension = 'cohort' and value = ''`
    const apart = await run(db.ownerUrl, `select from movement_totals where ${withoutCohort}`)
    expect(apart.length).toBeGreaterThan(0)
    await run(
      db.ownerUrl,
      `update movement_totals set value = (select to_char(min(occurred_at) at time zone 'UTC', 'YYYY-MM') from events
         where customer_id is null and mrr_change_cents > 0) where ${withoutCohort};
       delete from migrations where name like '0047%'`,
    )
    expect(await movementFaults(db.ownerUrl)).not.toEqual([])
    expect(await migrate(db.databaseUrl)).toHaveLength(1)
    expect(await movementFaults(db.ownerUrl)).toEqual([])
  })

  it('goes on from the last migration of version 0.1, which made the same schema', async () => {
    await isVersion01(ofVersion01)
    await migrate(db.databaseUrl)
    expect(await names()).toEqual(await listMigrationNames())
    expect(await migrate(db.databaseUrl)).toEqual([])
    expect(await printRows(db.ownerUrl, tables)).toEqual(before)
  })

  it('that never came to the end of version 0.1 is told which version to start first, and left as it was', async () => {
    const early = ofVersion01.slice(0, -1)
    await isVersion01(early)
    await expect(migrate(db.databaseUrl)).rejects.toThrow(/^[^\n]*Start version 0\.1\.0 on it once[^\n]*$/)
    expect(await names()).toEqual(early)
    expect(await printRows(db.ownerUrl, tables)).toEqual(before)
  })
})

describe('a released migration', () => {
  it('is as it was when it was released', () => {
    for (const [name, hash] of Object.entries(released))
      expect(
        createHash('sha256')
          .update(readFileSync(join('db/migrations', name)))
          .digest('hex'),
        name,
      ).toBe(hash)
  })
})
