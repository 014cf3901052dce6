import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CrmKind, crmKinds } from '#domain/crm-record.ts'
import { run as query, type TestDatabase } from '#test/database.ts'
import { fc } from '#test/fast-check.ts'
import { eventOf } from '#test/store/event-of.ts'
import { unsentFaults } from '#test/store/kept-unsent.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { deleteConnection, saveConnection } from '../connections/connections.ts'
import { replaceEvents } from '../ledger/events.ts'
import { saveSubscriptionFigures } from '../ledger/subscription-figures.ts'
import { clearPaymentAccount } from '../payments/payment-account.ts'
import { endSubscriptions, saveSubscriptions } from '../payments/subscriptions.ts'
import { inOrganization, type Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { saveConverted } from '../reporting/conversions.ts'
import { recountTotals } from '../totals/list-totals.ts'
import {
  confirmAgain,
  countSynced,
  type LinkOutcome,
  parkUnremoved,
  retireLinks,
  saveLinkOutcomes,
} from './crm-links.ts'
import { followRecordMerge } from './crm-merges.ts'
import {
  adoptRecord,
  confirmFailed,
  forgetKind,
  parkRemoved,
  parkReverted,
  writeAgain,
  writeKindAgain,
} from './crm-repairs.ts'
import { areUnsentKept, beginComparingAll } from './push-due.ts'
import { countRefused } from './refusals.ts'

const sequences = Number(process.env['TOTALS_SEQUENCES'] ?? 12)
/** Counts take most of the time, so that a short run compares them after every third step. */
const stepsPerCount = sequences > 24 ? 1 : 3
const at = new Date('2026-05-01T00:00:00Z')
const later = new Date('2026-05-02T00:00:00Z')
let db: TestDatabase
beforeAll(async () => {
  db = await newOrganizationOne()
})
afterAll(() => db.close())

const within = <T>(work: (tenant: Tenant) => Promise<T>) => inOrganization(db.database, 1, work)
const faults = () => unsentFaults(db.ownerUrl)

/** Rows of which some have a record, in an organization that was pushed to portal 1. */
async function begin(): Promise<void> {
  await query(
    db.ownerUrl,
    `truncate events, subscriptions, customers, connections, crm_links, crm_associations, crm_objects, crm_unsent,
              push_marks, push_due cascade;
     insert into customers (organization_id, id, created_at)
     select 1, 'cus_' || n, now() from generate_series(1, 3) as n;
     insert into crm_objects (organization_id, portal_id, kind) values (1, '1', 'event'), (1, '2', 'event');
     insert into crm_links (organization_id, portal_id, kind, source_id, record_id)
     select 1, portal, kind, 'row_' || n, nullif(100 + n, 102)
       from unnest(array['1', '2']) as portal, unnest(array['subscription', 'event']) as kind, generate_series(1, 3) as n`,
  )
  await within(async (tenant) => {
    await recountTotals(tenant)
    await saveRows(tenant, ['row_0', 'row_1', 'row_2', 'row_3'], 'first', at)
    await replaceEvents(tenant, ['cus_1', 'cus_2', 'cus_3'], eventsOf([0, 1, 2, 3]), at)
    await saveFigures(tenant, 'row_1', 5, at)
    await beginComparingAll(tenant, '1', 'basis')
  })
}
beforeEach(begin)

const portalId = fc.constantFrom('1', '1', '2')
const kind = fc.constantFrom(...crmKinds)
/** One id is a row's of both kinds, and the last is no row's. */
const id = fc.constantFrom('row_0', 'row_1', 'row_2', 'row_3', 'row_9')
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 4 })
const recordId = fc.constantFrom('101', '102', '103')
const place = fc.record({ portalId, kind })
const time = fc.constantFrom(at, later)

type Step = (tenant: Tenant) => Promise<unknown>

function saveRows(tenant: Tenant, some: readonly string[], mode: 'first' | 'again', now: Date) {
  const row = { customerId: 'cus_1', status: 'active', currency: 'usd', createdAt: 1, clockAt: null }
  const given = some.map((one) => ({ ...row, id: one, body: storableJson({ id: one }) }))
  return saveSubscriptions(tenant, given, { at: now, askedAt: now, askedAfter: at, mode })
}

/** With figures, a subscription is in the list. */
function saveFigures(tenant: Tenant, one: string, cents: number, now: Date) {
  const periods = { billingIntervalDays: 30, periodStart: 1, periodEnd: 2, nextRenewalOn: null }
  const texts = { productName: null, unsupportedReason: null, receipt: null, reportingRate: null }
  const amounts = { currentMrrCents: cents, reportingMrrCents: cents, quantity: 1, changedAt: 0 }
  const figures = { id: one, ...amounts, ...periods, ...texts }
  return saveSubscriptionFigures(tenant, [figures], { at: now, runId: 'run' })
}

const eventsOf = (numbers: readonly number[], cents = 1) =>
  numbers.map((number) => ({
    ...eventOf({ id: `row_${number}`, customerId: `cus_${(number % 3) + 1}`, mrrStatus: 'New' }),
    ...{ currentMrrCents: cents, mrrChangeCents: cents, reportingChangeCents: cents > 1 ? cents : null },
  }))

const refused = (some: readonly string[]) => some.map((sourceId) => ({ sourceId, error: 'refused' }))
const written = { hash: 'hash', recordUpdatedAt: null, error: null, told: null, outdated: 1 }

type OfSome = (tenant: Tenant, portal: string, of: CrmKind, some: string[]) => Promise<unknown>
const withSome = (step: OfSome) =>
  fc.tuple(place, ids).map(
    ([where, some]): Step =>
      (tenant) =>
        step(tenant, where.portalId, where.kind, some),
  )

const states: readonly LinkOutcome['state'][] = ['confirmed', 'confirmed', 'failed', 'pending', 'held']

/** Every writer of rows, of links, and of what portal is current, by its name. */
const writers: Record<string, fc.Arbitrary<Step>> = {
  saveLinkOutcomes: fc
    .record({
      place,
      now: time,
      outcomes: fc.uniqueArray(
        fc.record({
          sourceId: id,
          state: fc.constantFrom(...states),
          recordId: fc.option(recordId),
        }),
        { minLength: 1, maxLength: 4, selector: ({ sourceId }) => sourceId },
      ),
    })
    .map(({ place: where, outcomes, now }) => (tenant) => {
      const rows = outcomes.map((one) => ({ ...one, ...written }))
      return saveLinkOutcomes(tenant, { ...where, runId: 'run' }, rows, now)
    }),
  confirmAgain: fc.tuple(place, ids, time).map(
    ([where, some, now]) =>
      (tenant) =>
        confirmAgain(
          ...([tenant, where.portalId, where.kind] as const),
          some.map((sourceId) => ({ sourceId, outdated: 1 })),
          now,
        ),
  ),
  retireLinks: withSome(retireLinks),
  parkUnremoved: withSome((tenant, portal, of, some) => parkUnremoved(tenant, portal, of, refused(some))),
  parkReverted: withSome((tenant, portal, of, [one = '']) =>
    parkReverted(tenant, { portalId: portal, kind: of, runId: 'run' }, one, 'reverted'),
  ),
  confirmFailed: withSome((tenant, portal, of, [one = '']) => confirmFailed(tenant, portal, of, one)),
  parkRemoved: fc.tuple(place, ids).map(([where, some]) => (tenant) => {
    const removed = some.map((sourceId) => ({ sourceId }))
    return parkRemoved(tenant, { ...where, runId: 'run', reason: 'deleted' }, removed)
  }),
  adoptRecord: fc.record({ place, sourceId: id, recordId, formerId: fc.option(recordId) }).map(
    ({ place: where, ...record }) =>
      (tenant) =>
        adoptRecord(tenant, where.portalId, where.kind, record),
  ),
  followRecordMerge: fc
    .record({ place, recordId, key: fc.option(id), mergedIds: fc.subarray(['101', '102', '103']) })
    .map(
      ({ place: where, ...merged }) =>
        (tenant) =>
          followRecordMerge(tenant, where.portalId, where.kind, merged),
    ),
  writeAgain: withSome((tenant, portal, of, some) => writeAgain(tenant, portal, of, some, 1)),
  writeKindAgain: place.map((where) => (tenant) => writeKindAgain(tenant, where.portalId, where.kind)),
  forgetKind: place.map((where) => (tenant) => forgetKind(tenant, where.portalId, where.kind)),
  replaceEvents: fc
    .tuple(fc.uniqueArray(fc.integer({ min: 0, max: 3 })), fc.constantFrom(1, 2, 700), time)
    .map(
      ([numbers, cents, now]) =>
        (tenant) =>
          replaceEvents(tenant, ['cus_1', 'cus_2', 'cus_3'], eventsOf(numbers, cents), now),
    ),
  saveConverted: fc.tuple(ids, fc.constantFrom(null, 1, 9)).map(([some, cents]) => (tenant) => {
    const events = some.map((one) => ({ id: one, cents, rate: null }))
    return saveConverted(tenant, { events, subscriptions: [] })
  }),
  renameCustomer: fc.constantFrom('Firm', null).map(
    (name) =>
      ({ sql }) =>
        sql.updateTable('customers').set({ name }).where('id', '=', 'cus_1').execute(),
  ),
  saveSubscriptions: fc.tuple(ids, fc.constantFrom('first' as const, 'again' as const), time).map(
    ([some, mode, now]) =>
      (tenant) =>
        saveRows(tenant, some, mode, now),
  ),
  saveSubscriptionFigures: fc.tuple(id, fc.constantFrom(5, 7), time).map(
    ([one, cents, now]) =>
      (tenant) =>
        saveFigures(tenant, one, cents, now),
  ),
  endSubscriptions: fc.tuple(ids, time).map(
    ([some, now]) =>
      (tenant) =>
        endSubscriptions(tenant, some, now),
  ),
  clearPaymentAccount: fc.constant(clearPaymentAccount),
  beginComparingAll: portalId.map((portal) => (tenant) => beginComparingAll(tenant, portal, 'basis')),
  connect: portalId.map((accountId) => (tenant) => {
    const connection = {
      provider: 'crm' as const,
      isLive: false,
      sealedSecret: 'sealed',
      secretHint: null,
      at,
    }
    return saveConnection(tenant, { ...connection, accountId })
  }),
  disconnect: fc.constant((tenant) => deleteConnection(tenant, 'crm')),
}
/** What leaves little behind comes rarely. */
const rare = ['clearPaymentAccount', 'forgetKind']
const step = fc.oneof(
  ...Object.entries(writers).map(([name, writer]) => ({
    weight: rare.includes(name) ? 1 : 5,
    arbitrary: writer.map((run) => ({ name, run })),
  })),
)

/** What stands in a portal as it is here, and what the portal refused, by a plain count of all. */
async function plainCounts(portal: string) {
  const [counts] = await query(
    db.ownerUrl,
    `with links as (
       select l.*, coalesce(e.updated_at, s.updated_at) as changed_at
         from crm_links l left join events e on l.kind = 'event' and e.id = l.source_id
              left join subscriptions s on l.kind = 'subscription' and s.id = l.source_id and s.quantity is not null
        where portal_id = '${portal}' and coalesce(e.id, s.id) is not null)
     select (count(*) filter (where kind = 'subscription' and is_current))::integer as subscriptions,
            (count(*) filter (where kind = 'event' and is_current))::integer as events,
            (count(*) filter (where state = 'failed'))::integer as refused
       from (select *, record_id is not null and state = 'confirmed' and outdated = 0 and confirmed_at >= changed_at as is_current
               from links) as each`,
  )
  return counts
}

const counts = (portal: string) =>
  within(async (tenant) => ({
    ...(await countSynced(tenant, portal)),
    refused: await countRefused(tenant, portal),
  }))

describe('what the CRM does not have as it is here', () => {
  it('is what a comparison of all finds, after every step of any writers', {
    timeout: 120_000 + sequences * 5_000,
  }, async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
          for (const [nth, { name, run }] of steps.entries()) {
            seen.add(name)
            await within(run)
            expect(await faults(), name).toEqual([])
            for (const portal of nth % stepsPerCount === 0 ? ['1', '2'] : [])
              expect(await counts(portal), name).toEqual(await plainCounts(portal))
          }
        })
        .beforeEach(begin),
      { numRuns: sequences, endOnFailure: true },
    )
    expect(Object.keys(writers).filter((name) => !seen.has(name))).toEqual([])
  })

  it('is kept for the portal that was pushed to last, and go with the organization', async () => {
    await query(
      db.ownerUrl,
      `insert into "organization" (id, name, slug, "createdAt") overriding system value values (2, 'Two', 'two', now());
       insert into events (organization_id, id, subscription_id, occurred_at, position, mrr_status, change_type,
                           previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity, current_quantity, currency)
       select org, 'ev_' || n, 'sub_1', now(), 0, 'New', 'new_subscription', 0, 1, 1, 0, 1, 'usd'
         from unnest(array[1, 2]) as org, generate_series(1, 3) as n;
       insert into crm_links (organization_id, portal_id, kind, source_id, record_id, state, confirmed_at)
       select org, '1', 'event', 'ev_1', '101', 'confirmed', now() from unnest(array[1, 2]) as org;
       insert into connections (organization_id, provider, account_id, sealed_secret)
       select org, 'crm', '1', 'sealed' from unnest(array[1, 2]) as org`,
    )
    for (const organization of [1, 2])
      await inOrganization(db.database, organization, (tenant) => beginComparingAll(tenant, '1', 'basis'))
    const kept = () =>
      query<{ key: string }>(
        db.ownerUrl,
        `select organization_id || ' ' || source_id as key from crm_unsent where source_id like 'ev%' order by 1`,
      ).then((rows) => rows.map(({ key }) => key))
    expect(await kept()).toEqual(['1 ev_2', '1 ev_3', '2 ev_2', '2 ev_3'])
    expect(await within(areUnsentKept)).toBe(true)
    await query(db.ownerUrl, `delete from "organization" where id = 2`)
    expect(await kept()).toEqual(['1 ev_2', '1 ev_3'])
    await query(db.ownerUrl, `update connections set account_id = '2'`)
    expect(await within(areUnsentKept)).toBe(false)
  })
})
