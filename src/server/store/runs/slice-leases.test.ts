import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { run as query, type TestDatabase } from '#test/database.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { inOrganization } from '../postgres/database.ts'
import { type Lease, renewLeases, takeSlices, updateHeldSlices } from './slice-leases.ts'

const runId = '00000000-0000-4000-8000-000000000001'
const lease = (holder: string, seconds: number): Lease => ({ holder, ms: seconds * 1_000 })

let db: TestDatabase
beforeAll(async () => {
  db = await newOrganizationOne(
    `insert into runs (organization_id, id, kind, status, created_at)
     select id, '${runId}', 'import', 'in_progress', now() from "organization";
     insert into run_slices (organization_id, run_id, slice, position, state, holder, lease_until)
     select o.id, '${runId}', s.slice, 1, '{"kind": "invoices", "from": null}', s.holder, now() - interval '1000 s' from "organization" o
      cross join (values ('one', 'mine'), ('two', 'mine'), ('other', 'theirs')) as s (slice, holder)`,
  )
})
afterAll(() => db.close())

const renew = () =>
  inOrganization(db.database, 1, (tenant) => renewLeases(tenant, runId, lease('mine', 3_000)))
/** How long each slice is leased, in thousands of seconds. */
const leases = async () => {
  const rows = await query<{ slice: string; left: number }>(
    db.ownerUrl,
    'select slice, round(extract(epoch from lease_until - now()) / 1000)::integer as left from run_slices',
  )
  return Object.fromEntries(rows.map(({ slice, left }) => [slice, left]))
}

it('renews what a holder holds without waiting for what it writes at this moment', async () => {
  await inOrganization(db.database, 1, async (tenant) => {
    const page = { slice: 'one', position: 1, cursor: 'cus_9', doneCount: 1, isDone: false, state: {} }
    const written = await updateHeldSlices(tenant, runId, lease('mine', 2_000), [page])
    expect(written).toEqual(new Set(['one']))
    await renew()
    expect(await leases()).toEqual({ one: -1, two: 3, other: -1 })
  })
  expect(await leases()).toEqual({ one: 2, two: 3, other: -1 })
  await renew()
  expect(await leases()).toEqual({ one: 3, two: 3, other: -1 })
})

it('takes from others what they have let expire, and from itself nothing', async () => {
  const want = {
    lease: lease('mine', 60),
    limit: 5,
    readBeside: 4,
    history: { kinds: [], most: null },
  }
  const taken = await inOrganization(db.database, 1, (tenant) =>
    takeSlices(tenant, runId, want, (state) => state),
  )
  expect(taken.map(({ slice }) => slice)).toEqual(['other'])
})

describe('of each kind of the history', () => {
  const id = '00000000-0000-4000-8000-000000000002'
  beforeEach(() =>
    query(
      db.ownerUrl,
      `delete from runs where id = '${id}';
       insert into runs (organization_id, id, kind, status, created_at)
       select id, '${id}', 'import', 'completed', now() from "organization";
       insert into run_slices (organization_id, run_id, slice, position, state)
       select o.id, '${id}', kind || age, position, jsonb_build_object('kind', kind, 'from', age, 'until', age + 1)
         from "organization" o
        cross join (values ('customers', 1), ('invoices', 2), ('invoice_payments', 3)) as k (kind, position)
        cross join generate_series(1, 3) as age`,
    ),
  )
  const take = async (holder: string, most: number | null) => {
    const history = { kinds: ['invoices', 'invoice_payments'], most }
    const want = { lease: lease(holder, 60), limit: 9, readBeside: 4, history }
    const taken = await inOrganization(db.database, 1, (tenant) =>
      takeSlices(tenant, id, want, (state) => state),
    )
    return taken.map(({ slice }) => slice)
  }
  const customers = ['customers1', 'customers2', 'customers3']
  const change = (slice: string, to: string) =>
    query(db.ownerUrl, `update run_slices set ${to} where run_id = $1 and slice = $2`, [id, slice])

  it('no more are taken than may be read beside each other, whoever reads them', async () => {
    expect(await take('mine', 1)).toEqual([...customers, 'invoices3', 'invoice_payments3'])
    expect(await take('theirs', 1)).toEqual([])
    expect(await take('theirs', 2)).toEqual(['invoices2', 'invoice_payments2'])
    expect(await take('theirs', null)).toEqual(['invoices1', 'invoice_payments1'])
  })

  it('what somebody held and let expire is taken by another', async () => {
    await change('invoices3', "holder = 'dead', lease_until = now() - interval '1 s'")
    expect(await take('mine', 1)).toEqual([...customers, 'invoices3', 'invoice_payments3'])
  })

  it('one of which all pages are in counts as nothing that is read', async () => {
    await change(
      'invoices3',
      `holder = 'mine', lease_until = now() + interval '1 h', state = state || '{"isListed": true}'`,
    )
    expect(await take('theirs', 1)).toEqual([...customers, 'invoices2', 'invoice_payments3'])
  })
})
