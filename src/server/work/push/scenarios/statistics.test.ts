import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { openBench, saveLedger } from '#test/push/open-bench.ts'
import {
  associationKinds,
  listMissingAssociations,
  listWantedAssociations,
} from '../../../store/crm/crm-associations.ts'
import { countSynced, listVanishedEvents } from '../../../store/crm/crm-links.ts'
import { listReplacedAssociations } from '../../../store/crm/crm-obsolete.ts'
import { listEventsToPush, listSubscriptionsToPush } from '../../../store/crm/push-sources.ts'
import { countRefused } from '../../../store/crm/refusals.ts'
import { listOpenCustomers } from '../../../store/matches/matches.ts'
import { inOrganization, type Tenant } from '../../../store/postgres/database.ts'

const tables = [
  'customers',
  'subscriptions',
  'events',
  'matches',
  'crm_companies',
  'crm_contacts',
  'crm_links',
  'crm_associations',
]
const portalId = 'p'
const count = 10_000

let db: TestDatabase
let organizationId: number
beforeAll(async () => {
  db = await newDatabase()
  // The planner's statistics describe empty tables and are not updated for the new rows.
  for (const table of tables) {
    await query(db.ownerUrl, `alter table ${table} set (autovacuum_enabled = false)`)
    await query(db.ownerUrl, `vacuum analyze ${table}`)
  }
  organizationId = await addOrganization()
  await fill()
})
afterAll(() => db.close())

async function addOrganization(): Promise<number> {
  const [row] = await query<{ id: number }>(
    db.ownerUrl,
    `insert into "organization" (name, slug, "createdAt") values ('Large', 'large', now()) returning id`,
  )
  return row?.id ?? 0
}

/** Saves customers with a subscription, an event, a company and a contact, all pushed and associated. */
async function fill(): Promise<void> {
  const each = `from generate_series(1, ${count}) as n`
  const recordOf = (kind: string) => `case ${kind} when 'event' then 'ev_' else 'sub_' end || n`
  const statements = [
    `insert into customers (organization_id, id, created_at) select $1, 'cus_' || n, now() ${each}`,
    `insert into subscriptions (organization_id, id, customer_id, status, currency, quantity, body, created_at)
     select $1, 'sub_' || n, 'cus_' || n, 'active', 'usd', 1, '{}', now() ${each}`,
    `insert into events (organization_id, id, subscription_id, customer_id, occurred_at, position, mrr_status,
                         change_type, previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity,
                         current_quantity, currency)
     select $1, 'ev_' || n, 'sub_' || n, 'cus_' || n, now(), 0, 'New', 'new_subscription', 0, 1, 1, 0, 1, 'usd' ${each}`,
    `insert into matches (organization_id, customer_id, portal_id, state, company_record_id, contact_record_id, evidence)
     select $1, 'cus_' || n, 'p', 'linked', 'company' || n, 'contact' || n, 'person' ${each}`,
    `insert into crm_companies (organization_id, portal_id, record_id, listed_at) select $1, 'p', 'company' || n, now() ${each}`,
    `insert into crm_contacts (organization_id, portal_id, record_id, listed_at) select $1, 'p', 'contact' || n, now() ${each}`,
    `insert into crm_links
       (organization_id, portal_id, kind, source_id, record_id, state, confirmed_at, subscription_id)
     select $1, 'p', kind, ${recordOf('kind')}, kind || n, 'confirmed', now() + interval '1 hour', 'sub_' || n
       ${each}, (values ('event'), ('subscription')) as given (kind)`,
    `insert into crm_associations (organization_id, portal_id, kind, source_id, target_kind, target_record_id)
     select $1, 'p', kind, ${recordOf('kind')}, target, target || n
       ${each}, (values ${associationKinds.map(({ kind, target }) => `('${kind}', '${target}')`)}) as given (kind, target)`,
    `delete from events where id like 'ev_%7'`,
  ]
  for (const statement of statements)
    await query(db.ownerUrl, statement, statement.includes('$1') ? [organizationId] : [])
}

const page = { afterSourceId: '', limit: 1_000, scope: 'all' as const }
const changedIds = ['cus_1', 'cus_2', 'cus_3']
const changed = { customerIds: changedIds, goneEventIds: ['ev_7'], notes: [] }
const ofAssociations = associationKinds.flatMap((kind): [string, (tenant: Tenant) => Promise<unknown>][] => [
  [
    `missing of a few: ${kind.kind}, ${kind.target}`,
    (tenant) => listMissingAssociations(tenant, portalId, kind, { ...page, scope: changed }),
  ],
  [
    `obsolete of a few: ${kind.kind}, ${kind.target}`,
    (tenant) => listReplacedAssociations(tenant, portalId, kind, { ...page, scope: changed }),
  ],
  [
    `missing: ${kind.kind}, ${kind.target}`,
    (tenant) => listMissingAssociations(tenant, portalId, kind, page),
  ],
  [`wanted: ${kind.kind}, ${kind.target}`, (tenant) => listWantedAssociations(tenant, portalId, kind, page)],
  [
    `obsolete: ${kind.kind}, ${kind.target}`,
    (tenant) => listReplacedAssociations(tenant, portalId, kind, page),
  ],
])

describe('right after much was written, before the planner knows of it', () => {
  it.each<[string, (tenant: Tenant) => Promise<unknown>]>([
    ...ofAssociations,
    ['open customers', (tenant) => listOpenCustomers(tenant, portalId, { afterId: '', limit: 500 })],
    [
      'open customers, a few changed',
      (tenant) => listOpenCustomers(tenant, portalId, { afterId: '', limit: 500, changedIds }),
    ],
    [
      'events to push, of a few',
      (tenant) => listEventsToPush(tenant, portalId, { afterId: '', limit: 1_000, scope: changed }),
    ],
    ['events to push', (tenant) => listEventsToPush(tenant, portalId, { afterId: '', limit: 1_000 })],
    [
      'subscriptions to push',
      (tenant) => listSubscriptionsToPush(tenant, portalId, { afterId: '', limit: 1_000 }),
    ],
  ])('does not compare every row with every other: %s', async (_, read) => {
    await expect(readWithin(read)).resolves.toBeDefined()
  })

  it('finds the events that were taken back', async () => {
    const vanished = await readWithin((tenant) =>
      listVanishedEvents(tenant, portalId, { ...page, retriesFailed: true }),
    )
    expect(vanished).toHaveLength(count / 10)
  })

  it('counts what is synced', async () => {
    const synced = await readWithin((tenant) => countSynced(tenant, portalId))
    expect(synced).toEqual({ subscriptions: count, events: count * 0.9 })
    expect(await readWithin((tenant) => countRefused(tenant, portalId))).toBe(0)
  })
})

/** A bad plan takes minutes for these rows, a good one some hundredths of a second. */
function readWithin<T>(read: (tenant: Tenant) => Promise<T>): Promise<T> {
  return inOrganization(db.database, organizationId, async (tenant) => {
    await sql`select set_config('statement_timeout', '8000', true)`.execute(tenant.sql)
    return read(tenant)
  })
}

it('a large push tells the planner of what it wrote', async () => {
  const bench = await openBench(db)
  await bench.connect()
  const ids = Array.from({ length: 300 }, (_, n) => String(n).padStart(3, '0'))
  await saveLedger(
    bench,
    ids.map((id) => ({ id, name: `Firm ${id}`, email: null, mrrCents: 100 })),
  )
  const knownRows = async () => {
    const [row] = await query<{ rows: number }>(
      db.ownerUrl,
      `select reltuples::integer as rows from pg_class where relname = 'crm_links'`,
    )
    return row?.rows
  }
  expect(await knownRows()).toBe(0)
  expect(await bench.push()).toMatchObject({ processed_records: 600 })
  expect(await knownRows()).toBeGreaterThan(600)
})
