import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { dumpOf } from '#test/dump.ts'
import { type Bench, enterprise, openBench, saveLedger, starter } from '#test/push/open-bench.ts'
import { makeKey, objectScopes, recordScopes } from '#test/push/service-keys.ts'
import { getCrmObjects } from '../crm/ensure-crm-objects.ts'
import { createObjectsByKey } from './create-objects-by-key.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db)
  await bench.control('/_control/settings', { hubId: enterprise, schemaRefusals: { app: 'approval' } })
})

const createBy = (key: string) => createObjectsByKey(bench.deps, bench.organizationId, key)
const refusalOf = (message: RegExp) => ({ message: expect.stringMatching(message) })

describe('a service key for this one act', () => {
  it('creates both objects, is stored nowhere, and the app goes on with its own token', async () => {
    await bench.connect()
    const key = await makeKey(bench, { scopes: objectScopes })
    expect(await createBy(` ${key}\n`)).toMatchObject({ isReady: true, advice: null })
    expect(await dumpOf(db.ownerUrl)).not.toContain(key)
    const [kept] = await query<{ hint: string | null }>(
      db.ownerUrl,
      'select secret_hint as hint from connections where organization_id = $1 and provider = $2',
      [bench.organizationId, 'crm'],
    )
    expect(kept).toEqual({ hint: null })
    await bench.control('/_control/delete-key', { key })
    await saveLedger(bench, [{ id: 'a', name: 'Alpha', email: null, mrrCents: 1_000 }])
    expect(await bench.push()).toMatchObject({ status: 'completed', processed_records: 2, failed_records: 0 })
  })

  it('is used for the calls of schemas only', async () => {
    await bench.connect()
    bench.simulator.requests.clear()
    await createBy(await makeKey(bench))
    const paths = new Set(bench.simulator.requests.list('/').map(({ path }) => path.split('/')[1]))
    expect([...paths].filter((area) => area !== '_control').sort()).toEqual([
      'crm',
      'crm-object-schemas',
      'oauth',
    ])
    const records = bench.simulator.requests.list('/crm/objects')
    expect(records).toEqual([])
  })

  it('that may not create them either says so, and the connection is unharmed', async () => {
    await bench.control('/_control/settings', {
      hubId: enterprise,
      schemaRefusals: { app: 'approval', key: 'plan' },
    })
    await bench.connect()
    expect(await createBy(await makeKey(bench))).toMatchObject({
      isReady: false,
      objects: [{ state: 'failed', reason: expect.stringContaining('does not permit this') }, {}],
    })
  })

  it.each([
    [
      'without the scopes',
      { scopes: recordScopes },
      /lacks 2 scopes crm\.schemas\.custom\.read, crm\.schemas\.custom\.write/,
    ],
    [
      'of another portal',
      { hubId: starter },
      /belongs to HubSpot account 24180002, but account 24180001 is connected/,
    ],
  ])('%s is refused, and nothing changes', async (_, wanted, message) => {
    await bench.connect()
    const before = await getCrmObjects(bench.deps, bench.organizationId)
    await expect(createBy(await makeKey(bench, wanted))).rejects.toMatchObject(refusalOf(message))
    expect(await getCrmObjects(bench.deps, bench.organizationId)).toEqual(before)
  })

  it('that ends in the middle is told as such, and is not taken for the end of the connection', async () => {
    await bench.connect()
    const key = await makeKey(bench)
    await bench.control('/_faults', {
      kind: 'status',
      status: 401,
      match: { pathPrefix: '/crm-object-schemas', times: null },
    })
    await expect(createBy(key)).rejects.toMatchObject(refusalOf(/no longer accepts this key/))
    const [kept] = await query<{ warning: string | null }>(
      db.ownerUrl,
      'select warning from connections where organization_id = $1 and provider = $2',
      [bench.organizationId, 'crm'],
    )
    expect(kept).toEqual({ warning: null })
  })

  it('needs a connection first', async () => {
    await expect(createBy(await makeKey(bench))).rejects.toMatchObject({ code: 'not_connected' })
  })
})
