import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '#test/database.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { inOrganization, type Tenant } from './database.ts'
import { inOnePass, readAlongIndexes, withoutNestedLoops } from './planner.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newOrganizationOne()
})
afterAll(() => db.close())

const names = ['enable_seqscan', 'enable_hashjoin', 'enable_nestloop', 'enable_mergejoin']

async function settings(tenant: Tenant): Promise<string> {
  const { rows } = await sql<{ value: string }>`
    select current_setting(name) as value from unnest(${names}::text[]) as name`.execute(tenant.sql)
  return rows.map(({ value }) => value).join(' ')
}

it('plans a query by hashes or without nested loops, and leaves the settings of the transaction as they were', async () => {
  await inOrganization(db.database, 1, async (tenant) => {
    expect(await settings(tenant)).toBe('on on on on')
    expect(await withoutNestedLoops(tenant, () => settings(tenant))).toBe('on on off on')
    expect(await inOnePass(tenant, () => settings(tenant))).toBe('on on off off')
    expect(await settings(tenant)).toBe('on on on on')
    await readAlongIndexes(tenant)
    expect(await settings(tenant)).toBe('off off on off')
    expect(await inOnePass(tenant, () => settings(tenant))).toBe('on on off off')
    expect(await settings(tenant)).toBe('off off on off')
  })
})
