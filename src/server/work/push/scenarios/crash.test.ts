import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { Crash, type Death, dying, moments, type StepKind } from '#test/push/death.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization } from '../../../store/postgres/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const seed = {
  companies: [
    { name: 'Alpha', domain: 'alpha.example' },
    { name: 'Gamma', domain: 'gamma.example' },
    { name: 'Gamma Branch', domain: 'gamma-branch.example' },
    { name: 'Twin One', domain: 'twin.example' },
    { name: 'Twin Two', domain: 'twin.example' },
  ],
  contacts: [
    { email: 'pat@alpha.example', companyDomain: 'alpha.example' },
    { email: 'lou@gamma.example', additionalEmails: ['second@gamma.example'] },
  ],
}
/**
 * Companies that exist, that we create, that are duplicates, and one customer without any; HubSpot refuses one
 * record.
 */
const ledger = [
  { id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 },
  { id: 'b', name: 'Beta Ltd', email: 'kim@beta.example', mrrCents: 2_050 },
  { id: 'c', name: 'Beta Two', email: 'lee@beta.example', mrrCents: 300 },
  { id: 'd', name: 'Twin', email: 'sam@twin.example', mrrCents: 400 },
  { id: 'e', name: 'Kim Free', email: 'kim@gmail.com', mrrCents: 500 },
  { id: 'f', name: 'Refused by HubSpot', email: null, mrrCents: 600 },
  { id: 'g', name: 'Gamma', email: 'second@gamma.example', mrrCents: 700 },
  { id: 'h', name: 'Nobody', email: 'not an address', mrrCents: 800 },
]

const tokenLifeMs = 1_800_000

async function beforeFirst(): Promise<Bench> {
  const bench = await openBench(db, { seed })
  await bench.connect()
  // Connecting created the objects; after this the push must create them itself.
  const schemas = bench.simulator.portal(enterprise).schemas()
  for (const { typeId } of schemas.toReversed()) {
    await bench.ask('DELETE', `/crm-object-schemas/2026-09/schemas/${typeId}`)
    await bench.ask('DELETE', `/crm-object-schemas/2026-09/schemas/${typeId}?archived=true`)
  }
  await saveLedger(bench, ledger)
  bench.clock.now += 60_000
  return bench
}

/** After a first push, changes everything: the ledger, HubSpot, and a person's decisions. */
async function beforeSecond(): Promise<Bench> {
  const bench = await beforeFirst()
  await bench.push()
  bench.clock.now += 600_000
  const type = (name: string) =>
    bench.simulator
      .portal(enterprise)
      .schemas()
      .find((schema) => schema.name === name)?.typeId ?? name
  const idOf = (of: string, value: string) =>
    bench.simulator
      .portal(enterprise)
      .records(of)
      .find(({ properties }) => Object.values(properties).includes(value))?.id
  const people = (what: string, of: string, body: object) =>
    bench.control(`/_control/${what}`, { hubId: enterprise, type: of, ...body })
  const [subscriptions, events] = [type('tributary_subscription'), type('tributary_event')]
  await people('edit', subscriptions, { id: idOf(subscriptions, 'sub_a'), properties: { mrr: '1' } })
  await people('archive', subscriptions, { id: idOf(subscriptions, 'sub_e') })
  await people('merge', subscriptions, {
    primaryId: idOf(subscriptions, 'sub_b'),
    secondaryId: idOf(subscriptions, 'sub_c'),
  })
  await people('merge', events, { primaryId: idOf(events, 'ev_d'), secondaryId: idOf(events, 'ev_h') })
  await people('merge', '0-2', {
    primaryId: idOf('0-2', 'gamma-branch.example'),
    secondaryId: idOf('0-2', 'gamma.example'),
  })
  await people('archive', '0-1', { id: idOf('0-1', 'kim@beta.example') })
  const properties = `/crm/properties/2026-09/${subscriptions}`
  await bench.ask('DELETE', `${properties}/product_name`)
  for (const [object, target] of [
    [subscriptions, '0-1'],
    [events, subscriptions],
  ] as const) {
    const { results } = (await bench.ask('GET', `/crm/associations/2026-09/${object}/${target}/labels`)) as {
      results: { typeId: number }[]
    }
    const path = `/crm-object-schemas/2026-09/schemas/${object}/associations/${results[0]?.typeId}`
    await bench.ask('DELETE', path)
  }
  const active = { label: 'Active', value: 'active', displayOrder: 0, hidden: false }
  await bench.ask('PATCH', `${properties}/status`, { options: [active] })
  const alpha = idOf('0-2', 'alpha.example') ?? ''
  await inOrganization(bench.deps.database, bench.organizationId, async ({ sql, organizationId }) => {
    await sql
      .updateTable('matches')
      .set({ company_record_id: alpha, state: 'linked', evidence: 'person' })
      .where('organization_id', '=', organizationId)
      .where('customer_id', '=', 'cus_d')
      .execute()
    await sql
      .deleteFrom('events')
      .where('organization_id', '=', organizationId)
      .where('id', '=', 'ev_g')
      .execute()
  })
  await saveLedger(bench, [
    { id: 'a', name: 'Alpha Limited', email: 'pat@alpha.example', mrrCents: 1_500 },
    { id: 'i', name: 'Iota', email: 'jo@iota.example', mrrCents: 900 },
  ])
  // The token is now due for renewal, so the push includes that step.
  bench.clock.now += tokenLifeMs
  return bench
}

/** The CRM's content, and how many records were ever created: none may be created twice. */
function outcomeOf(bench: Bench) {
  const view = bench.simulator.portal(enterprise)
  const types = ['0-1', '0-2', ...view.schemas().map(({ typeId }) => typeId)]
  const made = types.map((type) => view.everMade(type).length)
  return { ...dumpCrm(bench), made }
}

/** Goes through one death; a successor continues if anything is left to do. */
async function liveThrough(bench: Bench, death: Death): Promise<void> {
  const failed = await bench.push(dying(bench, death)).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (death.moment !== 'lost') expect(failed).toBeInstanceOf(Crash)
  if (await bench.findRunning()) await bench.resume()
  expect(await bench.findRunning()).toBeUndefined()
}

/** `npm run prove -- crashes` tries every moment at every step; otherwise every sixth step gets one, in turn. */
const every = process.env['CRASHES'] === 'all' ? 1 : 6 * moments.length
const firstStep = (moment: Death['moment']) => 1 + ((6 * moments.indexOf(moment)) % every)
const testTimeoutMs = 600_000

/** The kinds of request that each push must make; without them the test would prove nothing. */
const makes = {
  first: [
    'POST schemas',
    'POST properties/0-2',
    'upsert',
    '0-2/batch/create',
    '0-1/batch/create',
    'associate/default',
  ],
  second: [
    'token',
    'POST properties/2-',
    'PATCH properties/2-',
    'POST schemas/2-',
    'upsert',
    'associate/default',
    'batch/archive',
  ],
}

describe.each([
  ['a first push', beforeFirst, { request: 15, write: 15 }, makes.first],
  ['a push after many changes', beforeSecond, { request: 15, write: 20 }, makes.second],
])('%s', (_, prepare, leastSteps, mustHave) => {
  let golden: ReturnType<typeof outcomeOf>
  let steps: Record<StepKind, number>
  beforeAll(async () => {
    const perfect = await prepare()
    const counted = dying(perfect)
    expect(await perfect.push(counted)).toMatchObject({ status: 'completed' })
    golden = outcomeOf(perfect)
    steps = counted.steps
    for (const step of mustHave) expect(counted.asked.join(' '), step).toContain(step)
    expect(steps.request).toBeGreaterThan(leastSteps.request)
    expect(steps.write).toBeGreaterThan(leastSteps.write)
  })

  it.each(
    (['request', 'write'] as const).flatMap((kind) => moments.map((moment) => [kind, moment] as const)),
  )(
    'ends in the CRM of a perfect run when a %s meets its end: %s',
    async (kind, moment) => {
      for (let number = firstStep(moment); number <= steps[kind]; number += every) {
        const bench = await prepare()
        await liveThrough(bench, { kind, number, moment })
        expect(outcomeOf(bench), `${moment} ${kind} ${number}`).toEqual(golden)
      }
    },
    testTimeoutMs,
  )
})
