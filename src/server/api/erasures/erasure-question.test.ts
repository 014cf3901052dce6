import { afterAll, beforeAll, expect, it } from 'vitest'
import { getErasureQuestion } from '#contract/erasures.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer } from '#test/store/seed.ts'
import { inOrganization } from '../../store/postgres/database.ts'

let world: TestWorld
let owner: Person
beforeAll(async () => {
  world = await newWorld()
  owner = await world.person({ organization: 'Grove' })
  await inOrganization(world.deps.database, owner.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch', email: 'birch@shop.test' })
    await addCustomer(tenant, { id: 'cus_2', name: 'Birch Two', email: 'BIRCH@shop.test' })
    await addCustomer(tenant, { id: 'cus_other', name: 'Beech', email: 'beech@shop.test' })
    await addCustomer(tenant, { id: 'cus_none', name: null })
  })
})
afterAll(() => world.close())

const ask = async (id: string) =>
  getErasureQuestion.response.parse(await (await owner.fetch(`/api/customers/${id}/erasure-question`)).json())

it('names who is erased, and counts the others with the same address', async () => {
  const birch = { customerName: 'Birch', customerEmail: 'birch@shop.test', otherCount: 1 }
  expect(await ask('cus_1')).toEqual(birch)
  expect(await ask('cus_none')).toEqual({ customerName: null, customerEmail: null, otherCount: 0 })
  expect((await owner.fetch('/api/customers/cus_unknown/erasure-question')).status).toBe(404)
})

it('is no part of the page of a customer, which would compare all customers for it', async () => {
  expect(await (await owner.fetch('/api/customers/cus_1')).json()).not.toHaveProperty('othersOfEmail')
})

it('counts no further than it says', async () => {
  await query(
    world.ownerUrl,
    `insert into customers (organization_id, id, name, email, created_at)
     select organization_id, 'cus_many_' || n, name, email, created_at
       from customers, generate_series(1, 1005) n where id = 'cus_1'`,
  )
  expect((await ask('cus_1')).otherCount).toBe(1_000)
})
