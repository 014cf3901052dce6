import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MatchState } from '#domain/company.ts'
import type { MrrStatus } from '#domain/event.ts'
import { run as query, type TestDatabase } from '#test/database.ts'
import { eventOf } from '#test/store/event-of.ts'
import { listTotalFaults } from '#test/store/kept-totals.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { replaceEvents } from '../ledger/events.ts'
import { writeMatches } from '../matches/write-matches.ts'
import { inOrganization, type Tenant } from '../postgres/database.ts'

const at = new Date('2026-05-01T00:00:00Z')
type Writer = (tenant: Tenant) => Promise<unknown>

let db: TestDatabase
beforeAll(async () => {
  db = await newOrganizationOne()
})
afterAll(() => db.close())
beforeEach(() =>
  query(
    db.ownerUrl,
    `truncate events, customers, matches, list_totals cascade;
     insert into customers (organization_id, id, created_at) values (1, 'cus_1', now())`,
  ),
)

const within = <T>(work: (tenant: Tenant) => Promise<T>) => inOrganization(db.database, 1, work)

/** The second writer begins after the first has written, waits for it, and goes on when it has committed. */
async function beside(first: Writer, second: Writer): Promise<void> {
  const written = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const one = within(async (tenant) => {
    await first(tenant)
    written.resolve()
    await held.promise
  })
  await written.promise
  const other = within(second)
  await expect
    .poll(() =>
      query(
        db.ownerUrl,
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    )
    .toHaveLength(1)
  held.resolve()
  await Promise.all([one, other])
}

const decide =
  (state: MatchState): Writer =>
  (tenant) =>
    writeMatches(tenant, '1', [{ customerId: 'cus_1', state, evidence: 'person', company: null }], at)
const keepOne =
  (mrrStatus: MrrStatus): Writer =>
  (tenant) =>
    replaceEvents(tenant, ['cus_1'], [eventOf({ id: 'ev_1', customerId: 'cus_1', mrrStatus })], at)

it('a row that two writers insert at once is counted once', async () => {
  await beside(decide('ignored'), decide('pending'))
  expect(await listTotalFaults(db.ownerUrl)).toEqual([])
})

it('a row that two writers change at once counts as what it is in the end', async () => {
  await within(decide('pending'))
  await beside(decide('ignored'), decide('pending'))
  expect(await listTotalFaults(db.ownerUrl)).toEqual([])
})

it('an event that two writers of its customer insert at once is counted once', async () => {
  await beside(keepOne('New'), keepOne('Churn'))
  expect(await listTotalFaults(db.ownerUrl)).toEqual([])
})
