import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { reviewerOf, tiesOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { linkCustomer } from '../../match/review/review-match.ts'

let db: TestDatabase
let bench: Bench
let before: ReturnType<typeof dumpCrm>
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const seed = {
  companies: [
    { name: 'Alpha', domain: 'alpha.example' },
    { name: 'Beta', domain: 'beta.example' },
    { name: 'Beta Branch', domain: 'branch.example' },
  ],
  contacts: [
    { email: 'pat@alpha.example', companyDomain: 'alpha.example' },
    { email: 'kim@beta.example', companyDomain: 'beta.example' },
  ],
}
const ledger = [
  { id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 },
  { id: 'b', name: 'Beta Ltd', email: 'kim@beta.example', mrrCents: 2_050 },
]
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

beforeEach(async () => {
  bench = await openBench(db, { seed })
  await bench.connect()
  await saveLedger(bench, ledger)
  bench.clock.now += minuteMs
  await bench.push()
  before = dumpCrm(bench)
  bench.clock.now += 10 * minuteMs
})

const typeNames = { subscription: 'tributary_subscription', event: 'tributary_event' }
function typeOf(kind: 'subscription' | 'event' | 'company' | 'contact'): string {
  if (kind === 'company') return '0-2'
  if (kind === 'contact') return '0-1'
  const schema = bench.simulator
    .portal(enterprise)
    .schemas()
    .find(({ name }) => name === typeNames[kind])
  return schema?.typeId ?? ''
}
/** The id of the record that has this value in one of its properties. */
function idOf(kind: Parameters<typeof typeOf>[0], value: string): string {
  const records = bench.simulator.portal(enterprise).records(typeOf(kind))
  return records.find(({ properties }) => Object.values(properties).includes(value))?.id ?? ''
}
/** A person's action in HubSpot, some time after everything else. */
function inHubspot(what: string, kind: Parameters<typeof typeOf>[0], body: object): Promise<void> {
  bench.clock.now += minuteMs
  return bench.control(`/_control/${what}`, { hubId: enterprise, type: typeOf(kind), ...body })
}
const requests = () => bench.simulator.requests.list('/crm').length

async function pushAfter(waitMs = 10 * minuteMs, options: Parameters<Bench['push']>[0] = {}) {
  bench.clock.now += waitMs
  bench.simulator.requests.clear()
  const run = await bench.push(options)
  expect(run.status).toBe('completed')
  return { run, log: (await bench.logOf(run.id)).join('\n'), errors: await bench.errorsOf(run.id) }
}

describe('a push after people were at work in HubSpot', () => {
  it('costs five requests when nobody was', async () => {
    await pushAfter()
    expect(requests()).toBeLessThanOrEqual(5)
  })

  it('writes an edited record again, and names it and the field', async () => {
    await inHubspot('edit', 'subscription', { id: idOf('subscription', 'sub_a'), properties: { mrr: '7' } })
    const { run, log } = await pushAfter()
    expect(run).toMatchObject({ processed_records: 1 })
    expect(log).toContain('sub_a: edited in HubSpot (MRR)')
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('lets alone what people write into fields of their own, and companies', async () => {
    await inHubspot('edit', 'company', {
      id: idOf('company', 'alpha.example'),
      properties: { name: 'Renamed' },
    })
    const { run, log } = await pushAfter()
    expect(run).toMatchObject({ processed_records: 0 })
    expect(log).not.toContain('edited')
    expect(dumpCrm(bench).company.join()).toContain('Renamed')
  })

  it('parks a deleted record with the reason, and brings it back when a person syncs', async () => {
    await inHubspot('archive', 'subscription', { id: idOf('subscription', 'sub_a') })
    const parked = await pushAfter()
    expect(parked.errors).toEqual([expect.stringContaining('This record was deleted in HubSpot')])
    const again = await pushAfter()
    expect(again).toMatchObject({ run: { processed_records: 0 }, errors: [] })
    expect(dumpCrm(bench).subscription).toHaveLength(1)
    const { run } = await pushAfter(minuteMs, { retriesFailed: true })
    expect(run).toMatchObject({ processed_records: 1, failed_records: 0 })
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('brings a deleted record back when it changes', async () => {
    await inHubspot('archive', 'subscription', { id: idOf('subscription', 'sub_a') })
    await pushAfter()
    await saveLedger(bench, [{ id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_100 }])
    expect((await pushAfter()).run).toMatchObject({ processed_records: 1 })
    expect(dumpCrm(bench).associations).toEqual(before.associations)
  })

  it.each(['frees', 'revives'])(
    'ties a deleted record that comes back to its present company alone, where HubSpot %s its key',
    async (archivedValue) => {
      await bench.control('/_control/settings', { hubId: enterprise, openAnswers: { archivedValue } })
      await inHubspot('archive', 'subscription', { id: idOf('subscription', 'sub_a') })
      await pushAfter()
      await linkCustomer(bench.deps, bench.organizationId, 'cus_a', {
        ...{ companyRecordId: idOf('company', 'beta.example'), remember: false, by: reviewerOf(bench) },
      })
      await saveLedger(bench, [{ id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_100 }])
      await pushAfter()
      expect(tiesOf(bench, 'subscription sub_a', 'company')).toEqual(['beta.example'])
      expect(tiesOf(bench, 'subscription sub_a', 'contact')).toEqual(['pat@alpha.example'])
    },
  )

  it('finds a restored record again', async () => {
    const id = idOf('subscription', 'sub_a')
    await inHubspot('archive', 'subscription', { id })
    await pushAfter()
    await inHubspot('restore', 'subscription', { id })
    const { log } = await pushAfter()
    expect(log).toContain('sub_a: its record was found')
    expect(dumpCrm(bench)).toEqual(before)
    expect(idOf('subscription', 'sub_a')).toBe(id)
  })

  it('takes two merged records apart: each has its own values and associations again', async () => {
    const [primaryId, secondaryId] = [idOf('subscription', 'sub_a'), idOf('subscription', 'sub_b')]
    await inHubspot('merge', 'subscription', { primaryId, secondaryId })
    const { log } = await pushAfter()
    expect(log).toContain('sub_a: its record was merged')
    expect(log).toContain('sub_b: its record was merged into that of sub_a')
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('lets matches follow merged companies and contacts, and asks for no decision again', async () => {
    const [primaryId, secondaryId] = [idOf('company', 'branch.example'), idOf('company', 'beta.example')]
    await inHubspot('merge', 'company', { primaryId, secondaryId })
    await inHubspot('merge', 'contact', {
      primaryId: idOf('contact', 'pat@alpha.example'),
      secondaryId: idOf('contact', 'kim@beta.example'),
    })
    const { run, log, errors } = await pushAfter()
    expect({ run, errors }).toMatchObject({ run: { processed_records: 0 }, errors: [] })
    expect(log).toContain('cus_b: its company was merged with another in HubSpot')
    const matches = await inOrganization(
      bench.deps.database,
      bench.organizationId,
      ({ sql, organizationId }) =>
        sql.selectFrom('matches').selectAll().where('organization_id', '=', organizationId).execute(),
    )
    expect(matches.map(({ state }) => state)).toEqual(['linked', 'linked'])
    expect(dumpCrm(bench).associations).toEqual(
      expect.arrayContaining([
        'subscription sub_b -> company branch.example',
        'event ev_b -> company branch.example',
        'subscription sub_b -> contact pat@alpha.example',
      ]),
    )
    await pushAfter()
    expect(requests()).toBeLessThanOrEqual(5)
  })

  it('gives the customers of a deleted company to the review, and ties them again when it is restored', async () => {
    const id = idOf('company', 'beta.example')
    await inHubspot('archive', 'company', { id })
    expect((await pushAfter()).log).toContain('Companies of 1 matched customers were deleted in HubSpot')
    expect((await pushAfter()).log).not.toContain('were deleted')
    expect(dumpCrm(bench).company).toHaveLength(2)
    await inHubspot('restore', 'company', { id })
    await pushAfter()
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('makes an association again that somebody took off, at the daily look', async () => {
    const path = `/crm/associations/2026-09/${typeOf('subscription')}/0-2/batch/archive`
    const to = [{ id: idOf('company', 'alpha.example') }]
    await bench.ask('POST', path, { inputs: [{ from: { id: idOf('subscription', 'sub_a') }, to }] })
    await pushAfter()
    expect(dumpCrm(bench)).not.toEqual(before)
    const { log } = await pushAfter(dayMs)
    expect(log).toContain('sub_a: its association with the company was removed in HubSpot')
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('reads every record once a day, whatever the signs say', async () => {
    await pushAfter(dayMs)
    const listed = bench.simulator.requests
      .list('/crm/objects/2026-09/2-')
      .filter(({ method }) => method === 'GET')
    expect(listed.map(({ route }) => route)).toEqual(Array(2).fill('/crm/objects/2026-09/{type}'))
    await pushAfter()
    expect(requests()).toBeLessThanOrEqual(5)
  })
})

describe('an association that HubSpot refuses', () => {
  it('is kept with its reason and asked for again only by a person', async () => {
    await saveLedger(bench, [{ id: 'c', name: 'Alpha Too', email: 'pat@alpha.example', mrrCents: 100 }])
    const path = `/crm/associations/2026-09/${typeOf('subscription')}/0-2`
    const message = 'This record has reached its limit of associations.'
    const fault = { kind: 'status', status: 400, category: 'VALIDATION_ERROR', message }
    await bench.control('/_faults', { ...fault, match: { pathPrefix: path, times: null } })
    const refused = await pushAfter()
    expect(refused.run).toMatchObject({ processed_records: 2, failed_records: 0 })
    expect(refused.errors).toEqual([`Not associated with the company: ${message}`])
    bench.simulator.faults.clear()
    expect((await pushAfter()).errors).toEqual([])
    expect(bench.simulator.requests.list(path)).toEqual([])
    await bench.retryFailed()
    expect(dumpCrm(bench).associations).toContain('subscription sub_c -> company alpha.example')
  })
})
