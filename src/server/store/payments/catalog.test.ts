import { afterAll, beforeAll, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { inOrganization } from '../postgres/database.ts'
import { saveProducts } from './catalog.ts'

let stage: ImportStage
beforeAll(async () => {
  stage = await stageImport({ world: smallWorld() })
  await stage.importAll()
})
afterAll(() => stage.close())

it.each([
  ['the customers of a product that was renamed', { name: 'Desks' }, true],
  ['nobody where it was only archived', { isActive: false }, false],
])('marks for the rebuild %s', async (_, change, isAnybody) => {
  const [known] = await query<{ id: string; name: string }>(
    stage.db.ownerUrl,
    `select id, name from products where id = 'prod_seats'`,
  )
  if (!known) throw new Error('the product is missing')
  const owners = await query(
    stage.db.ownerUrl,
    `select distinct customer_id as id from subscriptions
      where body -> 'items' @> '[{"price": {"productId": "prod_seats"}}]' order by id`,
  )
  await inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
    saveProducts(tenant, [{ ...known, isActive: true, createdAt: 0, ...change }]),
  )
  const due = await query(stage.db.ownerUrl, 'select id from customers where is_rebuild_due order by id')
  expect(owners.length).toBeGreaterThan(0)
  expect(due).toEqual(isAnybody ? owners : [])
  await query(stage.db.ownerUrl, 'update customers set is_rebuild_due = false')
})
