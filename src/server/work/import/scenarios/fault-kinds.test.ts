import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customer } from '#simulators/stripe/testing/stripe-objects.ts'
import { run as query } from '#test/database.ts'
import { goldenWorld } from '#test/import/golden-world.ts'
import { createSlowTime } from '#test/import/slow-time.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

const world = goldenWorld(4)
const pageSize = 20
const newestFirst = world.invoices.toSorted((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
const lists = [
  ...['subscriptions', 'invoices', 'customers', 'products', 'coupons', 'invoice_payments', 'prices'],
  ...['events', 'test_helpers/test_clocks'],
].map((list) => `/v1/${list}?`)

/** A draft invoice, because Stripe only deletes drafts. */
function draftAt(index: number) {
  const one = newestFirst.at(index)
  if (!one) throw new Error('the account has too few invoices')
  return { ...one, status: 'draft' }
}

type Dump = Awaited<ReturnType<ImportStage['dump']>>
type Row = Readonly<Record<string, unknown>>

let root: ImportStage
let whole: { dump: Dump; asked: number }
let asked = 0
const time = createSlowTime()
let stages = 0

beforeAll(async () => {
  root = await stageImport({
    ...{ world, pageSize, time },
    around: (fetch) => (request) => {
      asked += 1
      return fetch(request)
    },
  })
  const { own, end } = await begin([])
  expect(await end()).toMatchObject({ status: 'completed', failed_records: 0, error: null })
  whole = { dump: await own.dump(), asked }
})
afterAll(() => root.close())

const control = (method: 'POST' | 'DELETE', fault?: object) =>
  root.simulator.fetch(
    new Request('http://stripe.test/_faults', { method, ...(fault && { body: JSON.stringify(fault) }) }),
  )

/** A connected organization whose first import begins under these faults. */
async function begin(faults: readonly object[]) {
  const { simulator } = root
  await control('DELETE')
  simulator.setWorld(world)
  stages += 1
  const own = await root.another(`Stage ${stages}`)
  await connectPayments(own.deps, own.organizationId, demoKey)
  const started = await own.start()
  for (const fault of faults) expect((await control('POST', fault)).status).toBe(201)
  simulator.requests.clear()
  asked = 0
  return { own, end: () => time.passUntil(own.work(started)) }
}

/** The number of faults that have struck. */
const struck = () => root.simulator.faults.list.filter(({ seen, match }) => seen >= match.nth).length

async function importAnew(own: ImportStage, restart = true) {
  await control('DELETE')
  return time.passUntil(own.work(await own.start({ mode: 'historical', restart })))
}

const find = (dump: Dump, table: string, id: string) =>
  ((dump[table] ?? []) as Row[]).find((row) => row['id'] === id)

describe('an answer that takes its time', () => {
  const at = (fault: object, paths: readonly string[]) =>
    paths.map((pathPrefix) => ({ ...fault, match: { pathPrefix } }))
  const short = ['/v1/test_helpers/test_clocks?']

  it.each([
    ['is waited for: 20 s before each list', at({ kind: 'slow', delayMs: 20_000 }, lists), 0, [20, 180]],
    [
      'is given up after 30 s, and asked for again',
      at({ kind: 'slow', delayMs: 31_000 }, short),
      1,
      [30, 31],
    ],
    ['is given up when it stops in the middle', at({ kind: 'stall' }, short), 1, [30, 30]],
    ['is given up when it stops, at every list', at({ kind: 'stall' }, lists), lists.length, [30, 270]],
    ['is taken when it drips', at({ kind: 'drip', delayMs: 50 }, short), 0, [10, 29]],
    ['is given up when it drips for too long', at({ kind: 'drip', delayMs: 500 }, short), 1, [30, 30]],
  ] as const)('%s', async (_, faults, again, [least, most]) => {
    const { own, end } = await begin(faults)
    const before = time.nowMs
    expect(await end()).toMatchObject({ status: 'completed', failed_records: 0, error: null })
    expect(await own.dump()).toEqual(whole.dump)
    expect(struck()).toBe(faults.length)
    expect(asked).toBe(whole.asked + again)
    const seconds = (time.nowMs - before) / 1_000
    expect(seconds).toBeGreaterThanOrEqual(least)
    expect(seconds).toBeLessThanOrEqual(most)
  })
})

describe('an answer without end', () => {
  it('is given up and asked for again', async () => {
    const { own, end } = await begin([{ kind: 'bomb', match: { pathPrefix: '/v1/products?' } }])
    expect(await end()).toMatchObject({ status: 'completed', failed_records: 0, error: null })
    expect(await own.dump()).toEqual(whole.dump)
    expect(struck()).toBe(1)
    expect(asked).toBe(whole.asked + 1)
  })
})

describe('an import that is refused in the middle', () => {
  it.each([
    ['with a key that expired', { kind: 'expired_key' }, /has expired or was rolled/, /expired/],
    ['with a key that was deleted', { kind: 'invalid_key' }, /refuses this API key/, /refuses/],
    [
      'with a permission that it lost',
      { kind: 'missing_permission', permission: 'rak_invoice_read' },
      /lacks read permission for Invoices/,
      null,
    ],
    ['by pages that repeat over and over', { kind: 'repeat_page' }, /that it had given before/, null],
  ])('%s says so, and a later one ends as if nothing had been', async (_, fault, error, warning) => {
    const match = { pathPrefix: '/v1/invoices?', nth: 2, times: null }
    const { own, end } = await begin([{ ...fault, match }])
    expect(await end()).toMatchObject({ status: 'failed', error: expect.stringMatching(error) })
    expect(struck()).toBe(1)
    const marked = () =>
      query(root.db.ownerUrl, 'select warning from connections where organization_id = $1', [
        own.organizationId,
      ])
    expect(await marked()).toEqual([{ warning: warning ? expect.stringMatching(warning) : null }])
    await control('DELETE')
    await connectPayments(own.deps, own.organizationId, demoKey)
    expect(await importAnew(own, false)).toMatchObject({ status: 'completed', error: null })
    expect(await own.dump()).toEqual(whole.dump)
    expect(await marked()).toEqual([{ warning: null }])
  })
})

describe('a field that is not as it should be', () => {
  it.each([
    ['the id of a row', '/v1/invoices?', 'data.0.id'],
    ['the rows of a list', '/v1/customers?', 'data'],
    ['whether more follows', '/v1/subscriptions?', 'has_more'],
  ])('and no answer can do without is asked for again: %s', async (_, pathPrefix, path) => {
    const { own, end } = await begin([{ kind: 'field', path, match: { pathPrefix } }])
    expect(await end()).toMatchObject({ status: 'completed', failed_records: 0, error: null })
    expect(await own.dump()).toEqual(whole.dump)
    expect(asked).toBe(whole.asked + 1)
  })

  it.each([
    ['a status of another time', '/v1/subscriptions?', 'data.*.status', 'quantum', "The status 'quantum'"],
    ['no items', '/v1/subscriptions?', 'data.*.items', undefined, 'The field items is missing'],
    ['no lines', '/v1/invoices?', 'data.*.lines', undefined, 'its lines are missing'],
    ['a line of no amount', '/v1/invoices?', 'data.*.lines.data.*.amount', '12', 'the amount is missing'],
  ])('is named where it leaves a subscription uncounted: %s', async (_, pathPrefix, path, value, reason) => {
    const match = { pathPrefix, times: null }
    const { own, end } = await begin([{ kind: 'field', path, value, match }])
    expect(await end()).toMatchObject({ status: 'completed' })
    const dump = await own.dump()
    const { unsupported_reason } = find(dump, 'subscriptions', 'sub_one') ?? {}
    expect(unsupported_reason).toContain(reason)
    expect(((dump['events'] ?? []) as Row[]).filter((row) => row['subscription_id'] === 'sub_one')).toEqual(
      [],
    )
    expect(await importAnew(own)).toMatchObject({ status: 'completed', error: null })
    expect(await own.dump()).toEqual(whole.dump)
  })
})

describe('a list that ends before its end', () => {
  const fault = { kind: 'early_end', match: { pathPrefix: '/v1/invoices?' } }

  it('leaves out what no client can know of, and the next import of everything brings it', async () => {
    const { own, end } = await begin([fault])
    expect(await end()).toMatchObject({ status: 'completed', error: null })
    expect((await own.dump())['invoices']).toHaveLength(pageSize)
    expect(await importAnew(own)).toMatchObject({ status: 'completed', error: null })
    expect(await own.dump()).toEqual(whole.dump)
  })

  it('takes nothing away that an earlier import brought', async () => {
    const more = Array.from({ length: 2 * pageSize }, (_, index) => customer(`cus_more${index}`))
    const { own, end } = await begin([])
    root.simulator.change({ put: { invoices: [draftAt(-1)], customers: more }, remove: {} })
    await end()
    const before = await own.dump()
    for (const pathPrefix of ['/v1/invoices?', '/v1/customers?'])
      expect((await control('POST', { ...fault, match: { pathPrefix } })).status).toBe(201)
    const again = await own.start({ mode: 'historical', restart: true })
    expect(await time.passUntil(own.work(again))).toMatchObject({ status: 'completed', error: null })
    expect(struck()).toBe(2)
    expect(root.simulator.requests.counters.byPath['/v1/customers/:id']).toBeGreaterThan(pageSize)
    expect(await own.dump()).toEqual(before)
  })
})

describe('an account that changes between two pages', () => {
  it('is read on where the object at the end of the page is gone', async () => {
    const draft = draftAt(pageSize - 1)
    const match = { pathPrefix: '/v1/invoices?', nth: 2 }
    const { own, end } = await begin([
      { kind: 'change', change: { remove: { invoices: [draft.id] } }, match },
    ])
    root.simulator.change({ put: { invoices: [draft] }, remove: {} })
    expect(await end()).toMatchObject({ status: 'completed', error: null })
    expect(root.simulator.requests.counters.byStatus['400']).toBe(1)
    const listed = (dump: Dump) => ((dump['invoices'] ?? []) as Row[]).map(({ id }) => id)
    expect(listed(await own.dump())).toEqual(listed(whole.dump))
    expect(await importAnew(own)).toMatchObject({ status: 'completed', error: null })
    expect(listed(await own.dump())).toEqual(listed(whole.dump).filter((id) => id !== draft.id))
  })
})
