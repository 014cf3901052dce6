import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { matchStates } from '#domain/company.ts'
import { mrrStatuses } from '#domain/event.ts'
import { run as query, type TestDatabase } from '#test/database.ts'
import { fc } from '#test/fast-check.ts'
import { eventOf } from '#test/store/event-of.ts'
import { listTotalFaults } from '#test/store/kept-totals.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { deleteConnection, saveConnection } from '../connections/connections.ts'
import { releaseGoneCompanies } from '../crm/crm-index-changes.ts'
import { replaceEvents } from '../ledger/events.ts'
import { saveSubscriptionFigures } from '../ledger/subscription-figures.ts'
import { saveMatches } from '../matches/matches.ts'
import { writeMatches } from '../matches/write-matches.ts'
import { type CustomerRow, saveCustomers, settleCustomers } from '../payments/customers.ts'
import { clearPaymentAccount, namePaymentAccount } from '../payments/payment-account.ts'
import { endSubscriptions, markWithoutCustomer, saveSubscriptions } from '../payments/subscriptions.ts'
import { inOrganization, type Tenant } from '../postgres/database.ts'
import { errorCodeOf } from '../postgres/error-code.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { addUpTotals, recountTotals } from './list-totals.ts'

const sequences = Number(process.env['TOTALS_SEQUENCES'] ?? 12)
const patience = { timeout: 120_000 + sequences * 5_000 }
const at = new Date('2026-05-01T00:00:00Z')
const later = new Date('2026-05-02T00:00:00Z')
const customers = ['cus_1', 'cus_2', 'cus_3']

let db: TestDatabase
beforeAll(async () => {
  db = await newOrganizationOne()
})
afterAll(() => db.close())

const within = <T>(work: (tenant: Tenant) => Promise<T>) => inOrganization(db.database, 1, work)
const faults = () => listTotalFaults(db.ownerUrl)

beforeEach(async () => {
  await query(
    db.ownerUrl,
    'truncate events, subscriptions, customers, matches, list_totals, connections, payment_mirrors cascade',
  )
  await within(begin)
})

/** An account with customers of one domain, and a connected portal. */
async function begin(tenant: Tenant): Promise<void> {
  await namePaymentAccount(tenant, { accountId: 'acct_1', isLive: false })
  await connect('1')(tenant)
  const row = { domain: 'a.test', isDeleted: false, erasureId: null, customerAccount: null, createdAt: 1 }
  const given = { ...row, paymentMethod: null, discounts: null, isRedacted: false }
  const named = customers.map((id): CustomerRow => ({ ...given, id, name: id, email: `${id}@a.test` }))
  await saveCustomers(tenant, named)
}

type Step = { name: string; run: (tenant: Tenant) => Promise<unknown> }

const customer = fc.constantFrom(...customers)
const someCustomers = fc.subarray(customers)
const portal = fc.constantFrom('1', '2')
const subscriptionId = fc.constantFrom('sub_1', 'sub_2', 'sub_3')
const currency = fc.constantFrom('usd', 'eur')
const cents = fc.constantFrom(0, 500, 900)
const company = fc.option(fc.constantFrom('7', '8'))

/** Every writer whose rows are counted, by its name. */
const writers: Record<string, fc.Arbitrary<Step['run']>> = {
  saveSubscriptions: fc
    .record({
      mode: fc.constantFrom('first' as const, 'again' as const),
      rows: fc.array(
        fc.record({
          id: subscriptionId,
          customerId: fc.constantFrom(...customers, ''),
          status: fc.constantFrom('active', 'past_due', 'canceled'),
          currency,
        }),
        { minLength: 1, maxLength: 3 },
      ),
    })
    .map(({ mode, rows }) => (tenant) => {
      const given = rows.map((row) => ({ ...row, createdAt: 1, clockAt: null, body: storableJson(row) }))
      return saveSubscriptions(tenant, given, { at, askedAt: at, askedAfter: at, mode })
    }),
  endSubscriptions: subscriptionId.map((id) => (tenant) => endSubscriptions(tenant, [id], at)),
  markWithoutCustomer: fc.constant(markWithoutCustomer),
  saveSubscriptionFigures: fc
    .record({
      id: subscriptionId,
      cents,
      hasRate: fc.boolean(),
      mode: fc.constantFrom('first' as const, 'again' as const),
    })
    .map(({ id, cents: currentMrrCents, hasRate, mode }) => (tenant) => {
      const periods = { billingIntervalDays: 30, periodStart: 1, periodEnd: 2, nextRenewalOn: null }
      const texts = { productName: null, unsupportedReason: null, receipt: null, reportingRate: null }
      const reportingMrrCents = hasRate || currentMrrCents === 0 ? 2 * currentMrrCents : null
      const figures = {
        id,
        currentMrrCents,
        reportingMrrCents,
        quantity: 1,
        changedAt: 1,
        ...periods,
        ...texts,
      }
      return saveSubscriptionFigures(tenant, [figures], { at, runId: 'run', mode })
    }),
  settleCustomers: someCustomers.map((ids) => (tenant) => settleCustomers(tenant, ids)),
  replaceEvents: fc
    .record({
      ids: someCustomers,
      events: fc.array(
        fc.record({
          // As in the ledger, an event belongs to one customer for ever.
          number: fc.integer({ min: 0, max: 3 }),
          mrrStatus: fc.constantFrom(...mrrStatuses),
        }),
        { maxLength: 4 },
      ),
    })
    .map(
      ({ ids, events }) =>
        (tenant) =>
          replaceEvents(
            tenant,
            ids,
            events.map(({ number, mrrStatus }) =>
              eventOf({ id: `ev_${number}`, customerId: `cus_${(number % 3) + 1}`, mrrStatus }),
            ),
            at,
          ),
    ),
  saveMatches: fc
    .record({ portalId: portal, customerId: customer, state: fc.constantFrom(...matchStates), company })
    .map(({ portalId, customerId, state, company: companyRecordId }) => async (tenant) => {
      const [known] = await tenant.sql
        .selectFrom('matches')
        .select('revision')
        .where('customer_id', '=', customerId)
        .where('portal_id', '=', portalId)
        .execute()
      const names = { companyName: companyRecordId && `Company ${companyRecordId}`, contactRecordId: null }
      const contact = { contactFor: null, contactProblem: null, contactProblemEmail: null }
      const found = { evidence: 'company_domain' as const, candidates: [], revision: known?.revision ?? 0 }
      await saveMatches(
        tenant,
        portalId,
        [{ customerId, state, companyRecordId, ...names, ...contact, ...found }],
        at,
      )
    }),
  writeMatches: fc
    .record({ portalId: portal, customerId: customer, state: fc.constantFrom(...matchStates), company })
    .map(({ portalId, customerId, state, company: recordId }) => (tenant) => {
      const chosen = recordId === null ? null : { recordId, name: 'Chosen' }
      const decided = { customerId, state, evidence: 'person' as const, company: chosen }
      return writeMatches(tenant, portalId, [decided], at)
    }),
  releaseGoneCompanies: portal.map((id) => (tenant) => releaseGoneCompanies(tenant, id, later, at)),
  connect: portal.map(connect),
  disconnect: fc.constant((tenant) => deleteConnection(tenant, 'crm')),
}
const pass: fc.Arbitrary<Step> = fc
  .constantFrom(addUpTotals, recountTotals)
  .map((run) => ({ name: run.name, run }))
const written: fc.Arbitrary<Step> = fc.oneof(
  ...Object.entries(writers).map(([name, writer]) => writer.map((run) => ({ name, run }))),
)
const step = fc.oneof({ weight: 9, arbitrary: written }, { weight: 1, arbitrary: pass })

function connect(accountId: string) {
  const connection = { provider: 'crm' as const, isLive: false, sealedSecret: 'sealed', secretHint: null, at }
  return (tenant: Tenant) => saveConnection(tenant, { ...connection, accountId })
}

describe('the totals of lists', () => {
  it('are what a count of the rows gives, after every step of any writers', patience, async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
        for (const { name, run } of steps) {
          seen.add(name)
          await within(run)
          expect(await faults(), name).toEqual([])
        }
      }),
      { numRuns: sequences, endOnFailure: true },
    )
    expect(Object.keys(writers).filter((name) => !seen.has(name))).toEqual([])
  })

  it('are as before after a step that was rolled back', patience, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 10 }), async (steps) => {
        for (const [{ run }, isKept] of steps) {
          const undo = new Error('undo')
          const working = within(async (tenant) => {
            await run(tenant)
            if (!isKept) throw undo
          })
          await (isKept ? working : expect(working).rejects.toBe(undo))
        }
        expect(await faults()).toEqual([])
      }),
      { numRuns: sequences / 2, endOnFailure: true },
    )
  })

  it(
    'are what a count gives after writers that run at once, and while totals are added up or counted',
    patience,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(step, step, pass, pass), { minLength: 3, maxLength: 6 }),
          async (rounds) => {
            for (const steps of rounds) {
              const results = await Promise.allSettled(steps.map(({ run }) => within(run)))
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

  it('of what an account had go with it; those of matches stay', async () => {
    await within((tenant) => replaceEvents(tenant, ['cus_1'], [eventOf(firstEvent)], at))
    await within((tenant) =>
      writeMatches(
        tenant,
        '1',
        [{ customerId: 'cus_1', state: 'ignored', evidence: 'person', company: null }],
        at,
      ),
    )
    await within(clearPaymentAccount)
    expect(await faults()).toEqual([])
    expect(
      await query(db.ownerUrl, 'select list, sum(row_count)::integer as rows from list_totals group by list'),
    ).toEqual([{ list: 'matches', rows: 1 }])
  })

  it('are put right by a recount, and only by it, if a row was written past the writers', async () => {
    await query(
      db.ownerUrl,
      `insert into matches (organization_id, customer_id, portal_id, state, evidence) values (1, 'cus_1', '1', 'pending', 'x')`,
    )
    await within(addUpTotals)
    expect(await faults()).toHaveLength(1)
    await within(recountTotals)
    expect(await faults()).toEqual([])
  })

  it('are few rows once they are added up', async () => {
    const rows = async () =>
      (await query<{ rows: number }>(db.ownerUrl, 'select count(*)::integer as rows from list_totals'))[0]
        ?.rows
    for (const mrrStatus of ['New', 'Upgrade', 'Churn'] as const)
      await within((tenant) => replaceEvents(tenant, ['cus_1'], [eventOf({ ...firstEvent, mrrStatus })], at))
    expect(await rows()).toBe(5)
    await within(addUpTotals)
    expect(await rows()).toBe(1)
  })
})

const firstEvent = { id: 'ev_1', customerId: 'cus_1', mrrStatus: 'New' } as const
