import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
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
  expect
    .poll(() =>
      query(
        ownerUrl,
        "select message from runs where status = 'in_progress' order by created_at desc limit 1",
      ),
    )
    .toEqual([{ message }])

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
    () => {
      bench.clock.now += 5_000
      return bad()
    },
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

it('an import says that Stripe is not answering until it does, and then its usual report', async () => {
  let isConnected = false
  let passedMs = 0
  let silent: Promise<void> | undefined
  let after = 0
  stage = await stageImport({
    world: smallWorld(),
    around: (fetch) => async (request) => {
      if (silent) {
        await silent
        // So that no other report comes within the second.
        passedMs = 0
        // It names the lists that are being read, whichever these are, and nothing between two phases.
        if (after++ > 0) await says(expect.stringMatching(/^(.+ \d+\.)?$/))
        return fetch(request)
      }
      if (!isConnected || !request.url.includes('/v1/invoices')) return fetch(request)
      silent = says("Stripe isn't answering. Retrying…")
      // The answers that are on their way arrive.
      await setTimeout(100)
      passedMs += 5_000
      return away()
    },
  })
  const { deps, db: own, organizationId, start, work } = stage
  const says = (message: unknown) => saysIn(own.ownerUrl, message)()
  const begunMs = deps.now().getTime()
  deps.now = () => new Date(begunMs + passedMs)
  await connectPayments(deps, organizationId, demoKey)
  isConnected = true
  expect(await work(await start())).toMatchObject({ status: 'completed' })
})

it('is told after some seconds without any answer, and taken back with the next one', () => {
  let atMs = 0
  const reported: [boolean, number][] = []
  const onHeard = createSilence(
    () => new Date(atMs),
    (isSilent) => reported.push([isSilent, atMs]),
  )
  const heard: [number, boolean][] = [
    [1_000, true],
    [3_900, false],
    [4_000, false],
    [4_100, false],
    [6_000, true],
    [6_100, true],
    [8_900, false],
    [9_500, false],
  ]
  for (const [at, isAnswered] of heard) {
    atMs = at
    onHeard(isAnswered)
  }
  expect(reported).toEqual([
    [true, 4_000],
    [false, 6_000],
    [true, 9_500],
  ])
})

it('is not told while one list fails and others are answered', () => {
  let atMs = 0
  const reported: boolean[] = []
  const onHeard = createSilence(
    () => new Date(atMs),
    (isSilent) => reported.push(isSilent),
  )
  for (; atMs < 60_000; atMs += 100) onHeard(atMs % 200 === 0)
  expect(reported).toEqual([])
})
