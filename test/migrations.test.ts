import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run, type TestDatabase } from './database.ts'

const folder = 'db/migrations'
const names = readdirSync(folder).sort()
/** What 0037 does again, as it has to be done. */
const mended = new Set(['0014_crm_care.sql', '0035_read_index_anew.sql'])

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** Tables that are written to by statements of the migration itself, not by bodies between `$$`. */
function writtenAtOnce(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, '').replaceAll(/\$\$[\s\S]*?\$\$/g, '')
  const found = statements.matchAll(/^\s*(?:update|delete from|insert into)\s+"?(\w+)"?/gim)
  return [...found].map(([, table = '']) => table)
}

describe('a migration', () => {
  it('that writes to a table of organizations names each in turn, or an owner without power would write nothing', async () => {
    const forced = await run<{ name: string }>(
      db.ownerUrl,
      'select relname::text as name from pg_class where relforcerowsecurity',
    )
    const tenant = new Set(forced.map(({ name }) => name))
    const blind = names
      .filter((name) => !mended.has(name))
      .flatMap((name) => writtenAtOnce(readFileSync(join(folder, name), 'utf8')))
      .filter((table) => tenant.has(table))
    expect(blind).toEqual([])
    expect([...mended].flatMap((name) => writtenAtOnce(readFileSync(join(folder, name), 'utf8')))).toEqual([
      'crm_links',
      'crm_listings',
    ])
  })

  it('0037 does for each organization what 0014 and 0035 did for none', async () => {
    const organizations = await run<{ id: number }>(
      db.ownerUrl,
      `insert into "organization" (name, slug, "createdAt") values ('A', 'a', now()), ('B', 'b', now()) returning id`,
    )
    for (const { id } of organizations) {
      await run(
        db.ownerUrl,
        `insert into events (organization_id, id, subscription_id, occurred_at, position, mrr_status, change_type,
             previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity, current_quantity, currency)
         values (${id}, 'ev', 'sub_${id}', now(), 1, 'new', 'new', 0, 5, 5, 0, 1, 'usd')`,
      )
      await run(
        db.ownerUrl,
        `insert into crm_links (organization_id, portal_id, kind, source_id) values (${id}, '1', 'event', 'ev')`,
      )
    }
    const mend = /do \$\$(?:(?!\$\$)[\s\S])*crm_links[\s\S]*?\$\$;/.exec(
      readFileSync(join(folder, '0037_installation.sql'), 'utf8'),
    )
    await run(db.databaseUrl, mend?.[0] ?? '')
    expect(
      await run(db.ownerUrl, 'select organization_id as id, subscription_id from crm_links order by 1'),
    ).toEqual(organizations.map(({ id }) => ({ id, subscription_id: `sub_${id}` })))
  })
})
