import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport } from '../work/import/test-support.ts'
import { inOrganization } from './database.ts'
import { type DueCustomer, loadCustomerObjects, takeCustomersDue } from './rebuild-evidence.ts'

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

function take(after: DueCustomer | null, invoicesMax: number): Promise<DueCustomer[]> {
  return inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
    takeCustomersDue(tenant, { after, customersMax: 8, invoicesMax, waits: false }),
  )
}

it.each([1, 15, 40, 10_000])(
  'customers that are due are taken with up to %i invoices, or one by one, and none is left out',
  async (invoicesMax) => {
    const taken: string[] = []
    const sizes: number[] = []
    for (let after: DueCustomer | null = null; ; ) {
      const due = await take(after, invoicesMax)
      const last = due.at(-1)
      if (!last) break
      after = last
      taken.push(...due.map(({ id }) => id))
      const invoices = due.reduce((sum, { id }) => sum + (invoicesOf.get(id) ?? 0), 0)
      if (due.length > 1) sizes.push(invoices)
      expect(due.length).toBeLessThanOrEqual(8)
    }
    expect(taken.toSorted()).toEqual([...invoicesOf.keys()].toSorted())
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(invoicesMax)
    expect(sizes).not.toEqual([])
  },
)

it('an invoice is paid as the last of its payments says that tells', async () => {
  const [invoice] = await query<{ id: string; customer: string }>(
    stage.db.ownerUrl,
    'select id, customer_id as customer from invoices order by id limit 1',
  )
  const { id = '', customer = '' } = invoice ?? {}
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
  const [objects] = await inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
    loadCustomerObjects(tenant, [customer], { withInvoices: true }),
  )
  expect(objects?.invoicePaymentMethods.get(id)).toMatchObject({ last4: '3333' })
})
