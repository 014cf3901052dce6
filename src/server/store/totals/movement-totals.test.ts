import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mrrStatuses } from '#domain/event.ts'
import { run as query, type TestDatabase } from '#test/database.ts'
import { fc } from '#test/fast-check.ts'
import { movementFaults } from '#test/store/kept-movements.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { type EventRow, replaceEvents } from '../ledger/events.ts'
import { saveSubscriptionFigures } from '../ledger/subscription-figures.ts'
import { saveCustomers } from '../payments/customers.ts'
import { clearPaymentAccount, namePaymentAccount } from '../payments/payment-account.ts'
import { saveSubscriptions } from '../payments/subscriptions.ts'
import { inOrganization, type Tenant } from '../postgres/database.ts'
import { errorCodeOf } from '../postgres/error-code.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { addUpTotals, recountTotals } from './list-totals.ts'
import { recountMovements, writeMovements } from './movement-totals.ts'

const sequences = Number(process.env['TOTALS_SEQUENCES'] ?? 12)
const patience = { timeout: 120_000 + sequences * 5_000 }
const at = new Date('2026-05-01T00:00:00Z')
const customers = ['cus_0', 'cus_1', 'cus_2']

let db: TestDatabase
beforeAll(async () => {
  db = await newOrganizationOne()
})
afterAll(() => db.close())

const within = <T>(work: (tenant: Tenant) => Promise<T>) => inOrganization(db.database, 1, work)
const faults = () => movementFaults(db.ownerUrl)

beforeEach(async () => {
  await query(
    db.ownerUrl,
    'truncate events, subscriptions, customers, movement_totals, list_totals, payment_mirrors cascade',
  )
  await within(begin)
})

/** Three customers with two subscriptions each, counted once. */
async function begin(tenant: Tenant): Promise<void> {
  await namePaymentAccount(tenant, { accountId: 'acct_1', isLive: false })
  const row = { domain: null, isDeleted: false, erasureId: null, customerAccount: null, createdAt: 1 }
  const given = { ...row, paymentMethod: null, discounts: null, isRedacted: false, email: null }
  await saveCustomers(
    tenant,
    customers.map((id) => ({ ...given, id, name: id })),
  )
  const subscriptions = [0, 1, 2, 3, 4, 5].map((number) => ({
    id: `sub_${number}`,
    customerId: `cus_${number % 3}`,
    status: 'active',
    currency: number === 5 ? 'eur' : 'usd',
    createdAt: 1,
    clockAt: null,
    body: storableJson({ items: [{ price: price(number) }] }),
  }))
  await saveSubscriptions(tenant, subscriptions, { at, askedAt: at, askedAfter: at, mode: 'first' })
  await recountTotals(tenant)
}

function price(number: number) {
  const amount = number === 4 ? 'a lot' : `${number}00.5`
  return { unitAmountDecimal: amount, currency: 'usd', interval: 'month', intervalCount: String(number) }
}

/** What a rebuild may find of a customer: any events on its two subscriptions, and any figures. */
const found = fc.record({
  customer: fc.integer({ min: 0, max: 2 }),
  events: fc.array(
    fc.record({
      number: fc.integer({ min: 0, max: 7 }),
      day: fc.integer({ min: 0, max: 70 }),
      mrrStatus: fc.constantFrom(...mrrStatuses),
      before: fc.constantFrom(0, 700, 90_000),
      after: fc.constantFrom(0, 700, 90_000),
    }),
    { maxLength: 6 },
  ),
  productName: fc.constantFrom(null, 'Team', 'Solo'),
  days: fc.constantFrom(null, 30, 365),
})
type Found = typeof found extends fc.Arbitrary<infer T> ? T : never

function rebuild({ customer, events, productName, days }: Found): Step {
  const id = `cus_${customer}`
  return (tenant) =>
    writeMovements(tenant, [id], async () => {
      const rows = events.map((event, position) => eventOf(customer, { ...event, position }))
      await replaceEvents(tenant, [id], rows, at)
      const periods = { billingIntervalDays: days, periodStart: 1, periodEnd: 2, nextRenewalOn: null }
      const texts = { productName, unsupportedReason: null, receipt: null }
      const figures = {
        id: `sub_${customer}`,
        currentMrrCents: 0,
        reportingMrrCents: 0,
        reportingRate: null,
        quantity: 1,
        changedAt: 1,
        ...periods,
        ...texts,
      }
      await saveSubscriptionFigures(tenant, [figures], { at, runId: 'run' })
    })
}

type GivenEvent = Found['events'][number] & { position: number }

function eventOf(
  customer: number,
  { number, day, mrrStatus, before, after, position }: GivenEvent,
): EventRow {
  const subscription = customer + (number % 2) * 3
  return {
    id: `ev_${customer}_${number}`,
    customerId: `cus_${customer}`,
    subscriptionId: `sub_${subscription}`,
    currency: subscription === 5 ? 'eur' : 'usd',
    occurredAt: Date.UTC(2026, 0, 1) / 1_000 + day * 43_200 - 1,
    position,
    mrrStatus,
    changeType: 'price_change',
    previousMrrCents: before,
    currentMrrCents: after,
    mrrChangeCents: after - before,
    reportingChangeCents: subscription === 5 ? null : after - before,
    reportingRate: null,
    ...{ previousQuantity: 0, currentQuantity: 1, productName: null, paymentMethod: null },
    ...{ receipt: null, invoiceId: null },
  }
}

type Step = (tenant: Tenant) => Promise<unknown>
const pass: fc.Arbitrary<Step> = fc.constantFrom(addUpTotals, recountTotals)
const step = fc.oneof({ weight: 9, arbitrary: found.map(rebuild) }, { weight: 1, arbitrary: pass })

describe('the totals of movements', () => {
  it('are what a count of the events gives, after every step of any writers', patience, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        for (const run of steps) {
          await within(run)
          expect(await faults()).toEqual([])
        }
      }),
      { numRuns: sequences, endOnFailure: true },
    )
  })

  it(
    'are what a count gives after writers that run at once, and while they are added up or counted',
    patience,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(step, step, pass, pass), { minLength: 3, maxLength: 6 }),
          async (rounds) => {
            for (const steps of rounds) {
              const results = await Promise.allSettled(steps.map((run) => within(run)))
              const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
              // Writers may meet in a deadlock, which ends one of them whole.
              expect(failures.filter((error) => errorCodeOf(error) !== '40P01')).toEqual([])
            }
            expect(await faults()).toEqual([])
          },
        ),
        { numRuns: sequences / 2, endOnFailure: true },
      )
    },
  )

  const churned = { number: 0, day: 1, mrrStatus: 'New', before: 0, after: 700 } as const
  const one: Found = { customer: 0, events: [churned], productName: 'Team', days: 30 }
  const countRows = async () =>
    (await query<{ rows: number }>(db.ownerUrl, 'select count(*)::integer as rows from movement_totals'))[0]
      ?.rows

  it('are not kept before they are first counted, at the end of an import', async () => {
    await query(db.ownerUrl, 'update payment_mirrors set movements_counted_at = null')
    await within(rebuild(one))
    expect(await countRows()).toBe(0)
    await within(addUpTotals)
    expect(await faults()).toEqual([])
    expect(await countRows()).toBe(7)
  })

  it('are counted however long it takes', async () => {
    const limit = await within(async (tenant) => {
      await sql`set local statement_timeout = '20s'`.execute(tenant.sql)
      await recountMovements(tenant)
      return sql<{ statement_timeout: string }>`show statement_timeout`.execute(tenant.sql)
    })
    expect(limit.rows).toEqual([{ statement_timeout: '0' }])
  })

  it('go with the account', async () => {
    await within(rebuild(one))
    await within(clearPaymentAccount)
    expect(await countRows()).toBe(0)
  })

  it('are split by the plan in words, the highest MRR and the month of the first payment', async () => {
    await within(
      rebuild({
        ...one,
        events: [
          { ...churned, after: 90_000 },
          { ...churned, number: 1 },
          { number: 2, day: 3, mrrStatus: 'Downgrade', before: 90_000, after: 700 },
        ],
      }),
    )
    expect(
      await query(
        db.ownerUrl,
        'select id, plan_name, size from subscriptions where customer_id = $1 order by id',
        ['cus_0'],
      ),
    ).toEqual([
      { id: 'sub_0', plan_name: 'Team 0.005 USD / 0 months', size: 'm' },
      { id: 'sub_3', plan_name: '3.005 USD / 3 months', size: 'xs' },
    ])
    expect(
      await query(db.ownerUrl, 'select id, first_paid_month from customers order by id limit 2'),
    ).toEqual([
      { id: 'cus_0', first_paid_month: '2026-01' },
      { id: 'cus_1', first_paid_month: null },
    ])
  })
})
