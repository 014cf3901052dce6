import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { type DueCustomer, takeCustomersDue } from '../ledger/due-customers.ts'
import { inOrganization } from '../postgres/database.ts'
import { loadCustomerObjects, loadPaymentMethods } from './customer-objects.ts'

let stage: ImportStage
let invoicesOf: Map<string, number>
beforeAll(async () => {
  stage = await stageImport({ world: generatedWorld(20) })
  await stage.importAll()
  await query(stage.db.ownerUrl, 'update customers set is_rebuild_due = true')
  const counts = await query<{ id: string; count: number }>(
    stage.db.ownerUrl,
    `select c.id, count(i.id)::int as count from customers c left join invoices i on i.customer_id = c.id group by c.id`,
  )
  invoicesOf = new Map(counts.map(({ id, count }) => [id, count]))
})
afterAll(() => stage.close())

/** Takes due customers and reads what the rebuild of the first ones needs. */
function takeAndLoad(after: DueCustomer | null, invoicesMax: number) {
  return inOrganization(stage.deps.database, stage.organizationId, async (tenant) => {
    const due = await takeCustomersDue(tenant, { after, limit: 8, waits: false })
    const ids = due.map(({ id }) => id)
    return { due, loaded: due.length === 0 ? [] : await loadCustomerObjects(tenant, ids, { invoicesMax }) }
  })
}

it.each([1, 15, 40, 10_000])(
  'customers that are due are read with up to %i invoices, or one by one, each whole, and none is left out',
  async (invoicesMax) => {
    const read: string[] = []
    const sizes: number[] = []
    for (let after: DueCustomer | null = null; ; ) {
      const { due, loaded } = await takeAndLoad(after, invoicesMax)
      const last = due[loaded.length - 1]
      if (!last) break
      after = last
      const ids = due.slice(0, loaded.length).map(({ id }) => id)
      expect(loaded.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      for (const { id, invoices } of loaded) expect(invoices).toHaveLength(invoicesOf.get(id) ?? 0)
      const size = loaded.reduce((sum, { invoices }) => sum + invoices.length, 0)
      if (loaded.length > 1) sizes.push(size)
      const next = due[loaded.length]
      if (next) expect(size + (invoicesOf.get(next.id) ?? 0)).toBeGreaterThan(invoicesMax)
      read.push(...ids)
    }
    expect(read.toSorted()).toEqual([...invoicesOf.keys()].toSorted())
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(invoicesMax)
    expect(sizes).not.toEqual([])
  },
)

it('a customer has its invoices in the order of their creation', async () => {
  const { loaded } = await takeAndLoad(null, 10_000)
  for (const { invoices } of loaded)
    expect(invoices).toEqual(
      invoices.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)),
    )
  expect(loaded.some(({ invoices }) => invoices.length > 2)).toBe(true)
})

it('an invoice is paid as the last of its payments says that tells', async () => {
  const [invoice] = await query<{ id: string }>(
    stage.db.ownerUrl,
    'select id from invoices order by id limit 1',
  )
  const { id = '' } = invoice ?? {}
  const cases: [string, number, string | null][] = [
    ['pay_b', 2, '{"type":"card","brand":"visa","last4":"2222"}'],
    ['pay_c', 2, '{"type":"card","brand":"visa","last4":"3333"}'],
    ['pay_a', 1, '{"type":"card","brand":"visa","last4":"1111"}'],
    ['pay_d', 3, null],
  ]
  await query(stage.db.ownerUrl, 'delete from invoice_payments where invoice_id = $1', [id])
  for (const [payment, at, method] of cases)
    await query(
      stage.db.ownerUrl,
      `insert into invoice_payments (organization_id, id, invoice_id, payment_method, created_at)
       select id, $1, $2, $3::jsonb, to_timestamp($4::int) from "organization"`,
      [payment, id, method, at],
    )
  const methods = await inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
    loadPaymentMethods(tenant, [id, 'in_unknown']),
  )
  expect([...methods]).toEqual([[id, expect.objectContaining({ last4: '3333' })]])
})
