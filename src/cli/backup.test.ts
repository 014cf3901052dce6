import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runWorks } from '#server/jobs/run-works.ts'
import { workOnRun } from '#server/jobs/work-on-run.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { migrate } from '#server/store/installation/migrate.ts'
import { openDatabase } from '#server/store/postgres/database.ts'
import type { RunKind } from '#server/store/runs/runs.ts'
import { startImport } from '#server/work/import/start-import.ts'
import { startPush } from '#server/work/push/start-push.ts'
import { tributary } from '#test/cli/run-command.ts'
import { newEmptyDatabase, run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { keptRow, keptTables } from '#test/kept-rows.ts'

let world: TestWorld
let people: Person[]
let restored: Awaited<ReturnType<typeof newEmptyDatabase>>
let told: string
const folder = mkdtempSync(join(tmpdir(), 'tributary-backup-'))
const file = join(folder, 'whole.backup')

beforeAll(async () => {
  world = await newWorld()
  people = [await world.person(), await world.person()]
  for (const person of people) {
    await person.connectStripe()
    await person.connectHubspot()
    await world.drain()
    await person.post('/api/import/historical')
    await world.drain()
    await person.post('/api/sync/push-all')
    await world.drain()
  }
  const [first] = people
  await run(
    world.ownerUrl,
    `insert into runs (organization_id, id, kind) values (${first?.organizationId}, 'open', 'import')`,
  )
  expect(await tributary(['backup', file], { DATABASE_URL: world.databaseUrl })).toMatchObject({
    code: 0,
    error: '',
  })
  restored = await newEmptyDatabase()
  const done = await tributary(['restore', file], { DATABASE_URL: restored.databaseUrl })
  expect(done).toMatchObject({ code: 0, error: '' })
  told = done.out
}, 180_000)
afterAll(async () => {
  await restored.close()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The number of rows in each table, and a hash of them. */
async function printsOf(ownerUrl: string, leftOut: string[]): Promise<Record<string, unknown>> {
  const tables = await run<{ name: string }>(
    ownerUrl,
    `select relname::text as name from pg_class c join pg_namespace n on n.oid = relnamespace and nspname = 'public'
      where relkind in ('r', 'p') and relname <> all($1) order by 1`,
    [leftOut],
  )
  const prints = await Promise.all(
    tables.map(({ name }) =>
      run(
        ownerUrl,
        `select count(*)::int as rows, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as print from "${name}" t`,
      ),
    ),
  )
  return Object.fromEntries(tables.map(({ name }, index) => [name, prints[index]?.[0]]))
}

describe('a backup that a plain owner takes and restores', () => {
  it('gives every row of every table back', async () => {
    const own = ['application_role', 'outbound_hold', 'migrations', 'last_backup', 'session', 'verification']
    const before = await printsOf(world.ownerUrl, own)
    expect(Object.values(before).filter((print) => Object(print).rows > 0).length).toBeGreaterThan(25)
    expect(await printsOf(restored.ownerUrl, own)).toEqual(before)
    const names = 'select name from migrations order by name'
    expect(await run(restored.ownerUrl, names)).toEqual(await run(world.ownerUrl, names))
  })

  it('signs nobody in who was signed out since, and opens no link of a mail', async () => {
    for (const table of ['session', 'verification'])
      expect(await run(restored.ownerUrl, `select from ${table}`), table).toEqual([])
    expect((await run(world.ownerUrl, 'select from session')).length).toBeGreaterThan(0)
    expect(told).toContain('Everybody has to sign in again.')
  })

  it('goes on numbering where the original was', async () => {
    const text = `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`
    expect(await run(restored.ownerUrl, text)).toEqual(await run(world.ownerUrl, text))
  })

  it('has its walls and triggers up again', async () => {
    expect(await run(restored.databaseUrl, 'select 1 from customers')).toEqual([])
    const disabled = `select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'`
    expect(await run(restored.ownerUrl, disabled)).toEqual([])
    const open = `select relname from pg_class c where relrowsecurity and not relforcerowsecurity`
    expect(await run(restored.ownerUrl, open)).toEqual([])
  })

  it('gives a run that was open to a worker again, and leaves calls off', async () => {
    expect(told).toContain('1 open imports and pushes wait for a worker')
    expect(told).toContain('Calls to Stripe, HubSpot and the mail server are off.')
    expect(told).toMatch(/apply the newest list of erasures: `tributary erasures apply FILE`.*\n$/)
    expect(
      await run(restored.ownerUrl, `select data ->> 'runId' as run from pgboss.job where name = 'import'`),
    ).toEqual([{ run: 'open' }])
    await run(restored.ownerUrl, `delete from runs where id = 'open'`)
    expect(await tributary(['outbound'], { DATABASE_URL: restored.databaseUrl })).toMatchObject({
      out: expect.stringMatching(/ are off since 20/),
    })
    expect((await tributary(['outbound', 'on'], { DATABASE_URL: restored.databaseUrl })).out).toMatch(
      / are on\.\n$/,
    )
  })

  it('changes nothing by the next import and push', async () => {
    const database = openDatabase({
      url: await applicationUrl(restored.databaseUrl),
      poolSize: 10,
      statementTimeoutMs: 30_000,
      onError: () => {},
    })
    const waiting: { organizationId: number; runId: string; kind: RunKind }[] = []
    const deps = {
      ...world.deps,
      database,
      enqueue: async (
        { organizationId }: { organizationId: number },
        { id, kind }: { id: string; kind: RunKind },
      ) => void waiting.push({ organizationId, runId: id, kind }),
    }
    const before = [await keptOf(restored.ownerUrl), portalsOf(world)]
    for (const { organizationId } of people) {
      await startImport(deps, organizationId, { mode: 'historical', restart: true }, { askedBy: 'owner' })
      await drain()
      await startPush(deps, organizationId)
      await drain()
    }
    expect([await keptOf(restored.ownerUrl), portalsOf(world)]).toEqual(before)
    const runs = `select kind, status from runs order by created_at desc limit 4`
    expect((await run(restored.ownerUrl, runs)).every(({ status }) => status === 'completed')).toBe(true)
    await database.destroy()

    async function drain() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { kind, ...job } = next
        const task = { kind, work: runWorks[kind], postpone: async () => {} }
        await workOnRun(deps, task, { version: 1, ...job }, new AbortController().signal)
      }
    }
  })
})

/** The rows that imports store, and their links to the CRM. */
async function keptOf(ownerUrl: string): Promise<unknown[]> {
  const rows = keptTables.map((name) => `select '${name}' as table, (${keptRow})::text as row from ${name} t`)
  rows.push(`select 'crm_links', concat_ws('|', kind, source_id, record_id) from crm_links`)
  return run(ownerUrl, `select * from (${rows.join(' union all ')}) as all_rows order by 1, 2`)
}

/** Every record of every portal. */
function portalsOf({ hubspot }: TestWorld): string {
  return JSON.stringify(
    hubspot.portals().map(({ hubId }) => {
      const view = hubspot.portal(hubId)
      const types = ['0-1', '0-2', ...view.schemas().map(({ typeId }) => typeId)]
      return types.map((type) => view.everMade(type))
    }),
  )
}

it('what lets the owner read a backup lets nobody else read anything', async () => {
  const asked = `select (select count(*)::int from customers) as seen from set_config('app.backup', 'on', false)`
  const set = (address: string) => {
    const url = new URL(address)
    url.searchParams.set('options', '-c app.backup=on')
    return url.href
  }
  expect(await run(set(world.databaseUrl), asked)).not.toEqual([{ seen: 0 }])
  expect(await run(set(world.applicationUrl), asked)).toEqual([{ seen: 0 }])
})

describe('a backup', () => {
  it('is readable by its owner alone, and is never written over', async () => {
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(await tributary(['backup', file], { DATABASE_URL: world.databaseUrl })).toEqual({
      code: 1,
      out: '',
      error: `Tributary cannot back up: ${file} is there already. Name another file.\n`,
    })
  })

  it('is whole where two are written to one file at once', async () => {
    const other = join(folder, 'other')
    // What an older version left, or somebody put there.
    writeFileSync(`${other}.partial`, '')
    chmodSync(`${other}.partial`, 0o666)
    const take = () => tributary(['backup', other], { DATABASE_URL: world.databaseUrl })
    const both = await Promise.all([take(), take()])
    expect(both.map(({ code }) => code)).toContain(0)
    for (const { code, error } of both)
      expect(error).toBe(
        code === 0 ? '' : `Tributary cannot back up: ${other} is there already. Name another file.\n`,
      )
    expect(gunzipSync(readFileSync(other)).length).toBeGreaterThan(1_000)
    expect(statSync(other).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.startsWith('other'))).toEqual(['other', 'other.partial'])
  })

  it('holds no password of the database', async () => {
    const [role] = await run<{ password: string }>(world.ownerUrl, 'select password from application_role')
    expect(gunzipSync(readFileSync(file)).includes(role?.password ?? '-')).toBe(false)
  })

  it('is not taken of a database that hides rows from whoever takes it', async () => {
    await run(world.ownerUrl, 'drop policy backup_by_owner on customers')
    const { code, error } = await tributary(['backup', join(folder, 'hidden')], {
      DATABASE_URL: world.databaseUrl,
    })
    expect([code, error]).toEqual([
      1,
      expect.stringContaining('The rows of customers are hidden from this role.'),
    ])
    expect((await tributary(['migrate'], { DATABASE_URL: world.databaseUrl })).code).toBe(0)
    expect(
      (await tributary(['backup', join(folder, 'again')], { DATABASE_URL: world.databaseUrl })).code,
    ).toBe(0)
  })

  it("is still the owner's to take after a superuser has migrated", async () => {
    await migrate(world.ownerUrl)
    const later = join(folder, 'later')
    expect(await tributary(['backup', later], { DATABASE_URL: world.databaseUrl })).toMatchObject({ code: 0 })
  })

  it('is not restored into a database that holds anything', async () => {
    expect(await tributary(['restore', file], { DATABASE_URL: restored.databaseUrl })).toMatchObject({
      code: 1,
      error: expect.stringContaining('is not empty. Create a new one'),
    })
  })

  it('that is damaged, cut off or something else is refused before anything is written', async () => {
    const whole = gunzipSync(readFileSync(file))
    const changed = Buffer.from(whole)
    const at = changed.indexOf('pat-')
    changed.write('tap-', at)
    const kinds: [Buffer, RegExp][] = [
      [gzipSync(changed), /damaged: its checksum/],
      [gzipSync(whole.subarray(0, whole.length / 2)), /not whole/],
      [readFileSync(file).subarray(0, 5_000), /cut off or no backup/],
      [Buffer.from('hello'), /broken is damaged, cut off or no backup/],
      [gzipSync('{"hello":1}\n'), /no backup of Tributary/],
      [gzipSync(String(whole).replace('0001_schema.sql', '9001_later.sql')), /checksum/],
    ]
    const empty = await newEmptyDatabase()
    for (const [content, reason] of kinds) {
      const path = join(folder, 'broken')
      writeFileSync(path, content)
      expect(await tributary(['restore', path], { DATABASE_URL: empty.databaseUrl })).toMatchObject({
        code: 1,
        error: expect.stringMatching(reason),
      })
    }
    expect(await run(empty.ownerUrl, `select tablename from pg_tables where schemaname = 'public'`)).toEqual(
      [],
    )
    await empty.close()
  })
})
