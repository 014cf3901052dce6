import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { inOrganization } from '../postgres/database.ts'
import { forgetLeftPortals, forgetOverdue, forgetRunDetails, gatherOldRuns } from './retention.ts'

let db: TestDatabase
const one = 1
const now = new Date('2026-11-20T12:00:00Z')
const daysLater = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000)

beforeAll(async () => {
  db = await newDatabase()
  await query(
    db.ownerUrl,
    `insert into "organization" (name, slug, "createdAt") values ('A', 'a', now());
     insert into "user" (name, email, "emailVerified") values ('P', 'p@a.example', true)`,
  )
})
afterAll(() => db.close())

/** Runs as the owner, which must name the organization. */
const inOne = (text: string) =>
  query(db.ownerUrl, `begin; select set_config('app.organization_id', '1', true); ${text}; commit`)

async function kept(table: string): Promise<number> {
  const [row] = await query<{ count: number }>(db.ownerUrl, `select count(*)::int as count from ${table}`)
  return row?.count ?? -1
}

describe('what is kept how long', () => {
  it('is said of every table in docs/operations.md', async () => {
    const text = readFileSync('docs/operations.md', 'utf8')
    const section = /## What is kept how long\n([\s\S]*?)\n## /.exec(text)?.[1] ?? ''
    const rows = section.split('\n').filter((line) => line.startsWith('| `'))
    const said = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    const tables = await query<{ name: string }>(
      db.ownerUrl,
      `select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    expect(said.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
    expect(new Set(said).size).toBe(said.length)
  })

  it('is kept of invitations, sessions, links and mails', async () => {
    await query(
      db.ownerUrl,
      `insert into invitation ("organizationId", email, role, status, "expiresAt", "createdAt", "inviterId", token)
         select 1, age || '@b.example', 'member', 'accepted', now() - age * interval '1 day',
                now() - (age + 2) * interval '1 day', 1, 'token ' || age from unnest(array[89, 91]) as age;
       insert into session ("userId", token, "expiresAt", "updatedAt")
         values (1, 'over', now() - interval '1 second', now()), (1, 'open', now() + interval '1 hour', now());
       insert into verification (identifier, value, "expiresAt")
         values ('over', '1', now() - interval '1 second'), ('open', '1', now() + interval '1 hour');
       insert into outbox (recipient, subject, body, created_at)
         values ('a', 'over', '', now() - interval '49 hours'), ('a', 'waits', '', now() - interval '47 hours')`,
    )
    await forgetOverdue(db.database)
    const left = await query(
      db.ownerUrl,
      `select email as kept from invitation union all select token from session
       union all select identifier from verification union all select subject from outbox order by 1`,
    )
    expect(left.map((row) => row['kept'])).toEqual(['89@b.example', 'open', 'open', 'waits'])
  })

  it('is kept of the details of runs, which themselves stay', async () => {
    await inOne(
      `insert into runs (organization_id, id, kind, status, completed_at) values
         (1, 'old', 'import', 'failed', '2025-10-16T11:00:00Z'), (1, 'new', 'import', 'failed', '2025-10-17T11:00:00Z');
       insert into run_errors (organization_id, run_id, message, created_at) select 1, id, id, completed_at from runs;
       insert into run_logs (organization_id, run_id, line, created_at) select 1, id, id, completed_at from runs;
       insert into import_plans select 1, id, 'first', true, true, null, null, false from runs;
       insert into import_windows (organization_id, run_id, id, kind) select 1, id, 'one', 'invoices' from runs;
       insert into import_objects (organization_id, run_id, kind, id) select 1, id, 'invoices', 'one' from runs;
       insert into run_records select 1, id, 'event', 'one', 'sub_1', 'added' from runs`,
    )
    await inOrganization(db.database, one, (tenant) => forgetRunDetails(tenant, now))
    const details = [
      'run_errors',
      'run_logs',
      'run_records',
      'import_plans',
      'import_windows',
      'import_objects',
    ]
    for (const table of details) {
      expect([table, await query(db.ownerUrl, `select run_id from ${table}`)]).toEqual([
        table,
        [{ run_id: 'new' }],
      ])
    }
    expect(await kept('runs')).toBe(2)
  })

  it('is kept for 30 days of the details of runs without changes, and not of others', async () => {
    await inOne(
      `delete from runs where organization_id = 1;
       insert into runs (organization_id, id, kind, status, completed_at, processed_records, failed_records, options)
         select 1, name || age, kind, status, timestamptz '2026-11-20T12:00:00Z' - age * interval '1 day',
                processed, failed, options::jsonb
           from (values ('idle', 'push', 'completed', 0, 0, '{}'),
                        ('night', 'import', 'completed', 9, 0, '{"mode": "historical", "isScheduled": true}'),
                        ('asked', 'import', 'completed', 9, 0, '{"mode": "historical", "isScheduled": false}'),
                        ('wrote', 'push', 'completed', 1, 0, '{}'),
                        ('errors', 'push', 'completed', 0, 1, '{}'),
                        ('failed', 'push', 'failed', 0, 0, '{}')) as r (name, kind, status, processed, failed, options),
                unnest(array[29, 31]) as age;
       insert into run_errors (organization_id, run_id, message, created_at) select 1, id, id, completed_at from runs;
       insert into run_logs (organization_id, run_id, line, created_at) select 1, id, id, completed_at from runs`,
    )
    await inOrganization(db.database, one, (tenant) => forgetRunDetails(tenant, now))
    for (const table of ['run_errors', 'run_logs']) {
      const left = await query<{ run_id: string }>(db.ownerUrl, `select run_id from ${table}`)
      const gone = ['idle31', 'night31']
      const all = ['idle', 'night', 'asked', 'wrote', 'errors', 'failed'].flatMap((name) => [
        `${name}29`,
        `${name}31`,
      ])
      expect(left.map(({ run_id }) => run_id).sort()).toEqual(all.filter((id) => !gone.includes(id)).sort())
    }
    expect(await kept('runs')).toBe(12)
  })

  it('is kept of the runs of a day after 400 days: one line of each kind, with what they come to', async () => {
    const lines = () =>
      query(
        db.ownerUrl,
        `select id, processed_records as processed, failed_records as failed, message from runs order by created_at, id`,
      )
    await inOne(
      `delete from runs where organization_id = 1;
       insert into runs (organization_id, id, kind, status, created_at, completed_at, processed_records, failed_records)
         select 1, id, kind, status, at::timestamptz, at::timestamptz, processed, failed
           from (values ('p1', 'push', 'completed', '2025-10-01T03:00:00Z', 2, 0),
                        ('p2', 'push', 'failed', '2025-10-01T23:59:00Z', 0, 1),
                        ('i1', 'import', 'completed', '2025-10-01T04:00:00Z', 5, 0),
                        ('p3', 'push', 'completed', '2025-10-02T00:00:00Z', 1, 0),
                        ('p4', 'push', 'completed', '2025-10-16T01:00:00Z', 1, 0),
                        ('p5', 'push', 'completed', '2025-10-16T02:00:00Z', 1, 0),
                        ('p6', 'push', 'failed', '2026-11-19T02:00:00Z', 0, 0),
                        ('p7', 'push', 'completed', '2026-11-19T03:00:00Z', 1, 0),
                        ('i2', 'import', 'completed', '2026-11-19T03:00:00Z', 1, 0))
                as r (id, kind, status, at, processed, failed);
       update runs set failed_phase = 'events', failed_request = '{"id": "req_1"}' where status = 'failed'`,
    )
    const gather = (days: number) =>
      inOrganization(db.database, one, (tenant) => gatherOldRuns(tenant, daysLater(days)))
    await gather(0)
    const first = await lines()
    expect(first.map((row) => row['id'])).toEqual(['i1', 'p2', 'p3', 'p4', 'p5', 'p6', 'i2', 'p7'])
    expect(first[1]).toMatchObject({ processed: 2, failed: 1, message: '2 runs of this day, 1 failed.' })
    expect(first[2]).toMatchObject({ processed: 1, message: '' })
    // The request of one run says nothing of its day.
    const requests = `select id from runs where failed_request is not null or failed_phase is not null`
    expect(await query(db.ownerUrl, requests)).toEqual([{ id: 'p6' }])
    // The same again, and nothing is counted twice.
    await gather(0)
    expect(await lines()).toEqual(first)
    await gather(1)
    expect((await lines()).map((row) => row['id'])).toEqual(['i1', 'p2', 'p3', 'p5', 'p6', 'i2', 'p7'])
    await gather(5 * 366)
    // The newest of each kind and status stays.
    expect((await lines()).map((row) => row['id'])).toEqual(['p6', 'i2', 'p7'])
  })

  it('is kept of a day whose last run was long the newest of its status', async () => {
    await inOne(
      `delete from runs where organization_id = 1;
       insert into runs (organization_id, id, kind, status, created_at, completed_at)
         select 1, 'c' || hour, 'push', case hour when 7 then 'failed' else 'completed' end, at, at
           from generate_series(1, 9) as hour, lateral (select timestamptz '2025-09-01Z' + hour * interval '1 hour' as at) t`,
    )
    const texts = async () =>
      (await query(db.ownerUrl, 'select id, message from runs order by created_at')).map(
        (row) => `${row['id']} ${row['message']}`,
      )
    await inOrganization(db.database, one, (tenant) => gatherOldRuns(tenant, now))
    expect(await texts()).toEqual(['c7 ', 'c8 7 runs of this day.', 'c9 '])
    await inOne(
      `insert into runs (organization_id, id, kind, status, created_at, completed_at)
         select 1, 'new ' || status, 'push', status, '2026-11-01Z', '2026-11-01Z' from unnest(array['failed', 'completed']) status`,
    )
    await inOrganization(db.database, one, (tenant) => gatherOldRuns(tenant, now))
    expect((await texts())[0]).toBe('c9 9 runs of this day, 1 failed.')
  })

  it('is kept of a portal that was left: its index for 30 days, and what open matches quote of it', async () => {
    await inOne(
      `insert into customers (organization_id, id, created_at, is_deleted) values (1, 'cus', now(), false);
       insert into matches (organization_id, customer_id, portal_id, state, evidence, candidates)
         select 1, 'cus', portal, 'pending', 'several', '[{"recordId": "1", "name": "Harbour"}]'
           from unnest(array['left', 'connected']) as portal;
       insert into crm_companies (organization_id, portal_id, record_id, listed_at)
         values (1, 'left', '1', now()), (1, 'connected', '1', now());
       insert into crm_contacts (organization_id, portal_id, record_id, listed_at) values (1, 'left', '2', now());
       insert into crm_listings (organization_id, portal_id, listed_at, read_until) values (1, 'left', now(), now());
       insert into connections (organization_id, provider, account_id, sealed_secret) values (1, 'crm', 'connected', 'x')`,
    )
    const look = (days: number) =>
      inOrganization(db.database, one, (tenant) => forgetLeftPortals(tenant, daysLater(days)))
    const quoted = async () =>
      (
        await query(db.ownerUrl, `select portal_id from matches where candidates <> '[]' order by portal_id`)
      ).map((row) => row['portal_id'])
    await look(0)
    await look(29)
    expect([await kept('crm_companies'), await kept('crm_contacts'), await quoted()]).toEqual([
      2,
      1,
      ['connected', 'left'],
    ])
    await look(30)
    expect(await query(db.ownerUrl, 'select portal_id from crm_companies')).toEqual([
      { portal_id: 'connected' },
    ])
    expect(await quoted()).toEqual(['connected'])
    expect(await kept('matches')).toBe(2)
    expect([await kept('crm_contacts'), await kept('crm_listings'), await kept('crm_departures')]).toEqual([
      0, 0, 0,
    ])
  })

  it('begins anew for a portal that came back in between', async () => {
    const look = (days: number) =>
      inOrganization(db.database, one, (tenant) => forgetLeftPortals(tenant, daysLater(days)))
    await inOne(`delete from connections where organization_id = 1`)
    await look(31)
    await inOne(
      `insert into connections (organization_id, provider, account_id, sealed_secret) values (1, 'crm', 'connected', 'x')`,
    )
    await look(40)
    await inOne(`delete from connections where organization_id = 1`)
    await look(62)
    expect(await kept('crm_companies')).toBe(1)
    await look(92)
    expect(await kept('crm_companies')).toBe(0)
  })
})
