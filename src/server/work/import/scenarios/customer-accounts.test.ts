import { afterEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { lastHour } from '#test/import/moving-account.ts'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'

let stage: ImportStage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const small = smallWorld()
const minute = 60
const start = Date.parse(small.as_of) / 1000
const acct = { customer_account: 'acct_two' }

type Row = Record<string, unknown>
type List = 'customers' | 'subscriptions' | 'invoices'

/** The account after some time, with some objects' fields replaced. */
function changed(
  world: SimulatedWorld,
  seconds: number,
  fields: Record<string, Row>,
  without: string[] = [],
): SimulatedWorld {
  const withFields = (list: List) =>
    world[list].flatMap((one) => (without.includes(one.id) ? [] : { ...one, ...fields[one.id] }))
  return {
    ...world,
    as_of: new Date((start + seconds) * 1000).toISOString(),
    customers: withFields('customers'),
    subscriptions: withFields('subscriptions'),
    invoices: withFields('invoices'),
  } as SimulatedWorld
}

async function importAt(own: ImportStage, world: SimulatedWorld): Promise<Record<string, Row[]>> {
  own.simulator.setWorld(world)
  own.simulator.requests.clear()
  const run = await own.work(await own.start(lastHour(Date.parse(world.as_of) / 1000)))
  expect(run).toMatchObject({ status: 'completed', error: null })
  return (await own.dump()) as Record<string, Row[]>
}

const find = (rows: Row[] | undefined, id: string) => rows?.find((row) => row['id'] === id)
const listed = ({ simulator }: ImportStage) => simulator.requests.counters.byPath['/v1/customers'] ?? 0

it('keeps the account that stands for a customer wherever it comes', async () => {
  const world = changed(small, 0, { cus_two: acct, sub_many: acct, in_loose: acct })
  stage = await stageImport({ world })
  await stage.importAll()
  const dump = (await stage.dump()) as Record<string, Row[]>
  expect(find(dump['customers'], 'cus_two')).toMatchObject(acct)
  expect(find(dump['invoices'], 'in_loose')).toMatchObject(acct)
  expect(find(dump['subscriptions'], 'sub_many')?.['body']).toMatchObject({ customerAccount: 'acct_two' })
  expect(find(dump['customers'], 'cus_one')).toMatchObject({ customer_account: null })
})

describe('customers whose changes no event tells', () => {
  const renamed = { cus_two: { ...acct, name: 'Two & Sons' } }

  it.each<[string, Record<string, Row>]>([
    ['a customer', { cus_two: acct }],
    ['a subscription', { sub_many: acct }],
    ['an invoice', { in_loose: acct }],
  ])('are read again once an hour where an account stands for the customer of %s', async (_, told) => {
    const world = changed(small, 0, told)
    stage = await stageImport({ world })
    await stage.importAll()
    const soon = changed(world, 20 * minute, renamed)
    expect(find((await importAt(stage, soon))['customers'], 'cus_two')).not.toMatchObject({
      name: 'Two & Sons',
    })
    expect(listed(stage)).toBe(0)
    const later = changed(world, 60 * minute, renamed)
    expect(find((await importAt(stage, later))['customers'], 'cus_two')).toMatchObject({ name: 'Two & Sons' })
    // One page of the list, and one page of customers on the test clock.
    expect(listed(stage)).toBe(2)
    await importAt(stage, changed(later, 80 * minute, {}))
    expect(listed(stage)).toBe(0)
  })

  it('are known as deleted when they stand in the list no more', async () => {
    const world = changed(small, 0, { sub_many: acct })
    stage = await stageImport({ world })
    await stage.importAll()
    const stub = { id: 'cus_card', object: 'customer', deleted: true as const }
    const without = changed(world, 60 * minute, {}, ['cus_card'])
    const dump = await importAt(stage, { ...without, customers: [...without.customers, stub] })
    expect(find(dump['customers'], 'cus_card')).toMatchObject({ is_deleted: true })
    expect(dump['customers']?.filter((row) => row['is_deleted'] === true)).toHaveLength(2)
  })

  it('are read by their events alone everywhere else', async () => {
    stage = await stageImport({ world: small })
    await stage.importAll()
    await importAt(stage, changed(small, 90 * minute, renamed))
    expect(listed(stage)).toBe(0)
  })
})

describe('an invoice that names no customer', () => {
  const named = (world: SimulatedWorld, customer: (id: unknown) => unknown): SimulatedWorld => ({
    ...world,
    invoices: world.invoices.map((one) => ({
      ...one,
      customer: one['parent'] === null ? one['customer'] : customer(one['customer']),
    })),
  })

  it('is read by its subscription: the history is the same', async () => {
    const world = generatedWorld(12)
    stage = await stageImport({ world, pageSize: 20 })
    const whole = await stage.another('Whole')
    await whole.importAll()
    stage.simulator.setWorld(named(world, () => null))
    await stage.importAll()
    const [dump, expected] = [await stage.dump(), await whole.dump()]
    for (const table of ['invoices', 'events', 'snapshots'])
      expect(dump[table], table).toEqual(expected[table])
    // A second read leaves the subscriptions in place and changes nothing.
    const [before] = await query(stage.db.ownerUrl, 'select max(updated_at) as at from subscriptions')
    expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed' })
    expect(await query(stage.db.ownerUrl, 'select max(updated_at) as at from subscriptions')).toEqual([
      before,
    ])
    expect(await stage.dump()).toEqual(dump)
  })

  it('is read by the subscription of a line where it names none itself', async () => {
    const loose = small.invoices.map((one) =>
      one.id === 'in_one' ? { ...one, customer: null, parent: null } : one,
    )
    stage = await stageImport({ world: { ...small, invoices: loose } })
    await stage.importAll()
    const { invoices } = (await stage.dump()) as Record<string, Row[]>
    expect(find(invoices, 'in_one')).toMatchObject({ customer_id: 'cus_one', subscription_id: null })
  })
})
