import { sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'

const shownMax = 500

/** What we know of the record of the row `row` in the current portal; looked up for the rows that are shown alone. */
function linkOf(tenant: Tenant, kind: CrmKind, row: 's' | 't') {
  return tenant.sql
    .selectFrom('crm_links as l')
    .where('l.organization_id', '=', tenant.organizationId)
    .where('l.portal_id', '=', currentPortal(tenant))
    .where('l.kind', '=', kind)
    .where('l.source_id', '=', sql.ref<string>(`${row}.id`))
}

/** The newest 500 raw subscriptions for operators, each with the current portal's last confirmation of its record. */
export function listSubscriptionData(tenant: Tenant) {
  return tenant.sql
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
      linkOf(tenant, 'subscription', 's').select('l.confirmed_at').as('lastSyncedAt'),
    ])
    .where('s.organization_id', '=', tenant.organizationId)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id')
    .limit(shownMax)
    .execute()
}

/** The newest 500 raw events for operators, each with its record in the current portal. */
export function listEventData(tenant: Tenant) {
  return tenant.sql
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
      linkOf(tenant, 'event', 't').select('l.record_id').as('recordId'),
    ])
    .where('t.organization_id', '=', tenant.organizationId)
    .orderBy('t.occurred_at', 'desc')
    .orderBy('t.id')
    .limit(shownMax)
    .execute()
}
