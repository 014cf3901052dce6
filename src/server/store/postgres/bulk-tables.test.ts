import { expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { newLargeOrganization } from '#test/store/large-organization.ts'

const tables = ['events', 'invoice_payments', 'invoices'] as const

it('what hangs on no key goes with its organization, and nobody else’s does', async () => {
  const { db } = await newLargeOrganization()
  try {
    const [other] = await query<{ id: number }>(
      db.ownerUrl,
      `insert into "organization" (name, slug, "createdAt") values ('Other', 'other', now()) returning id`,
    )
    const otherId = Number(other?.id)
    await query(
      db.ownerUrl,
      `insert into invoices (organization_id, id, currency, total_discount_cents, lines, created_at)
       select id, 'in_1', 'usd', 0, '[]', now() from "organization";
       insert into invoice_payments (organization_id, id, invoice_id, created_at)
       select id, 'inpay_1', 'in_1', now() from "organization";
       insert into events (organization_id, id, subscription_id, customer_id, occurred_at, position, mrr_status,
                           change_type, previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity, current_quantity,
                           currency)
       values (${otherId}, 'ev_other', 'sub_1', 'cus_1', now(), 0, 'New', 'new_subscription', 0, 100, 100, 0, 1, 'usd');`,
    )
    await query(db.ownerUrl, `delete from "organization" where slug = 'large'`)
    for (const table of tables)
      expect(
        await query(db.ownerUrl, `select organization_id as id, count(*)::integer from ${table} group by 1`),
      ).toEqual([{ id: otherId, count: 1 }])
  } finally {
    await db.close()
  }
})
