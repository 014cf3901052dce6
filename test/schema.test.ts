import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeSchema } from '../tools/describe-schema.ts'
import { generateTables } from '../tools/schema.ts'
import { newDatabase, run, type TestDatabase } from './database.ts'

/** Tables that belong to no organization, each with its reason. A new exception is a visible line here. */
const ofNoOrganization = new Set([
  'migrations', // what was applied
  'user', // a person may be in several organizations
  'session',
  'account',
  'verification',
  'twoFactor', // a person's, in whichever organizations
  'former_addresses', // a person's, in whichever organizations
  'sign_ups', // of people who have no account yet
  'attempt_budgets', // spent by people before anyone knows who they are
  'organization', // the tenants themselves
  'member',
  'invitation',
  'domain_claims', // unique over all organizations
  'webhook_addresses', // found before the organization is known, by a token that cannot be guessed
  'paces', // a budget is a provider account's, whichever organizations are connected to it
  'deletions', // what is gone with its rows
  'outbox', // mail of the simulated mode
  'application_role', // the installation's own
  'outbound_hold',
  'last_backup',
  'reference_rates', // the same for everybody
  'rate_readings',
])

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

describe('the schema', () => {
  it('is what db/schema.sql says (npm run schema writes it)', async () => {
    expect(readFileSync('db/schema.sql', 'utf8')).toBe(await describeSchema(db.databaseUrl))
  })

  it('is what the row types say (npm run schema writes them)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-tables-'))
    const generated = generateTables(db.databaseUrl, join(folder, 'tables.ts'))
    rmSync(folder, { recursive: true })
    expect(readFileSync('src/server/store/postgres/tables.ts', 'utf8')).toBe(generated)
  })

  it('tells of every trigger: without it the text is another one', async () => {
    const spoiled = await newDatabase()
    try {
      const whole = await describeSchema(spoiled.databaseUrl)
      const triggers = await run<{ name: string; table: string; definition: string }>(
        spoiled.ownerUrl,
        `select tgname as name, tgrelid::regclass::text as table, pg_get_triggerdef(oid) as definition
           from pg_trigger where not tgisinternal`,
      )
      expect(triggers.length).toBeGreaterThan(5)
      for (const { name, table, definition } of triggers) {
        await run(spoiled.ownerUrl, `drop trigger ${name} on ${table}`)
        expect(whole).toContain(`--   ${definition}\n`)
        expect(await describeSchema(spoiled.databaseUrl)).not.toContain(definition)
        await run(spoiled.ownerUrl, definition)
      }
      expect(await describeSchema(spoiled.databaseUrl)).toBe(whole)
      await run(spoiled.ownerUrl, 'alter table customers alter column search_text drop expression')
      expect(await describeSchema(spoiled.databaseUrl)).not.toBe(whole)
    } finally {
      await spoiled.close()
    }
  })

  it('has no gap in the numbers of its migrations', async () => {
    const rows = await run<{ name: string }>(db.ownerUrl, 'select name from migrations order by name')
    expect(rows.map(({ name }) => Number(name.slice(0, 4)))).toEqual(rows.map((_, index) => index + 1))
  })
})

describe('every tenant table', () => {
  it('has organization_id first in its key, forced row-level security and a policy that reads and writes', async () => {
    const tables = await run<{ name: string; first: string | null; forced: boolean; policies: number }>(
      db.ownerUrl,
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
              (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
                where i.indrelid = c.oid and i.indisprimary) as first,
              (select count(*)::int from pg_policies p where p.tablename = c.relname and p.cmd = 'ALL'
                  and p.qual like '%current_organization()%' and p.with_check like '%current_organization()%') as policies
         from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        where c.relkind in ('r', 'p') order by 1`,
    )
    const tenant = tables.filter(({ name }) => !ofNoOrganization.has(name))
    expect(tenant.length).toBeGreaterThan(15)
    expect(tenant.filter(({ first }) => first !== 'organization_id')).toEqual([])
    expect(tenant.filter(({ forced }) => !forced)).toEqual([])
    expect(tenant.filter(({ policies }) => policies !== 1)).toEqual([])
  })
})

describe('the application role', () => {
  it('is no superuser, owner or bypasser', async () => {
    const [role] = await run(
      db.url,
      `select rolname, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole,
              (select count(*)::int from pg_class c where c.relowner = r.oid) as owned,
              (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships
         from pg_roles r where rolname = current_user`,
    )
    expect(role).toEqual({
      rolname: 'tributary_app_tributary_template',
      rolsuper: false,
      rolbypassrls: false,
      rolcreatedb: false,
      rolcreaterole: false,
      owned: 0,
      memberships: 0,
    })
  })

  it('sees and writes nothing of tenants outside an organization', async () => {
    await run(db.ownerUrl, `insert into "organization" (name, slug, "createdAt") values ('A', 'a', now())`)
    await run(
      db.ownerUrl,
      `begin; select set_config('app.organization_id', '1', true);
       insert into runs (organization_id, id, kind) values (1, 'secret', 'import'); commit`,
    )
    expect(await run(db.url, 'select * from runs')).toEqual([])
    await expect(
      run(db.url, `insert into runs (organization_id, id, kind) values (1, 'forged', 'import')`),
    ).rejects.toThrow(/row-level security/)
  })
})
