import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FaultKind } from '#simulators/stripe/faults/faults.ts'
import { goldenWorld } from '#test/import/golden-world.ts'
import { inAnyOrder } from '#test/import/in-any-order.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

/** GOLDEN=all tries every page size and many more orders. */
const isLong = process.env['GOLDEN'] === 'all'
const pageSizes = isLong ? Array.from({ length: 100 }, (_, index) => index + 1) : [1, 9, 100]
const seeds = Array.from({ length: isLong ? 60 : 3 }, (_, index) => index + 1)
const testTimeoutMs = 600_000

const world = goldenWorld(3)
const stages: ImportStage[] = []
let expected: Awaited<ReturnType<ImportStage['dump']>>

async function staged(more: Partial<Parameters<typeof stageImport>[0]> = {}): Promise<ImportStage> {
  const stage = await stageImport({ world, ...more })
  stages.push(stage)
  return stage
}

beforeAll(async () => {
  const unharmed = await staged()
  await unharmed.importAll()
  expected = await unharmed.dump()
})
afterAll(() => Promise.all(stages.map((stage) => stage.close())))

async function expectGolden({ importAll, dump }: ImportStage): Promise<void> {
  expect(await importAll()).toMatchObject({ status: 'completed', failed_records: 0 })
  expect(await dump()).toEqual(expected)
}

/** The path of every list that the import requests, nested lists included. */
const places = [
  ...['subscriptions', 'invoices', 'customers', 'products', 'coupons', 'invoice_payments', 'events'],
  ...['prices?', 'subscription_items', 'invoices/in_many/lines', 'test_helpers/test_clocks'],
].map((place) => `/v1/${place}`)

async function strikeEverywhere({ simulator }: ImportStage, fault: object, match: object): Promise<void> {
  for (const pathPrefix of places) {
    const body = JSON.stringify({ ...fault, match: { pathPrefix, ...match } })
    const answer = await simulator.fetch(new Request('http://stripe.test/_faults', { method: 'POST', body }))
    expect(answer.status).toBe(201)
  }
}

describe('an import leaves the same', () => {
  it(
    'in whatever pages the lists come',
    async () => {
      for (const pageSize of pageSizes) {
        const stage = await staged({ pageSize })
        await expectGolden(stage)
      }
    },
    testTimeoutMs,
  )

  it(
    'in whatever order the answers come',
    async () => {
      for (const seed of seeds) await expectGolden(await staged({ pageSize: 4, around: inAnyOrder(seed) }))
    },
    testTimeoutMs,
  )

  type Case = [kind: FaultKind, more: object, times: number, nth?: number]
  const transient: Case[] = [
    ['rate_limit', { reason: 'global-rate' }, 3],
    ['rate_limit', { reason: 'endpoint-concurrency', retryAfter: '-5' }, 3],
    ['rate_limit', { reason: 'resource-specific', retryAfter: '99999999999' }, 3],
    ['lock_timeout', {}, 3],
    ['status', { status: 500 }, 3],
    ['status', { status: 503, shouldRetry: true }, 3],
    ['status', { status: 409 }, 3],
    ['html', {}, 3],
    ['html', { status: 200 }, 3],
    ['empty', {}, 3],
    ['empty', { status: 504 }, 3],
    ['error_body', {}, 3],
    ['random', {}, 3],
    ['redirect', { location: 'http://169.254.169.254/' }, 3],
    ['reset', {}, 3],
    ['truncate', {}, 3],
    ['cut_json', {}, 3],
    ['wrong_kind', {}, 3],
    ['empty_page', {}, 3],
    ['repeat_page', {}, 1, 2],
    ['repeat_page', {}, 3, 2],
    ['long_page', {}, 2],
  ]
  it.each(transient)('with %s %j at each place, and again', async (kind, more, times, nth = 1) => {
    const stage = await staged({ pageSize: 20 })
    await connectPayments(stage.deps, stage.organizationId, demoKey)
    await strikeEverywhere(stage, { kind, ...more }, { nth, times })
    const ended = await stage.work(await stage.start())
    expect(ended).toMatchObject({ status: 'completed', failed_records: 0, error: null })
    expect(await stage.dump()).toEqual(expected)
    const struck = stage.simulator.faults.list.filter(({ seen, match }) => seen >= match.nth)
    expect(struck.length).toBeGreaterThanOrEqual(nth === 1 ? places.length : 2)
  })
})
