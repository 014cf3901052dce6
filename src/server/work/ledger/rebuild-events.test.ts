import { afterEach, describe, expect, it } from 'vitest'
import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { importedStage } from '#test/import/imported-stage.ts'
import { generatedWorld, type ImportStage } from '#test/import/stage-import.ts'
import { recountLists } from '#test/store/kept-totals.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { updateMrrPolicy } from '../../store/recount/mrr-policy.ts'

let stage: ImportStage
afterEach(() => stage.close())

const daySeconds = 86_400

type Row = Record<string, unknown>
const sql = <Result extends Row>(text: string, values: unknown[] = []) =>
  query<Result>(stage.db.ownerUrl, text, values)
const importAgain = async () => stage.work(await stage.start())

/** The world some days later, in which only `change` has happened. */
function later(
  world: SimulatedWorld,
  days: number,
  change: (world: SimulatedWorld) => void = () => {},
): SimulatedWorld {
  const copy: SimulatedWorld = structuredClone(world)
  copy.as_of = new Date(Date.parse(copy.as_of) + days * daySeconds * 1000).toISOString()
  change(copy)
  return readWorld(copy)
}

/** An active subscription with one seat price, whose seats the test can change. */
async function seatSubscription(): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `select id from subscriptions
      where status = 'active' and current_mrr_cents > 0 and jsonb_array_length(body -> 'items') = 1
        and body #>> '{items,0,price,usageType}' = 'licensed' and body #>> '{items,0,price,billingScheme}' = 'per_unit'
        and body #>> '{items,0,price,transformQuantity}' is null and body -> 'cancelAt' = 'null'
        and (body ->> 'cancelAtPeriodEnd') = 'false' and jsonb_array_length(body -> 'discounts') = 0
      order by id limit 1`,
  )
  return row?.id ?? ''
}

function addSeats(id: string, seats: number) {
  return (world: SimulatedWorld) => {
    for (const one of world.subscriptions) {
      const { items } = one as { items?: { data: { quantity: number }[] } }
      if (one['id'] === id) for (const item of items?.data ?? []) item.quantity += seats
    }
  }
}

const eventsOf = (id: string) =>
  sql(
    `select id, occurred_at, mrr_change_cents, current_mrr_cents from events
      where subscription_id = $1 order by occurred_at, position`,
    [id],
  )

describe('what no invoice shows yet', () => {
  it('is an event when it is first seen, and the same event in every later rebuild', async () => {
    const world = generatedWorld(20)
    stage = await importedStage({ world })
    const id = await seatSubscription()
    const before = await eventsOf(id)

    stage.simulator.setWorld(later(world, 1, addSeats(id, 3)))
    await importAgain()
    const seen = await eventsOf(id)
    expect(seen.slice(0, -1)).toEqual(before)
    expect(Number(seen.at(-1)?.['mrr_change_cents'])).toBeGreaterThan(0)
    expect(
      await sql('select subscription_id from mrr_sightings where subscription_id = $1', [id]),
    ).toHaveLength(1)

    stage.simulator.setWorld(later(world, 9, addSeats(id, 3)))
    await sql('update customers set is_rebuild_due = true')
    await importAgain()
    expect(await eventsOf(id)).toEqual(seen)

    // Without its observations, the rebuild can only date the change today.
    await sql('delete from mrr_sightings')
    await sql('update customers set is_rebuild_due = true')
    await importAgain()
    expect((await eventsOf(id)).at(-1)?.['id']).not.toBe(seen.at(-1)?.['id'])
  })

  it('is forgotten with the account that it was seen in', async () => {
    const world = generatedWorld(20)
    stage = await importedStage({ world })
    const id = await seatSubscription()
    stage.simulator.setWorld(later(world, 1, addSeats(id, 3)))
    await importAgain()
    expect(await sql('select 1 as one from mrr_sightings')).not.toEqual([])
    await sql('delete from subscriptions')
    await recountLists(stage.db.ownerUrl, stage.organizationId)
    expect(await sql('select 1 as one from mrr_sightings')).toEqual([])
  })
})

describe('the policy of the organization', () => {
  const choose = (patch: Parameters<typeof updateMrrPolicy>[1]) =>
    inOrganization(stage.db.database, stage.organizationId, (tenant) =>
      updateMrrPolicy(tenant, patch, stage.deps.now()),
    )
  const total = async () => {
    const [row] = await sql<{ cents: number }>(
      'select sum(current_mrr_cents)::int as cents from subscriptions',
    )
    return row?.cents ?? 0
  }
  const revisions = async () =>
    (
      await sql<{ revision: number }>(
        `select distinct (receipt ->> 'policyRevision')::int as revision from subscriptions where current_mrr_cents > 0`,
      )
    ).map(({ revision }) => revision)

  it('is honoured by the next rebuild, of every customer, and named on the receipts', async () => {
    stage = await importedStage({ world: generatedWorld(40) })
    const asRuled = await total()
    expect(await revisions()).toEqual([0])

    await choose({ discounts: 'recurring' })
    await choose({ discounts: 'lasting' })
    expect(await sql('select 1 as one from customers where not is_rebuild_due')).toEqual([])
    expect(await importAgain()).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(await total()).toBeGreaterThan(asRuled)
    expect(await revisions()).toEqual([2])

    await choose({ discounts: 'all' })
    await importAgain()
    expect(await total()).toBe(asRuled)
    expect(await revisions()).toEqual([3])
  })

  it('is the new one for every customer when it changes while a rebuild is under way', async () => {
    stage = await importedStage({ world: generatedWorld(40) })
    await sql('update customers set is_rebuild_due = true')
    const held = Promise.withResolvers<void>()
    const changing = inOrganization(stage.db.database, stage.organizationId, async (tenant) => {
      await updateMrrPolicy(tenant, { discounts: 'lasting' }, stage.deps.now())
      await held.promise
    })
    const running = importAgain()
    const waiting = () =>
      sql(
        `select 1 as one from pg_locks join pg_database d on d.oid = database
          where datname = current_database() and locktype = 'advisory' and not granted`,
      )
    // A batch is now about to start under the policy that is in force.
    await expect.poll(waiting).not.toHaveLength(0)
    held.resolve()
    await changing
    expect(await running).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(await revisions()).toEqual([1])
    expect(await sql('select 1 as one from customers where is_rebuild_due')).toEqual([])
  })

  it('with a cut-off looks at those past due again, though nothing of theirs changed', async () => {
    const world = generatedWorld(20)
    stage = await importedStage({ world })
    const id = await seatSubscription()
    const [newest] = await sql<{ id: string }>(
      'select id from invoices where subscription_id = $1 order by created_at desc limit 1',
      [id],
    )
    const owing = (changed: SimulatedWorld) => {
      for (const one of changed.subscriptions) if (one['id'] === id) one['status'] = 'past_due'
      for (const one of changed.invoices) if (one['id'] === newest?.id) one['status'] = 'open'
    }
    const cents = async () =>
      (
        await sql<{ cents: number }>(
          'select current_mrr_cents::int as cents from subscriptions where id = $1',
          [id],
        )
      )[0]?.cents
    await choose({ pastDueChurnAfterDays: 90 })
    stage.simulator.setWorld(later(world, 1, owing))
    await importAgain()
    expect(await cents()).toBeGreaterThan(0)
    stage.simulator.setWorld(later(world, 200, owing))
    expect(await importAgain()).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(await cents()).toBe(0)
    expect((await eventsOf(id)).at(-1)).toMatchObject({ current_mrr_cents: '0' })

    // The invoice is paid a day later, so the Churn is withdrawn.
    stage.simulator.setWorld(later(world, 201))
    expect(await importAgain()).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(await cents()).toBeGreaterThan(0)
    expect((await eventsOf(id)).filter((event) => Number(event['current_mrr_cents']) === 0)).toEqual([])
  })
})

describe('a subscription that cannot be counted', () => {
  it('says why, takes part in no total, and stops nobody else', async () => {
    const world = generatedWorld(20)
    stage = await importedStage({ world })
    const id = await seatSubscription()
    const [before] = await sql<{ cents: number }>(
      'select sum(current_mrr_cents)::int as cents from subscriptions',
    )
    const [own] = await sql<{ cents: number }>(
      'select current_mrr_cents::int as cents from subscriptions where id = $1',
      [id],
    )
    stage.simulator.setWorld(
      later(world, 1, (changed) => {
        const found = changed.subscriptions.find((one) => one['id'] === id)
        if (found) found['status'] = 'hibernating'
      }),
    )
    const asCounted = await eventsOf(id)
    const ended = await importAgain()
    expect(ended).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(ended.message).toContain('1 subscription could not be counted and says why.')
    const [row] = await sql(
      'select status, current_mrr_cents::int as cents, unsupported_reason as why from subscriptions where id = $1',
      [id],
    )
    expect(row).toEqual({ status: 'hibernating', cents: 0, why: expect.stringContaining('hibernating') })
    const [after] = await sql<{ cents: number }>(
      'select sum(current_mrr_cents)::int as cents from subscriptions',
    )
    expect(after?.cents).toBe((before?.cents ?? 0) - (own?.cents ?? 0))
    expect(await sql('select 1 as one from subscriptions where unsupported_reason is not null')).toHaveLength(
      1,
    )

    // Its events disappear with the figure they would lead to, and return with it.
    expect(await eventsOf(id)).toEqual([])
    stage.simulator.setWorld(later(world, 2))
    expect((await importAgain()).message).not.toContain('could not be counted')
    expect(await eventsOf(id)).toEqual(asCounted)
  })

  it('is marked even when it names no customer at all', async () => {
    stage = await importedStage({ world: generatedWorld(20) })
    await sql(
      `insert into subscriptions (organization_id, id, customer_id, status, body, created_at, currency)
       select organization_id, 'sub_nobody', '', 'active', body, created_at, currency from subscriptions limit 1`,
    )
    await importAgain()
    expect(await sql(`select unsupported_reason as why from subscriptions where id = 'sub_nobody'`)).toEqual([
      { why: 'The subscription names no customer' },
    ])
  })

  it('is worth nothing any more, and has no events, once it names no customer', async () => {
    const world = generatedWorld(20)
    stage = await importedStage({ world })
    const id = await seatSubscription()
    expect(await eventsOf(id)).not.toEqual([])
    stage.simulator.setWorld(
      later(world, 1, (changed) => {
        const found = changed.subscriptions.find((one) => one['id'] === id)
        if (found) found['customer'] = ''
      }),
    )
    expect(await importAgain()).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(
      await sql(
        'select current_mrr_cents::int as cents, unsupported_reason as why, receipt from subscriptions where id = $1',
        [id],
      ),
    ).toEqual([{ cents: 0, why: 'The subscription names no customer', receipt: null }])
    expect(await eventsOf(id)).toEqual([])
  })
})
