import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { run as query, type TestDatabase } from '#test/database.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { inOrganization, type Tenant } from '../postgres/database.ts'
import {
  type ImportWindow,
  type Lease,
  listOpenWindows,
  renewLeases,
  saveWindows,
  takeWindows,
  updateHeldWindows,
} from './import-windows.ts'

const runId = '00000000-0000-4000-8000-000000000001'
const lease = (holder: string, seconds: number): Lease => ({ holder, ms: seconds * 1_000 })
const window = (id: string): ImportWindow => ({
  ...{ id, kind: 'invoices', from: 1, until: null, oldestAt: null, cursorId: null, cursorAt: null },
  ...{ allPagesRead: false, incomplete: [], doneCount: 0, isDone: false },
})

let db: TestDatabase
beforeAll(async () => {
  db = await newOrganizationOne(
    `insert into runs (organization_id, id, kind, status, created_at)
     select id, '${runId}', 'import', 'in_progress', now() from "organization"`,
  )
})
afterAll(() => db.close())
const within = <T>(work: (tenant: Tenant) => Promise<T>) => inOrganization(db.database, 1, work)
beforeEach(async () => {
  await query(db.ownerUrl, 'delete from import_windows')
  await within((tenant) => saveWindows(tenant, runId, ['one', 'two', 'other', 'free'].map(window)))
  await query(
    db.ownerUrl,
    `update import_windows set lease_until = now() - interval '1000 s',
            holder = case id when 'other' then 'theirs' when 'free' then null else 'mine' end`,
  )
})

const idsOf = (windows: readonly ImportWindow[]) => windows.map(({ id }) => id)
const renew = () => within((tenant) => renewLeases(tenant, runId, lease('mine', 3_000)))
/** How long each window is leased, in thousands of seconds. */
const leases = async () => {
  const rows = await query<{ id: string; left: number }>(
    db.ownerUrl,
    `select id, round(extract(epoch from lease_until - now()) / 1000)::integer as left from import_windows
      where holder is not null`,
  )
  return Object.fromEntries(rows.map(({ id, left }) => [id, left]))
}

it('renews what a holder holds without waiting for what it writes at this moment', async () => {
  await within(async (tenant) => {
    const page = { ...window('one'), cursorId: 'cus_9', doneCount: 1 }
    const written = await updateHeldWindows(tenant, runId, lease('mine', 2_000), [page])
    expect(written).toEqual(new Set(['one']))
    await renew()
    expect(await leases()).toEqual({ one: -1, two: 3, other: -1 })
  })
  expect(await leases()).toEqual({ one: 2, two: 3, other: -1 })
  await renew()
  expect(await leases()).toEqual({ one: 3, two: 3, other: -1 })
})

it('gives free windows, and those that others have let expire, but none that somebody is taking', async () => {
  const all = ['one', 'two', 'other', 'free', 'none such']
  const take = (holder: string) =>
    within(async (tenant) => idsOf(await takeWindows(tenant, runId, lease(holder, 60), all)))
  await within(async (tenant) => {
    expect(idsOf(await takeWindows(tenant, runId, lease('mine', 60), ['free']))).toEqual(['free'])
    expect(await take('theirs')).toEqual(['one', 'two'])
  })
  expect(await take('third')).toEqual(['other'])
  expect(await take('third')).toEqual([])
})

it('gives a window as its last reader left it, even if that was after it was chosen', async () => {
  await within((tenant) => listOpenWindows(tenant, runId, 'theirs'))
  const moved = { ...window('one'), cursorId: 'in_9', cursorAt: 99, doneCount: 7 }
  await within((tenant) => updateHeldWindows(tenant, runId, lease('mine', -60), [moved]))
  const taken = await within((tenant) => takeWindows(tenant, runId, lease('theirs', 60), ['one']))
  expect(taken).toEqual([moved])
})

it('keeps of a window all that its reader needs, and takes nothing from who has lost it', async () => {
  const incomplete = [
    { id: 'in_a', customerId: 'cus_a' },
    { id: 'in_b', customerId: null },
  ]
  const read = {
    ...window('one'),
    cursorId: 'in_9',
    cursorAt: 99,
    allPagesRead: true,
    incomplete,
    doneCount: 7,
  }
  const save = (holder: string) =>
    within((tenant) => updateHeldWindows(tenant, runId, lease(holder, 60), [read]))
  expect(await save('theirs')).toEqual(new Set())
  expect(await save('mine')).toEqual(new Set(['one']))
  const open = await within((tenant) => listOpenWindows(tenant, runId, 'mine'))
  expect(open.find(({ id }) => id === 'one')).toEqual({ ...read, isFree: false })
  expect(open.filter(({ isFree }) => isFree).map(({ id }) => id)).toEqual(['other', 'free'].sort())
})
