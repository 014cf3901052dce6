/** Tables with the data that an import stores, and the results computed from it. */
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

/** A row `t` of such a table as JSON, without the organization's number and our own write times. */
export const keptRow = `to_jsonb(t) - 'updated_at' - 'captured_at' - 'read_at' - 'asked_after' - 'organization_id'`
