import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run as query, type TestDatabase } from '#test/database.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { countSynced } from '../crm/crm-links.ts'
import { countUnsent, listSubscriptionsToPush } from '../crm/push-sources.ts'
import { findRecordStanding } from '../crm/record-standing.ts'
import { listCurrentMrr } from '../ledger/dashboard.ts'
import { listCustomersWithoutFigures } from '../ledger/due-customers.ts'
import { type SubscriptionFigures, saveSubscriptionFigures } from '../ledger/subscription-figures.ts'
import { listSubscriptions } from '../lists/subscription-list.ts'
import { inOrganization } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { countChangedSubscriptions } from '../runs/run-changes.ts'
import { countRecords } from '../setup/setup-facts.ts'
import { recountTotals } from '../totals/list-totals.ts'
import { markWithoutCustomer, saveSubscriptions } from './subscriptions.ts'

const hour = (number: number) => new Date(Date.UTC(2026, 0, 1, number))
const figures: SubscriptionFigures = {
  reportingMrrCents: null,
  reportingRate: null,
  ...{ id: 'sub_one', currentMrrCents: 500, quantity: 1, productName: 'Seats', billingIntervalDays: 30 },
  ...{ periodStart: 0, periodEnd: 60, nextRenewalOn: '2026-02-01', unsupportedReason: null, receipt: null },
  changedAt: hour(-24).getTime() / 1000,
}
const receipt = { rule: 'R1', lines: [], steps: [] } as unknown as SubscriptionFigures['receipt']

let db: TestDatabase
beforeEach(async () => {
  db = await newOrganizationOne(
    `insert into runs (organization_id, id, kind, status, created_at)
     values (1, 'first', 'import', 'completed', '${hour(0).toISOString()}'),
            (1, 'second', 'import', 'in_progress', '${hour(5).toISOString()}');
     insert into subscriptions (organization_id, id, customer_id, status, body, created_at, currency, updated_at, read_at)
     values (1, 'sub_one', 'cus_one', 'active', '{}', now(), 'usd', '1970-01-01', now())`,
  )
})
afterEach(() => db.close())

/** Saves the figures and returns how many updates were HOT, which need no change in any index. */
const save = (given: Partial<SubscriptionFigures>, runId: string, at: Date) =>
  inOrganization(db.database, 1, async (tenant) => {
    await saveSubscriptionFigures(tenant, [{ ...figures, ...given }], { at, runId })
    const { rows } = await sql<{ count: number }>`
      select pg_stat_get_xact_tuples_hot_updated('subscriptions'::regclass)::int as count`.execute(tenant.sql)
    return rows[0]?.count
  })
const kept = async () => {
  const [row] = await query<{ updated_at: Date; cents: number; receipt: object | null }>(
    db.ownerUrl,
    'select updated_at, current_mrr_cents::int as cents, receipt from subscriptions',
  )
  return row
}

it('a receipt that comes later in the same run leaves the time of the last update, and moves in no index', async () => {
  expect(await save({}, 'first', hour(1))).toBe(0)
  expect(await save({ receipt }, 'first', hour(2))).toBe(1)
  expect(await kept()).toEqual({ updated_at: hour(1), cents: 500, receipt })
})

it('a receipt that changes in another run is an update', async () => {
  await save({}, 'first', hour(1))
  await save({ receipt }, 'second', hour(6))
  expect(await kept()).toEqual({ updated_at: hour(6), cents: 500, receipt })
})

it('a figure that changes in the same run is an update, and what does not change is none', async () => {
  await save({}, 'first', hour(1))
  await save({ currentMrrCents: 600 }, 'first', hour(2))
  await save({ currentMrrCents: 600 }, 'first', hour(3))
  expect(await kept()).toEqual({ updated_at: hour(2), cents: 600, receipt: null })
})

describe('in a first import', () => {
  const changed = (days: number) => hour(-24 * days).getTime() / 1000
  const updatedAt = async () => (await kept())?.updated_at
  beforeEach(() =>
    query(db.ownerUrl, 'insert into payment_mirrors (organization_id, is_live) values (1, true)'),
  )
  const confirm = (at: Date) =>
    query(
      db.ownerUrl,
      `insert into crm_objects (organization_id, portal_id, kind, object_type_id, state)
       values (1, '7', 'subscription', '2-1', 'ready') on conflict do nothing;
       insert into crm_links (organization_id, portal_id, kind, source_id, record_id, state, confirmed_hash, confirmed_at)
       values (1, '7', 'subscription', 'sub_one', '70', 'confirmed', 'hash', '${at.toISOString()}')`,
    )
  /** What people see of the record, how many count as current, and whether a push settles the row. */
  const ofRecord = () =>
    inOrganization(db.database, 1, async (tenant) => {
      const [row] = await listSubscriptionsToPush(tenant, '7', { afterId: '', limit: 10 })
      const { subscriptions } = await countSynced(tenant, '7')
      return [(await findRecordStanding(tenant, '7', 'sub_one')).state, subscriptions, row?.isOlder]
    })

  it('figures have the time of the last change in the account, however often they are counted', async () => {
    await save({ changedAt: changed(3) }, 'second', hour(6))
    expect(await updatedAt()).toEqual(hour(-72))
    await save({ changedAt: changed(3), receipt }, 'second', hour(7))
    expect(await updatedAt()).toEqual(hour(-72))
    await save({ changedAt: changed(2), receipt, currentMrrCents: 600 }, 'second', hour(8))
    expect(await updatedAt()).toEqual(hour(-48))
    await save({ changedAt: changed(1), receipt, currentMrrCents: 600 }, 'second', hour(9))
    expect(await updatedAt()).toEqual(hour(-24))
  })

  it('none has a time after the import wrote it', async () => {
    await save({ changedAt: hour(30).getTime() / 1000 }, 'second', hour(6))
    expect(await updatedAt()).toEqual(hour(6))
  })

  it('a record that is sent then is current, until a later import changes the figures', async () => {
    await save({}, 'second', hour(6))
    expect(await ofRecord()).toEqual(['waiting', 0, false])
    await confirm(hour(7))
    expect(await ofRecord()).toEqual(['synced', 1, false])
    await query(db.ownerUrl, `update payment_mirrors set refreshed_at = '${hour(5).toISOString()}'`)
    await save({ currentMrrCents: 600 }, 'second', hour(8))
    expect(await updatedAt()).toEqual(hour(8))
    expect(await ofRecord()).toEqual(['waiting', 0, true])
  })

  it('a record that stands from before is older than figures that come back', async () => {
    await confirm(hour(4))
    await save({}, 'second', hour(6))
    expect(await updatedAt()).toEqual(hour(6))
    expect(await ofRecord()).toEqual(['waiting', 0, true])
  })

  it('all subscriptions with figures are what it changed', async () => {
    await save({}, 'second', hour(6))
    await inOrganization(db.database, 1, (tenant) => countChangedSubscriptions(tenant, 'second'))
    const counted = `select changed_subscriptions::int as count from runs where id = 'second'`
    expect(await query(db.ownerUrl, counted)).toEqual([{ count: 1 }])
  })
})

it('figures that a later import finds first have the time of that import', async () => {
  await query(
    db.ownerUrl,
    'insert into payment_mirrors (organization_id, is_live, refreshed_at) values (1, true, now())',
  )
  await save({}, 'second', hour(6))
  expect(await kept()).toMatchObject({ updated_at: hour(6) })
})

/**
 * The number of subscriptions by the list, those it shows, their MRR, and the figures derived from them elsewhere.
 */
const listed = (status?: string) =>
  inOrganization(db.database, 1, async (tenant) => {
    const query = {
      ...({ page: 1, limit: 10, search: '', sort: 'quantity', order: 'asc' } as const),
      status: status === undefined ? undefined : [status],
    }
    const { totalCount, subscriptions } = await listSubscriptions(tenant, query)
    const found = await listSubscriptions(tenant, { ...query, search: 'sub_' })
    const pushed = await listSubscriptionsToPush(tenant, '1', { afterId: '', limit: 10 })
    const shown = [subscriptions, found.subscriptions, pushed].map((rows) => rows.map(({ id }) => id))
    const counts = [
      totalCount,
      (await countRecords(tenant)).subscriptions,
      await countUnsent(tenant, '1', 'subscription'),
    ]
    return { counts, shown, mrr: await listCurrentMrr(tenant) }
  })
const nothingConverted = { reportingCents: 0, unconvertedCents: 500, unconvertedSubscriptions: 1 }
const nowhere = { counts: [0, 0, 0], shown: [[], [], []], mrr: [] }

it('is listed, counted and pushed from when its figures are known', async () => {
  expect(await listed()).toEqual(nowhere)
  await save({}, 'first', hour(1))
  const known = {
    counts: [1, 1, 1],
    shown: [['sub_one'], ['sub_one'], ['sub_one']],
    mrr: [{ currency: 'usd', mrrCents: 500, activeSubscriptions: 1, ...nothingConverted }],
  }
  expect(await listed()).toEqual(known)
  expect(await listed('active')).toEqual(known)
  await save({ currentMrrCents: 700 }, 'first', hour(2))
  expect((await listed()).mrr).toMatchObject([{ mrrCents: 700 }])
  const write = async (text: string) => {
    await query(db.ownerUrl, text)
    await inOrganization(db.database, 1, recountTotals)
  }
  await write(`update subscriptions set status = 'canceled'`)
  expect(await listed('active')).toMatchObject({ counts: [0, 1, 1], shown: [[], [], ['sub_one']] })
  await write('update subscriptions set quantity = null')
  expect(await listed()).toEqual(nowhere)
  await write('delete from subscriptions')
  expect(await listed()).toEqual(nowhere)
})

it('waits for its figures unless it has ended', async () => {
  const waiting = () =>
    inOrganization(db.database, 1, (tenant) => listCustomersWithoutFigures(tenant, { after: '', limit: 10 }))
  expect(await waiting()).toEqual(['cus_one'])
  await query(db.ownerUrl, `update subscriptions set status = 'canceled'`)
  expect(await waiting()).toEqual([])
  await query(db.ownerUrl, `update subscriptions set status = 'past_due'`)
  expect(await waiting()).toEqual(['cus_one'])
  await save({}, 'first', hour(1))
  expect(await waiting()).toEqual([])
})

it('is listed, as one that cannot be counted, where it names no customer', async () => {
  await query(db.ownerUrl, `update subscriptions set customer_id = ''`)
  await inOrganization(db.database, 1, markWithoutCustomer)
  const everywhere = [['sub_one'], ['sub_one'], ['sub_one']]
  expect(await listed()).toEqual({ counts: [1, 1, 1], shown: everywhere, mrr: [] })
})

it('leaves the lists with a customer that is not stored, until that one is', async () => {
  await save({}, 'first', hour(1))
  const goesTo = (customerId: string) =>
    inOrganization(db.database, 1, (tenant) => {
      const moved = {
        id: 'sub_one',
        customerId,
        status: 'active',
        currency: 'usd',
        createdAt: 1,
        clockAt: null,
      }
      const circumstances = { at: hour(2), askedAt: hour(2), askedAfter: hour(2), mode: 'again' } as const
      return saveSubscriptions(tenant, [{ ...moved, body: storableJson({ customerId }) }], circumstances)
    })
  const isListed = async () => (await listed()).counts[0]
  await goesTo('cus_one')
  expect(await isListed()).toBe(1)
  await goesTo('cus_two')
  expect(await listed()).toEqual(nowhere)
  await save({}, 'second', hour(3))
  await query(
    db.ownerUrl,
    `insert into customers (organization_id, id, created_at) values (1, 'cus_one', now())`,
  )
  await goesTo('cus_one')
  expect(await isListed()).toBe(1)
  await goesTo('')
  expect(await isListed()).toBe(1)
})
