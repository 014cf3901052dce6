import { afterEach, describe, expect, it } from 'vitest'
import { line } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { event, listOf } from '#simulators/stripe/testing/stripe-objects.ts'
import { newestFirst } from '#simulators/stripe/world/collection.ts'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { lastHour } from '#test/import/moving-account.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

let stage: ImportStage | undefined
async function staged(...args: Parameters<typeof stageImport>): Promise<ImportStage> {
  stage = await stageImport(...args)
  return stage
}
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

describe('whatever happens on the way', () => {
  it('writes nothing a second time', async () => {
    const { importAll, dump, db } = await staged({ world: generatedWorld(6) })
    await importAll()
    const first = await dump()
    const versions = () =>
      query(
        db.ownerUrl,
        'select id, xmin::text from events union select id, xmin::text from subscriptions order by 1',
      )
    const before = await versions()
    expect((await importAll()).status).toBe('completed')
    expect(await dump()).toEqual(first)
    expect(await versions()).toEqual(before)
  })

  it('fails with the reason when Stripe stays away, and goes on with the next import', async () => {
    let isAway = false
    const { deps, organizationId, start, work, dump } = await staged({
      world: smallWorld(),
      around: (fetch) => (request) =>
        isAway && request.url.includes('/invoices')
          ? Promise.resolve(new Response('<html>', { status: 502 }))
          : fetch(request),
    })
    await connectPayments(deps, organizationId, demoKey)
    isAway = true
    const failed = await work(await start())
    expect(failed.status).toBe('failed')
    expect(failed.error).toMatch(
      /Stripe answered with an HTML page and status 502 when asked for the invoices/,
    )
    isAway = false
    expect(await work(await start())).toMatchObject({ status: 'completed' })
    expect((await dump())['invoices']).toHaveLength(3)
  })
})

/** The request as a rolled key would send it. */
function withRolledKey(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('authorization', 'Bearer sk_test_expired')
  return new Request(request.url, { headers })
}
const rolled = expect.stringMatching(/has expired or was rolled. Enter the new one/)

/** Open lists, except for the list of invoices. */
const otherLists = `select id from import_windows where not is_done and kind <> 'invoices'`

/** Requests for lists from their beginning, without a bound of creation. */
const fromTheStart = (asked: readonly string[]) =>
  asked
    .map(decodeURIComponent)
    .filter((url) => /\/v1\/(?!events)[a-z_]+\?/.test(url) && !/created|starting_after/.test(url))

describe('a key that is rolled', () => {
  it('before an import ends it with that reason and marks the connection', async () => {
    let isRolled = false
    const here = await staged({
      world: smallWorld(),
      around: (fetch) => (request) => fetch(isRolled ? withRolledKey(request) : request),
    })
    await connectPayments(here.deps, here.organizationId, demoKey)
    isRolled = true
    expect(await here.work(await here.start())).toMatchObject({ status: 'failed', error: rolled })
    expect(await query(here.db.ownerUrl, 'select warning from connections')).toEqual([{ warning: rolled }])
  })

  it('while lists are read ends the import with that reason and marks the connection; with the new key the next one goes on', async () => {
    const newKey = 'sk_test_of_this_world'
    const world: SimulatedWorld = { ...generatedWorld(10), keys: [newKey] }
    const asked: string[] = []
    let [pagesLeft, isRolled] = [Number.POSITIVE_INFINITY, false]
    const here = await staged({
      world,
      pageSize: 10,
      around: (fetch) => async (request) => {
        asked.push(request.url)
        if (request.url.includes('/v1/invoices?') && pagesLeft-- <= 0) {
          await expect.poll(() => query(here.db.ownerUrl, otherLists)).toEqual([])
          await expect.poll(invoices).toBeGreaterThan(0)
          isRolled = true
        }
        const isOld = request.headers.get('authorization')?.endsWith(demoKey)
        return fetch(isRolled && isOld ? withRolledKey(request) : request)
      },
    })
    const warning = async () => (await query(here.db.ownerUrl, 'select warning from connections'))[0]
    const invoices = async () => (await here.dump())['invoices']?.length
    await connectPayments(here.deps, here.organizationId, demoKey)
    pagesLeft = 3
    expect(await here.work(await here.start())).toMatchObject({ status: 'failed', error: rolled })
    expect(await warning()).toEqual({ warning: rolled })
    const before = await invoices()
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(world.invoices.length)

    // An import that fails before its plan deletes nothing.
    expect(await here.work(await here.start())).toMatchObject({ status: 'failed', error: rolled })
    pagesLeft = Number.POSITIVE_INFINITY
    await connectPayments(here.deps, here.organizationId, newKey)
    expect(await warning()).toEqual({ warning: null })
    asked.length = 0
    expect(await here.work(await here.start())).toMatchObject({ status: 'completed', error: null })
    expect(fromTheStart(asked)).toEqual([])
    const fresh = await here.another('Fresh')
    await connectPayments(fresh.deps, fresh.organizationId, newKey)
    await fresh.work(await fresh.start())
    expect(await here.dump()).toEqual(await fresh.dump())
  })
})

describe('a page that repeats for ever', () => {
  const strike = async ({ simulator }: ImportStage, pathPrefix: string, nth: number) => {
    const body = JSON.stringify({ kind: 'repeat_page', match: { pathPrefix, nth, times: null } })
    const answer = await simulator.fetch(new Request('http://stripe.test/_faults', { method: 'POST', body }))
    expect(answer.status).toBe(201)
  }
  const keptIds = async (stage: ImportStage, table: string) =>
    ((await stage.dump())[table] as { id: string }[]).map(({ id }) => id).toSorted()

  it.each([
    ['second', 2, /a page of a list that it had given before when asked for the invoices/],
    ['third', 3, /Stripe repeats pages of a list over and over/],
  ])(
    'ends the import where it comes for the %s, and is not counted nor taken for the end',
    async (_, nth, reason) => {
      const { account } = smallWorld()
      const world: SimulatedWorld = { ...generatedWorld(12), ...(account && { account }) }
      const asked: string[] = []
      const here = await staged({
        world,
        pageSize: 10,
        around: (fetch) => (request) => {
          asked.push(request.url)
          return fetch(request)
        },
      })
      await connectPayments(here.deps, here.organizationId, demoKey)
      await strike(here, '/v1/invoices?', nth)
      const failed = await here.work(await here.start())
      expect(failed).toMatchObject({ status: 'failed', error: expect.stringMatching(reason) })
      const before = world.invoices.toSorted(newestFirst).slice(0, 10 * (nth - 1))
      expect(await keptIds(here, 'invoices')).toEqual(before.map(({ id }) => id).toSorted())
      const list = `select done_count, cursor_id, is_done from import_windows where kind = 'invoices'`
      expect(await query(here.db.ownerUrl, list)).toEqual([
        { done_count: before.length, cursor_id: before.at(-1)?.id, is_done: false },
      ])

      here.simulator.faults.clear()
      asked.length = 0
      expect(await here.work(await here.start())).toMatchObject({ status: 'completed', error: null })
      expect(fromTheStart(asked).filter((url) => url.includes('/v1/invoices?'))).toEqual([])
      expect(await keptIds(here, 'invoices')).toEqual(world.invoices.map(({ id }) => id).toSorted())
    },
  )

  it('keeps an invoice out whose lines it would cut, until they come', async () => {
    const begun = smallWorld()
    const lines = Array.from({ length: 250 }, (_, index) => line(`il_${index}`, { invoice: 'in_many' }))
    const invoices = begun.invoices.map((one) =>
      one.id === 'in_many' ? { ...one, lines: listOf('/v1/invoices/in_many/lines', lines) } : one,
    )
    const here = await staged({ world: { ...begun, invoices } })
    await connectPayments(here.deps, here.organizationId, demoKey)
    await strike(here, '/v1/invoices/in_many/lines', 2)
    const reason = expect.stringContaining('a page of a list that it had given before')
    expect(await here.work(await here.start())).toMatchObject({ status: 'failed', error: reason })
    expect(await keptIds(here, 'invoices')).not.toContain('in_many')
    here.simulator.faults.clear()
    expect(await here.work(await here.start())).toMatchObject({ status: 'completed', error: null })
    const kept = (await here.dump())['invoices'] as { id: string; lines: unknown[] }[]
    expect(kept.find(({ id }) => id === 'in_many')?.lines).toHaveLength(lines.length)
  })

  it('takes up none of the events beyond it before they come', async () => {
    const begun = smallWorld()
    const now = Date.parse(begun.as_of) / 1000 + 900
    const here = await staged({ world: begun })
    await here.importAll()
    const renumbered = begun.invoices.map((one) => (one.id === 'in_one' ? { ...one, number: 'EX-2' } : one))
    const events = Array.from({ length: 150 }, (_, index) => ({
      ...event(`evt_${index}`, 'invoice.updated', now - 60 - index),
      data: { object: { id: index === 149 ? 'in_one' : 'in_loose', object: 'invoice' } },
    }))
    here.simulator.setWorld({
      ...begun,
      as_of: new Date(now * 1000).toISOString(),
      invoices: renumbered,
      events: [...(begun.events ?? []), ...events],
    })
    const before = await here.dump()
    // The import requests the list of other event types first.
    await strike(here, '/v1/events', 3)
    const reason = expect.stringContaining('a page of a list that it had given before')
    expect(await here.work(await here.start(lastHour(now)))).toMatchObject({
      status: 'failed',
      error: reason,
    })
    expect(await here.dump()).toEqual(before)
    here.simulator.faults.clear()
    expect(await here.work(await here.start(lastHour(now)))).toMatchObject({ status: 'completed' })
    const kept = (await here.dump())['invoices'] as { id: string; number: string }[]
    expect(kept.find(({ id }) => id === 'in_one')?.number).toBe('EX-2')
  })
})
