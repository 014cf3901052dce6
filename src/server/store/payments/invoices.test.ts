import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ImportedInvoice } from '#domain/payments.ts'
import { run as query, type TestDatabase } from '#test/database.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { inOrganization } from '../postgres/database.ts'
import { invoiceRow, saveInvoices } from './invoices.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newOrganizationOne(
    `insert into customers (organization_id, id, created_at, is_rebuild_due)
     select id, 'cus_1', now(), false from "organization";`,
  )
})
afterAll(() => db.close())

const line = {
  id: 'il_1',
  subscriptionId: 'sub_1',
  subscriptionItemId: 'si_1',
  priceId: 'price_1',
  productId: 'prod_1',
  amountCents: 9_900,
  discountCents: 0,
  discounts: [],
  inclusiveTaxCents: 0,
  unitAmountDecimal: '9900',
  quantity: 1,
  isProration: false,
  isDiscountable: true,
  isSubscriptionItem: true,
  periodStart: 1_760_000_000,
  periodEnd: 1_762_600_000,
  description: 'One, "quoted"\n and {braced}',
}
const invoice = {
  id: 'in_1',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  status: 'paid',
  billingReason: 'subscription_cycle',
  currency: 'usd',
  createdAt: 1_760_000_000,
  finalizedAt: null,
  totalDiscountCents: 0,
  customerAccount: null,
  customerName: 'One',
  customerEmail: null,
  number: '',
  lines: [line, { ...line, id: 'il_2', priceId: 'price_2' }, { ...line, id: 'il_3', priceId: null }],
} satisfies ImportedInvoice

async function save(saved: ImportedInvoice): Promise<{ isDue: boolean; priceIds: string[] }> {
  const [organization] = await query<{ id: number }>(db.ownerUrl, 'select id from "organization"')
  await query(db.ownerUrl, 'update customers set is_rebuild_due = false')
  await inOrganization(db.database, Number(organization?.id), (tenant) =>
    saveInvoices(tenant, [invoiceRow(saved)], { mode: 'again' }),
  )
  const [row] = await query<{ isDue: boolean; priceIds: string[] }>(
    db.ownerUrl,
    `select is_rebuild_due as "isDue", price_ids as "priceIds" from customers, invoices`,
  )
  return row ?? { isDue: false, priceIds: [] }
}

it('an invoice marks its customer when it comes and when it changes, and names its prices', async () => {
  expect(await save(invoice)).toEqual({ isDue: true, priceIds: ['price_1', 'price_2'] })
  expect(await save(invoice)).toMatchObject({ isDue: false })
  expect(await save({ ...invoice, number: 'A-1' })).toMatchObject({ isDue: true })
  expect(await save({ ...invoice, number: 'A-1', lines: [{ ...line, quantity: 2 }] })).toEqual({
    isDue: true,
    priceIds: ['price_1'],
  })
})

it('lines that were kept in another form of JSON are the same lines', async () => {
  await save(invoice)
  await query(db.ownerUrl, 'update invoices set lines = lines::jsonb::json')
  expect(await save(invoice)).toMatchObject({ isDue: false })
})
