import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { createByHand } from '#test/push/hand-made-objects.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { ensureCrmObjects, getCrmObjects } from './ensure-crm-objects.ts'
import { checkObjects, takeOverObjects } from './take-over-objects.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db)
})

const subscription = 'tributary_subscription'
const event = 'tributary_event'
const refuse = (by: { app?: string; key?: string }) =>
  bench.control('/_control/settings', { hubId: enterprise, schemaRefusals: by })
const state = () => getCrmObjects(bench.deps, bench.organizationId)
const retry = () => ensureCrmObjects(bench.deps, bench.organizationId)
const check = () => checkObjects(bench.deps, bench.organizationId)
const takeOver = (objects: { name: string; objectTypeId: string }[]) =>
  takeOverObjects(bench.deps, bench.organizationId, objects)
const confirmed = (made: Record<string, string>) =>
  Object.entries(made).map(([name, objectTypeId]) => ({ name, objectTypeId }))
const writes = () => bench.simulator.requests.list('/').filter(({ method }) => method !== 'GET')

describe('HubSpot lets the app create no objects', () => {
  it.each(['plan', 'scope', 'approval'])(
    'for want of %s: says what it can be and what to do',
    async (app) => {
      await refuse({ app })
      await bench.connect()
      expect(await state()).toMatchObject({
        isReady: false,
        objects: [
          {
            state: 'failed',
            reason: expect.stringMatching(
              /permission was not granted, the plan lacks the feature, or the app is not approved for it/,
            ),
          },
          { state: 'missing' },
        ],
        advice: expect.stringMatching(/Enterprise.*lets only some apps.*press Retry.*other ways below/),
        hasOtherWays: true,
      })
      expect((await retry()).isReady).toBe(false)
      await refuse({})
      expect(await retry()).toMatchObject({ isReady: true, advice: null })
    },
  )
})

describe('objects that somebody else made', () => {
  beforeEach(async () => {
    await refuse({ app: 'approval' })
    await bench.connect()
    await saveLedger(bench, [{ id: 'a', name: 'Alpha', email: null, mrrCents: 1_000 }])
  })

  it('are written to by nothing until a person has confirmed them', async () => {
    const made = await createByHand(bench, enterprise, { [subscription]: { properties: { quantity: null } } })
    bench.simulator.requests.clear()
    expect(await retry()).toMatchObject({
      isReady: false,
      objects: [
        {
          state: 'failed',
          reason: expect.stringContaining(`an object named ${subscription} that Tributary did not`),
        },
        { state: 'failed' },
      ],
      advice: expect.stringContaining('confirm there that they may be used'),
    })
    expect(await bench.push()).toMatchObject({ status: 'failed' })
    const isTheirs = ({ path }: { path: string }) =>
      Object.values(made).some((typeId) => path.includes(typeId))
    expect(writes().filter(isTheirs)).toEqual([])
  })

  it('are used once confirmed: what they lack is added, every record is written, also after a reconnect', async () => {
    const made = await createByHand(bench, enterprise, {
      [subscription]: { properties: { quantity: null, status: { options: [{ label: 'A', value: 'a' }] } } },
    })
    expect(await takeOver(confirmed(made))).toMatchObject({ isReady: true, advice: null })
    expect(await bench.push()).toMatchObject({ status: 'completed', processed_records: 2, failed_records: 0 })
    expect(dumpCrm(bench).subscription).toHaveLength(1)
    await bench.connect()
    expect(await state()).toMatchObject({ isReady: true })
    expect((await check()).map(({ isOurs, differences }) => [isOurs, differences])).toEqual([
      [true, []],
      [true, []],
    ])
  })

  it('stay confirmed while HubSpot lets nobody see them', async () => {
    await takeOver(confirmed(await createByHand(bench, enterprise)))
    await bench.control('/_faults', {
      kind: 'status',
      status: 403,
      match: { pathPrefix: '/crm-object-schemas' },
    })
    expect(await retry()).toMatchObject({ isReady: false })
    expect(await retry()).toMatchObject({ isReady: true })
  })

  it('are refused where they do not fit, by what the server itself sees', async () => {
    const made = await createByHand(bench, enterprise, {
      [subscription]: { properties: { mrr: { type: 'string', fieldType: 'text' } } },
    })
    await expect(takeOver(confirmed(made))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        'does not fit yet. Correct this, then check again: mrr has the type string',
      ),
    })
    await expect(takeOver([{ name: event, objectTypeId: '2-1' }])).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('have changed since'),
    })
    await expect(takeOver([{ name: 'contacts', objectTypeId: '0-1' }])).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await retry()).toMatchObject({ isReady: false })
  })

  it('get every record anew where they stand in the place of ours', async () => {
    await refuse({})
    await retry()
    await bench.push()
    const before = dumpCrm(bench)
    for (const name of [event, subscription]) {
      const typeId = bench.simulator
        .portal(enterprise)
        .schemas()
        .find((one) => one.name === name)?.typeId
      for (const { id } of bench.simulator.portal(enterprise).records(typeId ?? ''))
        await bench.control('/_control/archive', { hubId: enterprise, type: typeId, id })
      for (const forGood of [false, true])
        await bench.control('/_control/delete-object', { hubId: enterprise, type: typeId, forGood })
    }
    const made = await createByHand(bench, enterprise)
    expect(await retry()).toMatchObject({ isReady: false })
    expect(await takeOver(confirmed(made))).toMatchObject({ isReady: true })
    expect(await bench.push()).toMatchObject({ status: 'completed', processed_records: 2, failed_records: 0 })
    expect(dumpCrm(bench)).toEqual(before)
  })
})
