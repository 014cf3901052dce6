import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { run, type TestDatabase } from '#test/database.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { type Database, inOrganization, openDatabase, type Tenant } from './database.ts'
import { isDatabaseAway } from './is-database-away.ts'

let db: TestDatabase
let one: Database

beforeAll(async () => {
  db = await newOrganizationOne()
})
beforeEach(async () => {
  await one?.destroy()
  await run(db.ownerUrl, 'delete from customers')
  one = openDatabase({ url: db.url, poolSize: 1, statementTimeoutMs: 5_000, onError: () => {} })
})
afterAll(async () => {
  await one?.destroy()
  await db?.close()
})

const within = <T>(work: (tenant: Tenant) => Promise<T>) => inOrganization(one, 1, work)
const add = (tenant: Tenant, id: string) =>
  sql`insert into customers (organization_id, id, created_at) values (1, ${id}, now())`.execute(tenant.sql)
const ids = async (tenant: Tenant) => {
  const rows = await tenant.sql.selectFrom('customers').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
const fail = (tenant: Tenant) => sql`select 1 / 0`.execute(tenant.sql)

describe('statements of an organization', () => {
  it('are done in the order in which they were given, however they are made', async () => {
    const seen = await within((tenant) =>
      Promise.all([ids(tenant), add(tenant, 'a'), ids(tenant), add(tenant, 'b'), ids(tenant)]),
    )
    expect([seen[0], seen[2], seen[4]]).toEqual([[], ['a'], ['a', 'b']])
  })

  it('fail with what the first of them failed with, and are not kept', async () => {
    await expect(
      within((tenant) => Promise.all([add(tenant, 'a'), fail(tenant), add(tenant, 'b')])),
    ).rejects.toThrow('division by zero')
    expect(await within(ids)).toEqual([])
  })

  it('fail where it could not be named, with what that failed with', async () => {
    const badly = async (transaction: Tenant['sql']) => {
      await sql`select set_config('app.organization_id', 1, true)`.execute(transaction)
    }
    await expect(inOrganization(one, 1, (tenant) => add(tenant, 'a'), { open: badly })).rejects.toThrow(
      'set_config',
    )
    expect(await within(ids)).toEqual([])
  })

  it('are not kept where the work may not be done', async () => {
    class Lost extends Error {}
    const refused = async (transaction: Tenant['sql']) => {
      await sql`select set_config('app.organization_id', '1', true)`.execute(transaction)
      throw new Lost()
    }
    await expect(inOrganization(one, 1, (tenant) => add(tenant, 'a'), { open: refused })).rejects.toThrow(
      Lost,
    )
    expect(await within(ids)).toEqual([])
  })

  it('cannot be given once the work has failed or ended', async () => {
    const late: Promise<unknown>[] = []
    const failing = within((tenant) => {
      const failed = fail(tenant)
      late.push(failed.catch(() => wait(1)).then(() => add(tenant, 'a')))
      return Promise.all([failed, ...late])
    })
    await expect(failing).rejects.toThrow('division by zero')
    late.push(add(await within(async (tenant) => tenant), 'b'))
    const ends = await Promise.allSettled(late)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await within(ids)).toEqual([])
  })
})

it('leaves a server that only reads, as a connection meets it after a failover', async () => {
  await sql`set default_transaction_read_only = on`.execute(one)
  await expect(within((tenant) => add(tenant, 'a'))).rejects.toSatisfy(isDatabaseAway)
  await within((tenant) => add(tenant, 'b'))
  expect(await within(ids)).toEqual(['b'])
})
