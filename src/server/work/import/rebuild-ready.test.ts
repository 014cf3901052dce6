import { afterEach, describe, expect, it } from 'vitest'
import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport, withLongInvoice } from '#test/import/stage-import.ts'

const stages: ImportStage[] = []
afterEach(() => Promise.all(stages.splice(0).map((stage) => stage.close())))

type Seen = { events: number; deleted: number; settled: string[] }

/** Imports with small pages, and records what the ledger contained at each request for more history. */
async function watched(world: SimulatedWorld): Promise<{ stage: ImportStage; seen: Seen[] }> {
  const seen: Seen[] = []
  const stage = await stageImport({
    world,
    pageSize: 5,
    around: (fetch) => async (request) => {
      if (/\/v1\/invoice(s|_payments)\?/.test(request.url))
        seen.push(
          ...(await query<Seen>(
            stage.db.ownerUrl,
            `select (select count(*)::int from events) as events,
                    (select count(*)::int from customers where is_deleted) as deleted,
                    (select coalesce(json_agg(id), '[]') from customers where not is_rebuild_due) as settled`,
          )),
        )
      return fetch(request)
    },
  })
  stages.push(stage)
  await stage.importAll()
  return { stage, seen }
}

/** Imports with pages so large that every list is complete before any early work can start. */
async function atOnce(world: SimulatedWorld): Promise<ImportStage> {
  const stage = await stageImport({ world })
  stages.push(stage)
  await stage.importAll()
  return stage
}

async function settledOf({ db }: ImportStage): Promise<string[]> {
  const found = await query<{ id: string }>(db.ownerUrl, 'select id from customers where not is_rebuild_due')
  return found.map(({ id }) => id)
}

/** Compares everything, including observations that no invoice shows. */
async function expectSame(stage: ImportStage, other: ImportStage): Promise<void> {
  expect(await stage.dump()).toEqual(await other.dump())
  const sightings = (one: ImportStage) =>
    query(one.db.ownerUrl, 'select id, seen_at, state_key from mrr_sightings order by id')
  expect(await sightings(stage)).toEqual(await sightings(other))
}

describe('while the lists of a first import come in', () => {
  const large = generatedWorld(60)
  const world = generatedWorld(30)

  it('customers whose history is in get their ledger, and the end finds the same as if none had', async () => {
    const { stage, seen } = await watched(large)
    const customers = await query(stage.db.ownerUrl, 'select id from customers')
    const { settled = [], events = 0 } = seen.at(-1) ?? {}
    expect(settled).not.toEqual([])
    expect(settled.length).toBeLessThan(customers.length)
    expect(events).toBeGreaterThan(0)
    await expectSame(stage, await atOnce(large))
  })

  it('customers that no list holds are entered as deleted, once the lists that would name them are in', async () => {
    const gone = world.subscriptions.find(({ status }) => status === 'canceled')?.['customer']
    const customers = world.customers.filter(({ id }) => id !== gone)
    const { stage, seen } = await watched(readWorld({ ...structuredClone(world), customers }))
    const [kept] = await query<{ deleted: number }>(
      stage.db.ownerUrl,
      'select count(*)::int as deleted from customers where is_deleted',
    )
    expect(kept?.deleted).toBeGreaterThan(0)
    expect(seen[0]?.deleted).toBe(0)
    expect(seen.at(-1)?.deleted).toBe(kept?.deleted)
  })

  it('one of whom lines are still being asked for is kept back, and hardly anybody else', async () => {
    const long = withLongInvoice(world)
    let seen: string[] = []
    const stage = await stageImport({
      world: long.world,
      around: (fetch) => async (request) => {
        if (!request.url.includes(`/v1/invoices/${long.id}/lines`)) return fetch(request)
        const most = long.world.customers.length * 0.8
        await expect.poll(async () => (await settledOf(stage)).length).toBeGreaterThan(most)
        seen = await settledOf(stage)
        return fetch(request)
      },
    })
    stages.push(stage)
    await stage.importAll()
    expect(seen).not.toEqual([])
    expect(seen).not.toContain(long.customerId)
    expect(await settledOf(stage)).toContain(long.customerId)
  })

  it('one with an invoice older than itself is rebuilt once more', async () => {
    const strange: SimulatedWorld = structuredClone(world)
    const createdOf = (one: object) => ('created' in one ? Number(one.created) : 0)
    const newest = strange.customers.toSorted((a, b) => createdOf(b) - createdOf(a))
    const isOf = (id: string) => (one: SimulatedWorld['invoices'][number]) => one['customer'] === id
    const owner = newest.find(({ id }) => strange.invoices.filter(isOf(id)).length > 1)?.id ?? ''
    const first = strange.invoices.filter(isOf(owner)).sort((a, b) => a.created - b.created)[0]
    if (first) first.created = Math.min(...strange.invoices.map(({ created }) => created)) - 86_400
    let isSettled = false
    const stage = await stageImport({
      world: readWorld(strange),
      pageSize: 5,
      around: (fetch) => async (request) => {
        const answer = await fetch(request)
        // The page with this invoice comes last of all, and only once its customer is rebuilt.
        if (!isSettled && (await answer.clone().text()).includes(`"id":"${first?.id}"`)) {
          await expect.poll(() => settledOf(stage)).toContain(owner)
          isSettled = true
        }
        return answer
      },
    })
    stages.push(stage)
    await stage.importAll()
    expect(isSettled).toBe(true)
    await expectSame(stage, await atOnce(readWorld(strange)))
  })

  it('one with such an invoice whose lines come last of all is rebuilt once more', async () => {
    const createdOf = (one: object) => ('created' in one ? Number(one.created) : 0)
    const newest = world.customers.toSorted((a, b) => createdOf(b) - createdOf(a))
    const ofOwner = newest
      .map(({ id }) => world.invoices.filter((one) => one['customer'] === id))
      .find((invoices) => invoices.length > 1)
    const first = ofOwner?.toSorted((a, b) => a.created - b.created)[0]
    const others = world.invoices.filter((one) => one !== first)
    const long = withLongInvoice({ ...world, invoices: first ? [...others, first] : others })
    const strange = structuredClone(long.world)
    const moved = strange.invoices.find(({ id }) => id === long.id)
    if (moved) moved.created = Math.min(...strange.invoices.map(({ created }) => created)) - 86_400
    let isSettled = false
    const stage = await stageImport({
      world: readWorld(strange),
      pageSize: 5,
      around: (fetch) => async (request) => {
        const answer = await fetch(request)
        if (request.url.includes(`/v1/invoices/${long.id}/lines`))
          // Wait until all other pages are saved and checked against the rebuilt customers.
          await new Promise((next) => setTimeout(next, 1_500))
        else if (!isSettled && (await answer.clone().text()).includes(`"id":"${long.id}"`)) {
          await expect.poll(() => settledOf(stage)).toContain(long.customerId)
          isSettled = true
        }
        return answer
      },
    })
    stages.push(stage)
    await stage.importAll()
    expect(isSettled).toBe(true)
    await expectSame(stage, await atOnce(readWorld(strange)))
  })

  it('one with an ended subscription older than itself is rebuilt once more', async () => {
    const strange: SimulatedWorld = structuredClone(world)
    const createdOf = (one: object) => ('created' in one ? Number(one.created) : 0)
    const owner = strange.customers.toSorted((a, b) => createdOf(b) - createdOf(a))[0]?.id ?? ''
    const moved = strange.subscriptions.find(({ status }) => status === 'canceled')
    const oldest = Math.min(...strange.subscriptions.map(({ created }) => created))
    if (moved) Object.assign(moved, { customer: owner, created: oldest - 86_400 })
    let isSettled = false
    const stage = await stageImport({
      world: readWorld(strange),
      pageSize: 3,
      around: (fetch) => async (request) => {
        if (!/status=ended/.test(request.url) || !/starting_after/.test(request.url) || isSettled)
          return fetch(request)
        await expect.poll(() => settledOf(stage)).toContain(owner)
        isSettled = true
        return fetch(request)
      },
    })
    stages.push(stage)
    await stage.importAll()
    expect(isSettled).toBe(true)
    await expectSame(stage, await atOnce(readWorld(strange)))
  })
})
