import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { matchesOf, recordIdOf, reviewerOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { associationKinds } from '../../../store/crm/crm-associations.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { linkCustomer, unlinkCustomer } from '../../match/review/review-match.ts'
import { checkAssociations } from '../check-associations.ts'
import { repairNow } from '../repair-associations.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const seed = {
  companies: ['alpha', 'beta', 'gamma'].map((name) => ({ name, domain: `${name}.example` })),
  contacts: [],
}
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

beforeEach(async () => {
  bench = await openBench(db, { seed })
  await bench.connect()
  await saveLedger(bench, [
    { id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 },
    { id: 'a2', name: 'Another', email: 'kim@beta.example', mrrCents: 500 },
  ])
  bench.clock.now += minuteMs
  await bench.push()
  bench.clock.now += 10 * minuteMs
})

const typeOf = (name: string) =>
  bench.simulator
    .portal(enterprise)
    .schemas()
    .find((schema) => schema.name === `tributary_${name}`)?.typeId ?? ''
const companyId = (name: string) => recordIdOf(bench, '0-2', 'name', name)
const subscriptionId = (id: string) =>
  bench.simulator
    .portal(enterprise)
    .records(typeOf('subscription'))
    .find(({ properties }) => properties['stripe_subscription_id'] === id)?.id ?? ''

/** A person moves the record to other companies on its page in HubSpot. */
async function move(sourceId: string, from: string, ...to: string[]): Promise<void> {
  const path = `/crm/associations/2026-09/${typeOf('subscription')}/0-2/batch`
  const record = { id: subscriptionId(sourceId) }
  await bench.ask('POST', `${path}/archive`, { inputs: [{ from: record, to: [{ id: companyId(from) }] }] })
  for (const name of to)
    await bench.ask('POST', `${path}/associate/default`, {
      inputs: [{ from: record, to: { id: companyId(name) } }],
    })
}

const companiesOf = (key: string) =>
  dumpCrm(bench)
    .associations.filter((tie) => tie.startsWith(`${key} -> company`))
    .map((tie) => tie.split(' ').at(-1)?.replace('.example', ''))

/** Pushes, and asserts after every change of associations that the record counts for exactly one company. */
async function pushWatched(waitMs: number) {
  bench.clock.now += waitMs
  const { crm } = bench.deps
  const watch = <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) => {
    return async (...given: Given) => {
      const result = await call(...given)
      expect(companiesOf('subscription sub_a')).toHaveLength(1)
      return result
    }
  }
  const run = await bench.push({
    crm: { ...crm, associate: watch(crm.associate), dissociate: watch(crm.dissociate) },
  })
  return { run, log: (await bench.logOf(run.id)).join('\n') }
}

describe('a record that somebody took to another company in HubSpot', () => {
  it('takes its customer there, with every record, and counts for one company at any time', async () => {
    await move('sub_a', 'alpha', 'beta')
    await pushWatched(10 * minuteMs)
    expect(companiesOf('subscription sub_a')).toEqual(['beta'])
    const { log } = await pushWatched(dayMs)
    expect(log).toContain('cus_a: its subscription was moved to beta in HubSpot')
    expect((await matchesOf(bench))['a']).toBe('linked person beta')
    for (let round = 0; round < 2; round++) {
      expect([companiesOf('subscription sub_a'), companiesOf('event ev_a')]).toEqual([['beta'], ['beta']])
      await pushWatched(dayMs)
    }
    expect(companiesOf('subscription sub_a2')).toEqual(['beta'])
  })

  it('takes the place of what was chosen before, also once the company is deleted', async () => {
    await linkCustomer(bench.deps, bench.organizationId, 'cus_a', {
      ...{ companyRecordId: companyId('gamma'), remember: false, by: reviewerOf(bench) },
    })
    await bench.push()
    await move('sub_a', 'gamma', 'beta')
    bench.clock.now += dayMs
    await bench.push()
    expect((await matchesOf(bench))['a']).toBe('linked person beta')
    await bench.control('/_control/archive', { hubId: enterprise, type: '0-2', id: companyId('beta') })
    bench.clock.now += dayMs
    await bench.push()
    expect((await matchesOf(bench))['a']).toMatch(/^pending choice_gone/)
  })

  it('is not tied to the former one by a check of associations either', async () => {
    await move('sub_a', 'alpha', 'beta')
    const checks = await checkAssociations(bench.deps, bench.organizationId)
    expect(checks.map(({ missing }) => missing)).toEqual(associationKinds.map(() => 0))
    await repairNow(bench.deps, bench.organizationId, associationKinds)
    expect(companiesOf('subscription sub_a')).toEqual(['beta'])
  })

  it('can be taken on by a person in Match Review, and back in HubSpot', async () => {
    await move('sub_a', 'alpha', 'beta')
    await pushWatched(dayMs)
    await linkCustomer(bench.deps, bench.organizationId, 'cus_a', {
      ...{ companyRecordId: companyId('gamma'), remember: false, by: reviewerOf(bench) },
    })
    await bench.push()
    expect([companiesOf('subscription sub_a'), companiesOf('event ev_a')]).toEqual([['gamma'], ['gamma']])
    await move('sub_a', 'gamma', 'alpha')
    await pushWatched(dayMs)
    expect([companiesOf('subscription sub_a'), companiesOf('event ev_a')]).toEqual([['alpha'], ['alpha']])
  })

  it('has the company alone that a person chooses in Match Review before the daily look', async () => {
    await move('sub_a', 'alpha', 'beta')
    await linkCustomer(bench.deps, bench.organizationId, 'cus_a', {
      ...{ companyRecordId: companyId('gamma'), remember: false, by: reviewerOf(bench) },
    })
    await bench.push()
    for (let round = 0; round < 2; round++) {
      expect([companiesOf('subscription sub_a'), companiesOf('event ev_a')]).toEqual([['gamma'], ['gamma']])
      await pushWatched(dayMs)
    }
    expect((await matchesOf(bench))['a']).toBe('linked person gamma')
  })

  it('is not one that got a second company beside that which took the place of a deleted one', async () => {
    const ofCompany = { hubId: enterprise, type: '0-2' }
    await bench.control('/_control/create', {
      ...ofCompany,
      properties: { name: 'alpha two', domain: 'alpha.example' },
    })
    await bench.control('/_control/archive', { ...ofCompany, id: companyId('alpha') })
    await bench.push()
    await bench.ask(
      'POST',
      `/crm/associations/2026-09/${typeOf('subscription')}/0-2/batch/associate/default`,
      {
        inputs: [{ from: { id: subscriptionId('sub_a') }, to: { id: companyId('gamma') } }],
      },
    )
    for (let round = 0; round < 3; round++) {
      bench.clock.now += dayMs
      const { id } = await bench.push()
      expect((await bench.logOf(id)).join()).not.toContain('moved')
      expect((await matchesOf(bench))['a']).toBe('linked company_domain alpha two')
      expect(companiesOf('event ev_a')).toEqual(['alpha'])
    }
  })

  it('is left where it is while others of its customer stay, or where it went to several', async () => {
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql, organizationId }) =>
      sql
        .updateTable('subscriptions')
        .set({ customer_id: 'cus_a' })
        .where('organization_id', '=', organizationId)
        .where('id', '=', 'sub_a2')
        .execute(),
    )
    await bench.push()
    expect(companiesOf('subscription sub_a2')).toEqual(['alpha'])
    await move('sub_a', 'alpha', 'beta')
    const { log } = await pushWatched(dayMs)
    expect(log).toContain('cus_a: records of its subscriptions were moved to another company in HubSpot')
    expect([companiesOf('subscription sub_a'), companiesOf('subscription sub_a2')]).toEqual([
      ['beta'],
      ['alpha'],
    ])
    await move('sub_a2', 'alpha', 'beta', 'gamma')
    await pushWatched(dayMs)
    expect((await matchesOf(bench))['a']).toBe('linked company_domain alpha')
    expect(companiesOf('subscription sub_a2')).toEqual(['beta', 'gamma'])
  })
})

describe('a record of a waiting customer that somebody tied to a company in HubSpot', () => {
  const tie = (sourceId: string, name: string) => {
    const path = `/crm/associations/2026-09/${typeOf('subscription')}/0-2/batch/associate/default`
    return bench.ask('POST', path, {
      inputs: [{ from: { id: subscriptionId(sourceId) }, to: { id: companyId(name) } }],
    })
  }
  beforeEach(async () => {
    await saveLedger(bench, [{ id: 'w', name: 'Kim', email: 'kim@gmail.com', mrrCents: 700 }])
    await bench.push()
  })

  it('takes its customer there, so that nothing found later gives it a second company', async () => {
    await tie('sub_w', 'beta')
    await pushWatched(dayMs)
    expect((await matchesOf(bench))['w']).toBe('linked person beta')
    const contact = recordIdOf(bench, '0-1', 'email', 'kim@gmail.com')
    const path = `/crm/objects/2026-09/0-1/${contact}/associations/default/0-2/${companyId('gamma')}`
    await bench.ask('PUT', path)
    await pushWatched(dayMs)
    expect([companiesOf('subscription sub_w'), companiesOf('event ev_w')]).toEqual([['beta'], ['beta']])
  })

  it('lets the customer wait whose new company a person took back', async () => {
    await query(db.ownerUrl, `update matches set evidence = 'creation_undone' where customer_id = 'cus_w'`)
    await tie('sub_w', 'beta')
    await pushWatched(dayMs)
    expect((await matchesOf(bench))['w']).toMatch(/^pending creation_undone/)
  })

  it('to several, or after a person took the customer off a company, lets it wait', async () => {
    await tie('sub_w', 'beta')
    await tie('sub_w', 'gamma')
    await unlinkCustomer(bench.deps, bench.organizationId, 'cus_a', reviewerOf(bench))
    await bench.push()
    await tie('sub_a', 'beta')
    await bench.push()
    bench.clock.now += dayMs
    const { id } = await bench.push()
    expect((await bench.logOf(id)).join()).not.toContain('moved')
    const { a, w } = await matchesOf(bench)
    expect([a, w]).toEqual([
      expect.stringMatching(/^pending unlinked/),
      expect.stringMatching(/^pending free_mail/),
    ])
    expect(companiesOf('subscription sub_w')).toEqual(['beta', 'gamma'])
  })
})
