/** Tables that hold what an import keeps, and what is made of it. */
export const keptTables = [
  'customers',
  'products',
  'prices',
  'coupons',
  'subscriptions',
  'invoices',
  'invoice_payments',
  'events',
  'snapshots',
  'billing_v2_totals',
]

/** A row `t` of such a table as JSON, without the organization's number and the moments of our own writes. */
export const keptRow = `to_jsonb(t) - 'updated_at' - 'captured_at' - 'read_at' - 'asked_after' - 'organization_id'`
