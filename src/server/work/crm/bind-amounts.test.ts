import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { createByHand } from '#test/push/hand-made-objects.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { bindAmounts, readAmounts } from './bind-amounts.ts'
import { ensureCrmObjects } from './ensure-crm-objects.ts'
import { withCrm } from './with-crm.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db)
})

const portalId = String(enterprise)
const read = () => readAmounts(bench.deps, bench.organizationId)
const bind = (portal = portalId) => bindAmounts(bench.deps, bench.organizationId, portal)
const writes = () => bench.simulator.requests.list('/').filter(({ method }) => method !== 'GET')
const typeIdOf = (name: string) =>
  bench.simulator
    .portal(enterprise)
    .schemas()
    .find((schema) => schema.name === name)?.typeId ?? ''
const pathOf = (name: string) => `/crm/properties/2026-09/${typeIdOf('tributary_event')}/${name}`
/** An admin of HubSpot, or another tool, changes a property of events. */
const patch = (name: string, body: object) => bench.ask('PATCH', pathOf(name), body)
/** HubSpot refuses this call, however often it is tried. */
const refuse = (name: string, status: number) =>
  bench.control('/_faults', { kind: 'status', status, match: { pathPrefix: pathOf(name), times: null } })
const heal = () => bench.simulator.fetch(new Request('http://api.hubspot.test/_faults', { method: 'DELETE' }))

/** 'property of its object: the property that names its currency' for each amount. */
const boundOf = ({ objects }: Awaited<ReturnType<typeof read>>) =>
  objects.flatMap(({ label, amounts }) =>
    amounts.map(({ property, boundTo }) => `${label} ${property}: ${boundTo}`),
  )
const plain = [
  'Stripe subscriptions mrr: null',
  'MRR events previous_mrr: null',
  'MRR events current_mrr: null',
  'MRR events mrr_change: null',
]
const inCurrency = plain.map((line) => line.replace('null', 'currency_code'))

describe('the amounts of our objects', () => {
  beforeEach(async () => {
    await bench.connect()
  })

  it('are plain numbers before somebody asks, also after a sync', async () => {
    await saveLedger(bench, [{ id: 'a', name: 'Alpha', email: null, mrrCents: 4_900 }])
    await bench.push()
    bench.simulator.requests.clear()
    expect(boundOf(await read())).toEqual(plain)
    expect(writes()).toEqual([])
  })

  it('show the currency of their record once confirmed, each by one call, and no value changes', async () => {
    await saveLedger(bench, [{ id: 'a', name: 'Alpha', email: null, mrrCents: 4_900, currency: 'eur' }])
    await bench.push()
    const before = dumpCrm(bench)
    bench.simulator.requests.clear()
    const bound = await bind()
    expect([bound.portalId, bound.problem, boundOf(bound)]).toEqual([portalId, null, inCurrency])
    expect(writes().map(({ method, status }) => [method, status])).toEqual(plain.map(() => ['PATCH', 200]))
    expect(await bench.ask('GET', pathOf('mrr_change'))).toMatchObject({
      currencyPropertyName: 'currency_code',
      showCurrencySymbol: true,
    })
    bench.simulator.requests.clear()
    expect(await bind()).toEqual(bound)
    expect(writes()).toEqual([])
    expect(dumpCrm(bench)).toEqual(before)
    expect(await bench.push()).toMatchObject({ status: 'completed', processed_records: 0 })
  })

  it('are finished later where HubSpot refuses one of them', async () => {
    await refuse('current_mrr', 400)
    const half = await bind()
    expect(boundOf(half)).toEqual([inCurrency[0], inCurrency[1], plain[2], inCurrency[3]])
    expect(half.problem).toEqual(expect.stringMatching(/\w/))
    await expect(bind()).rejects.toMatchObject({ kind: 'rejected', message: half.problem })
    await heal()
    expect(boundOf(await read())).toEqual(boundOf(half))
    bench.simulator.requests.clear()
    expect(boundOf(await bind())).toEqual(inCurrency)
    expect(writes()).toHaveLength(1)
  })

  it.each([503, 403])('stop at a %i, say how far it went, and go on from there', async (status) => {
    await refuse('previous_mrr', status)
    const half = await bind()
    expect(boundOf(half)).toEqual([inCurrency[0], ...plain.slice(1)])
    expect(half.problem).toMatch(status === 403 ? /does not permit this/ : /does not answer properly/)
    await heal()
    expect(await bind()).toMatchObject({ problem: null })
  })

  it('that were added since are asked about again', async () => {
    await bind()
    const added = ['convertedCurrency', 'convertedChange']
    await withCrm(bench.deps, bench.organizationId, ({ access }) =>
      bench.deps.crm.addFields(access, 'event', typeIdOf('tributary_event'), added),
    )
    expect(boundOf(await read())).toEqual([...inCurrency, 'MRR events reporting_mrr_change: null'])
    expect(boundOf(await bind()).at(-1)).toBe('MRR events reporting_mrr_change: reporting_currency_code')
  })

  it('are left as they are where somebody has bound them otherwise', async () => {
    await patch('mrr_change', { currencyPropertyName: 'own_currency', showCurrencySymbol: true })
    await patch('current_mrr', { showCurrencySymbol: true })
    expect(boundOf(await bind())).toEqual([...inCurrency.slice(0, 3), 'MRR events mrr_change: own_currency'])
  })

  it('are left out where their currency is gone, so that none follows a property that does not exist', async () => {
    const type = typeIdOf('tributary_event')
    await bench.control('/_control/archive-property', { hubId: enterprise, type, name: 'currency_code' })
    expect(boundOf(await bind())).toEqual([inCurrency[0]])
    expect(await bench.ask('GET', pathOf('mrr_change'))).not.toHaveProperty('currencyPropertyName')
  })

  it('of another account than the confirmed one are refused', async () => {
    bench.simulator.requests.clear()
    await expect(bind('24180009')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Another HubSpot account is connected now'),
    })
    expect(writes()).toEqual([])
  })
})

describe('objects that somebody else made', () => {
  it('are left alone before a person has confirmed them', async () => {
    await bench.control('/_control/settings', { hubId: enterprise, schemaRefusals: { app: 'approval' } })
    await bench.connect()
    expect(await read()).toEqual({ portalId, objects: [] })
    await createByHand(bench, enterprise)
    await ensureCrmObjects(bench.deps, bench.organizationId)
    bench.simulator.requests.clear()
    expect(await read()).toEqual({ portalId, objects: [] })
    await expect(bind()).rejects.toMatchObject({ code: 'conflict' })
    expect(writes()).toEqual([])
  })
})
