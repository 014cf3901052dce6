import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { recordIdOf, reviewerOf } from '#test/match/matches.ts'
import { Crash, dying, moments } from '#test/push/death.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { typeOf } from '#test/push/people.ts'
import { associationKinds } from '../../store/crm/crm-associations.ts'
import { countSynced } from '../../store/crm/crm-links.ts'
import { findRecordStanding } from '../../store/crm/record-standing.ts'
import { countRefused, findLastTries, findRefusals } from '../../store/crm/refusals.ts'
import { listSubscriptions } from '../../store/lists/subscription-list.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { updateSettings } from '../../store/setup/settings.ts'
import { linkCustomer } from '../match/review/review-match.ts'
import { repairNow } from './repair-associations.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

/** `npm run prove -- crashes` takes every moment at every request; otherwise the three take turns. */
const isEvery = process.env['CRASHES'] === 'all'

const companies = ['Alpha', 'Beta', 'Gamma'].map((name) => ({
  name,
  domain: `${name.toLowerCase()}.example`,
}))

/** Two customers, each with its own company, in a portal where an admin then sets association limits. */
async function openMatched(): Promise<Bench> {
  const opened = await openBench(db, { seed: { companies, contacts: [] } })
  await opened.connect()
  await inOrganization(opened.deps.database, opened.organizationId, (tenant) =>
    updateSettings(tenant, { autoCreateContacts: false, autoSyncEnabled: true }),
  )
  await saveLedger(
    opened,
    ['alpha', 'beta'].map((id) => ({ id, name: id, email: `kim@${id}.example`, mrrCents: 100 })),
  )
  await opened.push()
  return opened
}
beforeEach(async () => {
  bench = await openMatched()
})

/** Limits the companies per record, or the records per company. */
const allow = (one: Bench, direction: 'company of a record' | 'record of a company', max = 1) => {
  const associations = (['subscription', 'event'] as const).map((kind) => {
    const [record, company] = [typeOf(one, kind), '0-2']
    return direction === 'company of a record'
      ? { from: record, to: company, max }
      : { from: company, to: record, max }
  })
  return one.control('/_control/settings', { hubId: enterprise, limits: { associations } })
}
const move = (one: Bench, customer: string, name: string) =>
  linkCustomer(one.deps, one.organizationId, `cus_${customer}`, {
    companyRecordId: recordIdOf(one, '0-2', 'name', name),
    remember: false,
    by: reviewerOf(one),
  })
const ties = (one: Bench) =>
  dumpCrm(one)
    .associations.filter((tie) => /^(subscription|event) .* -> company/.test(tie))
    .map((tie) => tie.replace('company ', ''))
const at = (customer: string, company: string) => [
  `event ev_${customer} -> ${company}.example`,
  `subscription sub_${customer} -> ${company}.example`,
]

/** What the product tells of a customer's refused ties, wherever it tells of failing records. */
const toldOf = (one: Bench, customer: string) =>
  inOrganization(one.deps.database, one.organizationId, async (tenant) => {
    const portalId = String(enterprise)
    const { state, error } = await findRecordStanding(tenant, portalId, `sub_${customer}`)
    const synced = await countSynced(tenant, portalId)
    const reasons = [
      ...(await findRefusals(tenant, 'subscription', [`sub_${customer}`])),
      ...(await findRefusals(tenant, 'event', [`ev_${customer}`])),
    ]
    const tried = await findLastTries(tenant, 'subscription', [`sub_${customer}`])
    const filter = { isFailing: true, search: '', page: 1, limit: 10 }
    const failing = await listSubscriptions(tenant, { ...filter, sort: 'updatedAt', order: 'desc' })
    return {
      refused: await countRefused(tenant, portalId),
      failing: failing.subscriptions.map(({ id }) => id),
      reasons: Object.fromEntries(reasons),
      tried: [...tried.keys()],
      standing: { state, error },
      synced,
    }
  })

describe('a customer that a person moves, where a record may have one company', () => {
  it.each([
    ['a person', { retriesFailed: true }],
    ['the clock', { retriesFailed: false, isScheduled: true }],
  ])('goes with its records to the new one at the next sync of %s, without a word', async (_, options) => {
    await allow(bench, 'company of a record')
    await move(bench, 'alpha', 'Gamma')
    const run = await bench.push(options)
    expect(await bench.errorsOf(run.id)).toEqual([])
    expect(ties(bench)).toEqual([...at('alpha', 'gamma'), ...at('beta', 'beta')].sort())
    bench.simulator.requests.clear()
    await bench.push(options)
    expect(bench.simulator.requests.list('/crm/associations')).toEqual([])
  })

  it('stays with the former one as long as the new one is refused for another reason', async () => {
    await allow(bench, 'company of a record')
    await bench.control('/_control/settings', {
      hubId: enterprise,
      limits: {
        associations: (['subscription', 'event'] as const).flatMap((kind) => [
          { from: typeOf(bench, kind), to: '0-2', max: 1 },
          { from: '0-2', to: typeOf(bench, kind), max: 1 },
        ]),
      },
    })
    await move(bench, 'alpha', 'Beta')
    const run = await bench.push()
    const before = [...at('alpha', 'alpha'), ...at('beta', 'beta')].sort()
    expect(ties(bench)).toEqual(before)
    const refusal = expect.stringMatching(/^Not associated with the company: /)
    expect(await toldOf(bench, 'alpha')).toEqual({
      refused: 2,
      failing: ['sub_alpha'],
      reasons: { sub_alpha: refusal, ev_alpha: refusal },
      tried: ['sub_alpha'],
      standing: { state: 'failed', error: refusal },
      synced: { subscriptions: 1, events: 1 },
    })
    expect(await bench.errorsOf(run.id)).toEqual(
      Array(2).fill(
        expect.stringMatching(
          /^Not associated with the company: .* It stays with the former one until then\.$/,
        ),
      ),
    )
    expect(await bench.errorsOf((await bench.push()).id)).toEqual([])
    expect(ties(bench)).toEqual(before)
    // The other record moves away, which makes room for the refused association.
    await move(bench, 'beta', 'Gamma')
    await bench.push()
    expect(ties(bench)).toEqual([...at('alpha', 'beta'), ...at('beta', 'gamma')].sort())
    expect(await toldOf(bench, 'alpha')).toEqual({
      refused: 0,
      failing: [],
      reasons: {},
      tried: [],
      standing: { state: 'synced', error: null },
      synced: { subscriptions: 2, events: 2 },
    })
  })

  it('is followed to its end, whichever request the process dies at', async () => {
    const prepare = async () => {
      const opened = await openMatched()
      await allow(opened, 'company of a record')
      await move(opened, 'alpha', 'Gamma')
      return opened
    }
    const counted = dying(bench)
    await allow(bench, 'company of a record')
    await move(bench, 'alpha', 'Gamma')
    await bench.push(counted)
    const isOfTies = (path: string) => path.includes(`${typeOf(bench, 'subscription')}/0-2/batch/`)
    const steps = counted.asked.flatMap((path, index) => (isOfTies(path) ? [index + 1] : []))
    expect(steps).toHaveLength(5)
    for (const [index, number] of steps.entries()) {
      for (const moment of isEvery ? moments : moments.slice(index % 3, (index % 3) + 1)) {
        const one = await prepare()
        const death = { kind: 'request', number, moment } as const
        const failed = await one.push(dying(one, death)).catch((error: unknown) => error)
        if (moment !== 'lost') expect(failed).toBeInstanceOf(Crash)
        if (await one.findRunning()) await one.resume()
        expect(ties(one), `${moment} request ${number}`).toEqual(ties(bench))
      }
    }
  })
})

describe('a refused tie', () => {
  beforeEach(async () => {
    await allow(bench, 'record of a company')
    await move(bench, 'alpha', 'Beta')
    await bench.push()
    const told = { refused: 2, failing: ['sub_alpha'], tried: ['sub_alpha'] }
    expect(await toldOf(bench, 'alpha')).toMatchObject(told)
  })

  it('is still told after a person had all missing ones made, which met the same refusal', async () => {
    await repairNow(bench.deps, bench.organizationId, associationKinds)
    expect(await toldOf(bench, 'alpha')).toMatchObject({ refused: 2, failing: ['sub_alpha'] })
  })

  it('leaves the rest of what is known of the record', async () => {
    const standing = await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
      findRecordStanding(tenant, String(enterprise), 'sub_alpha'),
    )
    const objectTypeId = typeOf(bench, 'subscription')
    expect(standing).toEqual({
      state: 'failed',
      recordId: recordIdOf(bench, objectTypeId, 'stripe_subscription_id', 'sub_alpha'),
      objectTypeId,
      syncedAt: expect.any(Date),
      error: expect.stringMatching(/^Not associated with the company: /),
    })
  })

  it('is not told of the company that the customer has again', async () => {
    await move(bench, 'alpha', 'Alpha')
    expect(await toldOf(bench, 'alpha')).toMatchObject({ refused: 0, failing: [], reasons: {}, tried: [] })
  })

  it('is not told of a record that somebody deleted', async () => {
    const id = recordIdOf(bench, typeOf(bench, 'subscription'), 'stripe_subscription_id', 'sub_alpha')
    await bench.control('/_control/archive', { hubId: enterprise, type: typeOf(bench, 'subscription'), id })
    bench.clock.now += 600_000
    await bench.push({ retriesFailed: false, isScheduled: true })
    expect(await toldOf(bench, 'alpha')).toMatchObject({
      refused: 1,
      failing: [],
      standing: { state: 'removed' },
    })
  })
})

describe('a customer that waits for the place of another, where a company may have one record', () => {
  it('has the new company alone after the sync that makes room', async () => {
    await allow(bench, 'record of a company')
    await move(bench, 'alpha', 'Beta')
    await bench.push()
    await move(bench, 'beta', 'Gamma')
    await bench.push()
    expect(ties(bench)).toEqual([...at('alpha', 'beta'), ...at('beta', 'gamma')].sort())
  })
})

describe('two customers that change places, where a company may have one record', () => {
  it('are both in their new places after one sync', async () => {
    await allow(bench, 'record of a company')
    await move(bench, 'alpha', 'Beta')
    await move(bench, 'beta', 'Alpha')
    const run = await bench.push()
    expect(await bench.errorsOf(run.id)).toEqual([])
    expect(ties(bench)).toEqual([...at('alpha', 'beta'), ...at('beta', 'alpha')].sort())
  })
})
