import { afterEach, beforeEach, expect, it } from 'vitest'
import { defaultPolicy } from '#domain/mrr/exact/policy.ts'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { inOrganization } from '../postgres/database.ts'
import { getMrrPolicy, updateMrrPolicy } from './mrr-policy.ts'

let db: TestDatabase
beforeEach(async () => {
  db = await newDatabase()
  await query(
    db.ownerUrl,
    `insert into "organization" (name, slug, "createdAt") values ('One', 'one', now()), ('Two', 'two', now())`,
  )
  await query(
    db.ownerUrl,
    `insert into customers (organization_id, id, created_at, is_rebuild_due)
     select id, 'cus', now(), false from "organization"`,
  )
})
afterEach(() => db.close())

const at = new Date('2026-05-01T00:00:00Z')
const get = (organizationId: number) => inOrganization(db.database, organizationId, getMrrPolicy)
const update = (organizationId: number, patch: Parameters<typeof updateMrrPolicy>[1]) =>
  inOrganization(db.database, organizationId, (tenant) => updateMrrPolicy(tenant, patch, at))
const due = () =>
  query(db.ownerUrl, 'select organization_id as id from customers where is_rebuild_due order by 1')

it('is the rule book until something is chosen', async () => {
  expect(await get(1)).toEqual(defaultPolicy)
})

it('keeps what was chosen before, names each change, and stays with its organization', async () => {
  await update(1, { unpaid: 'counts' })
  expect(await update(1, { weeksPerMonth: [4, 1] })).toEqual({
    ...defaultPolicy,
    unpaid: 'counts',
    weeksPerMonth: [4, 1],
    revision: 2,
  })
  expect(await get(1)).toMatchObject({ revision: 2 })
  expect(await get(2)).toEqual(defaultPolicy)
  // Receipts of the first revision still refer to its switches.
  const kept = await query(
    db.ownerUrl,
    `select switches ->> 'unpaid' as unpaid from mrr_policies where revision = 1`,
  )
  expect(kept).toEqual([{ unpaid: 'counts' }])
})

it('marks every customer of the organization for the rebuild, and no other', async () => {
  await update(1, { churnAt: 'request' })
  expect(await due()).toEqual([{ id: 1 }])
})

it('changes and marks nothing where nothing differs', async () => {
  expect(await update(1, { churnAt: 'end' })).toEqual(defaultPolicy)
  expect(await due()).toEqual([])
})

it('takes no value that a switch cannot have', async () => {
  await expect(update(1, { pastDueChurnAfterDays: -5 })).rejects.toThrow(/'pastDueChurnAfterDays'/)
  expect(await get(1)).toEqual(defaultPolicy)
  expect(await due()).toEqual([])
})

it('gives two changes at once two revisions', async () => {
  await Promise.all([update(1, { unpaid: 'counts' }), update(1, { churnAt: 'request' })])
  expect(await get(1)).toMatchObject({
    unpaid: 'counts',
    churnAt: 'request',
    revision: 2,
  })
})
