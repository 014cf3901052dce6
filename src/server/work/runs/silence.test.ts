import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createHubspotCrm } from '#server/providers/hubspot/create-hubspot-crm.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { ownPaces } from '#test/push/own-rate-limits.ts'
import { connectPayments } from '../connections/connect-payments.ts'
import { createSilence } from './silence.ts'

let db: TestDatabase
let stage: ImportStage | undefined
beforeAll(async () => {
  db = await newDatabase()
})
afterEach(async () => {
  await stage?.close()
  stage = undefined
})
afterAll(() => db.close())

const away = () => new Response('<html>', { status: 502 })
const locked = () => Response.json({}, { status: 423 })
const pause = () =>
  Response.json({ policyName: 'SECONDLY' }, { status: 429, headers: { 'retry-after': '1' } })

/**
 * Gives the first such request a bad answer. Waits at the repeated one, and at the request after it, until the run
 * says what is expected then.
 */
function answering(pattern: RegExp, bad: () => Response, told: (() => Promise<void>)[]) {
  let seen = 0
  return (fetch: (request: Request) => Promise<Response>) => async (request: Request) => {
    if (seen === 0 && !pattern.test(request.url)) return fetch(request)
    if (seen++ === 0) return bad()
    await told[seen - 2]?.()
    return fetch(request)
  }
}

const saysIn = (ownerUrl: string, message: unknown) => () =>
  vi.waitFor(async () => {
    const rows = await query<{ message: string }>(
      ownerUrl,
      "select message from runs where status = 'in_progress' order by created_at desc limit 1",
    )
    expect(rows[0]?.message).toEqual(message)
  })

const hubspotAway = "HubSpot isn't answering. Retrying…"

it.each([
  ['unanswered', away, [hubspotAway, 'Syncing subscriptions']],
  ['locked', locked, ['Syncing subscriptions', 'Syncing subscriptions']],
  ['asked to pause', pause, ['Syncing subscriptions', 'Syncing subscriptions']],
])('a sync says what it does, and only when it is %s that HubSpot is not answering', async (_, bad, said) => {
  const bench = await openBench(db, { seed: { companies: [], contacts: [] } })
  await bench.connect()
  await saveLedger(bench, [{ id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 }])
  const { now, sleep, config } = bench.deps
  const around = answering(
    /batch\/upsert/,
    bad,
    said.map((one) => saysIn(db.ownerUrl, one)),
  )
  const crm = createHubspotCrm({
    ...config.hubspot,
    ...{ now, sleep, paces: ownPaces(db.database, now) },
    fetch: around((request) => Promise.resolve(bench.simulator.fetch(request))),
  })
  expect(await bench.push({ crm })).toMatchObject({ status: 'completed', processed_records: 2 })
})

it.each([
  [423, 'HubSpot has locked this account for a moment. Trying again in a moment.'],
  [503, hubspotAway],
])('a sync that has to pause for status %i says why', async (status, message) => {
  const bench = await openBench(db, { seed: { companies: [], contacts: [] } })
  await bench.connect()
  await saveLedger(bench, [{ id: 'a', name: 'Alpha Ltd', email: 'pat@alpha.example', mrrCents: 1_000 }])
  const type = bench.simulator.portal(enterprise).schemas()[0]?.typeId
  const match = { pathPrefix: `/crm/objects/2026-09/${type}/batch/upsert`, times: 5 }
  await bench.control('/_faults', { kind: 'status', status, match })
  const pauses: number[] = []
  bench.deps.sleep = async (ms) => {
    pauses.push(ms)
    await saysIn(db.ownerUrl, message)()
  }
  expect(await bench.push()).toMatchObject({ status: 'completed', processed_records: 2 })
  expect(pauses).toEqual([5_000])
})

it('an import says that Stripe is not answering until it does', async () => {
  const told: (() => Promise<void>)[] = []
  stage = await stageImport({ world: smallWorld(), around: answering(/\/v1\/invoices/, away, told) })
  const { deps, db: own, organizationId, start, work } = stage
  await connectPayments(deps, organizationId, demoKey)
  told.push(saysIn(own.ownerUrl, "Stripe isn't answering. Retrying…"))
  told.push(saysIn(own.ownerUrl, expect.not.stringContaining("isn't answering")))
  expect(await work(await start())).toMatchObject({ status: 'completed' })
})

it('reports only what has changed', () => {
  const reported: boolean[] = []
  const onHeard = createSilence((isSilent) => reported.push(isSilent))
  for (const isAnswered of [true, true, false, false, true, true, false]) onHeard(isAnswered)
  expect(reported).toEqual([true, false, true])
})
