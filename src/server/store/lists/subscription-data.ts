import type { Tenant } from '../postgres/database.ts'

const shownMax = 500

/** The newest 500 raw subscriptions for operators, with the CRM's last confirmation of each, and the total. */
export async function listSubscriptionData(tenant: Tenant) {
  const rows = await tenant.sql
    .selectFrom('subscriptions as s')
    .leftJoin('customers as c', (join) =>
      join.onRef('c.organization_id', '=', 's.organization_id').onRef('c.id', '=', 's.customer_id'),
    )
    .select([
      's.id',
      'c.name as companyName',
      's.product_name as productName',
      's.status',
      's.current_mrr_cents as currentMrrCents',
      's.currency',
      's.created_at as createdAt',
      (e) =>
        e
          .selectFrom('crm_links as l')
          .select((max) => max.fn.max<Date | null>('l.confirmed_at').as('at'))
          .whereRef('l.organization_id', '=', 's.organization_id')
          .where('l.kind', '=', 'subscription')
          .whereRef('l.source_id', '=', 's.id')
          .as('lastSyncedAt'),
    ])
    .where('s.organization_id', '=', tenant.organizationId)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id')
    .limit(shownMax)
    .execute()
  return rows
}

/** The newest 500 raw events for operators, each with its record in the CRM. */
export async function listEventData(tenant: Tenant) {
  const rows = await tenant.sql
    .selectFrom('events as t')
    .leftJoin('customers as c', (join) =>
      join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.customer_id'),
    )
    .select([
      't.id',
      'c.name as companyName',
      't.subscription_id as subscriptionId',
      't.mrr_change_cents as mrrChangeCents',
      't.currency',
      't.change_type as changeType',
      't.occurred_at as occurredAt',
      (e) =>
        e
          .selectFrom('crm_links as l')
          .select((max) => max.fn.max<string | null>('l.record_id').as('recordId'))
          .whereRef('l.organization_id', '=', 't.organization_id')
          .where('l.kind', '=', 'event')
          .whereRef('l.source_id', '=', 't.id')
          .as('recordId'),
    ])
    .where('t.organization_id', '=', tenant.organizationId)
    .orderBy('t.occurred_at', 'desc')
    .orderBy('t.id')
    .limit(shownMax)
    .execute()
  return rows
}
