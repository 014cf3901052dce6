import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { dumpOf } from '#test/dump.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { deleteAccount } from './delete-account.ts'
import { eraseCustomer } from './erase-customer.ts'
import { eraseDue } from './erase-due.ts'
import { applyErasures, exportErasures } from './erasure-list.ts'

const word = 'wilhelmina'
let world: TestWorld
let owner: Person
let customerId = ''
beforeAll(async () => {
  const { customers, invoices, ...rest } = generatedWorld(8)
  customerId = customers[0]?.id ?? ''
  const named = { name: 'Wilhelmina Quartz', email: 'wilhelmina@quartzite.example' }
  const account = readWorld({
    ...rest,
    invoices,
    customers: customers.map((one) => (one.id === customerId ? { ...one, ...named } : one)),
  })
  world = await newWorld({ account })
  owner = await world.person({ email: 'olive@orchard.example', organization: 'Orchard' })
  await owner.connectStripe()
  await importAll()
})
afterAll(() => world.close())

async function importAll(): Promise<void> {
  await owner.post('/api/import/historical')
  await world.drain()
}

const change = (fields: object) =>
  world.stripe.fetch(
    new Request('http://stripe.test/_changes', {
      method: 'POST',
      body: JSON.stringify({ put: { customers: [fields] } }),
    }),
  )
const original = () => world.stripe.world.customers.find(({ id }) => id === customerId)
const isKnown = async () => (await dumpOf(world.ownerUrl)).toLowerCase().includes(word)

/** Restores this customer's rows to their state before the erasure. */
async function restoreOlder(): Promise<void> {
  for (const table of ['erasures', 'erasure_keys', 'deletions', 'customer_texts'])
    await query(world.ownerUrl, `delete from ${table}`)
  await query(world.ownerUrl, 'update customers set erasure_id = null')
  await importAll()
}

describe('a list of erasures', () => {
  it('erases again in a database of before, names nobody, and may be applied twice', async () => {
    const { organizationId } = owner
    await eraseCustomer(world.deps, organizationId, { customerId, reason: 'asked', actor: null })
    const list = await exportErasures(world.deps)
    expect(JSON.stringify(list).toLowerCase()).not.toContain(word)
    expect(await isKnown()).toBe(false)
    await restoreOlder()
    expect(await isKnown()).toBe(true)
    expect(await applyErasures(world.deps, list)).toEqual({ deleted: 0, erased: 1, remembered: 0 })
    expect(await isKnown()).toBe(false)
    expect(await applyErasures(world.deps, list)).toEqual({ deleted: 0, erased: 0, remembered: 0 })
    await importAll()
    expect(await isKnown()).toBe(false)
    expect((await exportErasures(world.deps)).organizations[0]?.erasures).toEqual(
      list.organizations[0]?.erasures,
    )
  })

  it('leaves out who comes only with the next import', async () => {
    const list = await exportErasures(world.deps)
    for (const table of ['erasures', 'erasure_keys']) await query(world.ownerUrl, `delete from ${table}`)
    for (const table of ['invoices', 'invoice_payments', 'subscriptions', 'customer_texts', 'customers'])
      await query(world.ownerUrl, `delete from ${table}`)
    expect(await applyErasures(world.deps, list)).toEqual({ deleted: 0, erased: 0, remembered: 1 })
    await importAll()
    expect(await isKnown()).toBe(false)
  })

  it('deletes an account again, and nobody who was given its number later', async () => {
    const guest = await world.person({ email: 'gone@guest.example', organization: null })
    const [row] = await query(world.ownerUrl, `select * from "user" where id = ${guest.userId}`)
    const actor = { userId: guest.userId, email: guest.email, address: null }
    await deleteAccount(world.deps.database, actor, guest.email)
    const list = await exportErasures(world.deps)
    const bring = (createdAt: unknown) =>
      query(
        world.ownerUrl,
        `insert into "user" (id, name, email, "emailVerified", "createdAt") values ($1, 'G', $2, true, $3)`,
        [guest.userId, guest.email, createdAt],
      )
    await bring(row?.['createdAt'])
    expect(await applyErasures(world.deps, list)).toMatchObject({ deleted: 1 })
    await bring(new Date(0))
    expect(await applyErasures(world.deps, list)).toMatchObject({ deleted: 0 })
  })
})

describe('by the clock', () => {
  it('whom Stripe redacted is erased, with what was known before', async () => {
    for (const table of ['erasures', 'erasure_keys']) await query(world.ownerUrl, `delete from ${table}`)
    await query(world.ownerUrl, 'update customers set erasure_id = null')
    await importAll()
    expect(await isKnown()).toBe(true)
    await eraseDue(world.deps, owner.organizationId)
    expect(await isKnown()).toBe(true)
    expect((await change({ ...original(), name: '[redacted]', email: '[redacted]' })).status).toBe(200)
    await importAll()
    await eraseDue(world.deps, owner.organizationId)
    expect(await isKnown()).toBe(false)
    expect((await exportErasures(world.deps)).organizations[0]?.erasures).toMatchObject([
      { reason: 'redacted' },
    ])
  })

  it('whoever was merely deleted in Stripe is erased where the organization wants it', async () => {
    const [other] = await query<{ id: string; name: string }>(
      world.ownerUrl,
      'select id, name from customers where erasure_id is null and not is_deleted order by id limit 1',
    )
    await query(world.ownerUrl, `update customers set is_deleted = true where id = '${other?.id}'`)
    const nameNow = async () =>
      (
        await query<{ name: string }>(world.ownerUrl, `select name from customers where id = '${other?.id}'`)
      )[0]?.name
    await eraseDue(world.deps, owner.organizationId)
    expect(await nameNow()).toBe(other?.name)
    const answer = await owner.fetch('/api/settings/erasure', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ erasesDeletedCustomers: true }),
    })
    expect(answer.status).toBe(200)
    await eraseDue(world.deps, owner.organizationId)
    expect(await nameNow()).toMatch(/^Erased customer/)
  })
})
