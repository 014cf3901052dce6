import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { currentPortal } from './current-portal.ts'

type Sample = { sourceId: string; recordId: string | null }

function ofPortal(tenant: Tenant, kind: CrmKind) {
  return tenant.sql
    .selectFrom('crm_links as l')
    .select(['l.source_id as sourceId', 'l.record_id as recordId'])
    .where('l.organization_id', '=', tenant.organizationId)
    .where('l.portal_id', '=', currentPortal(tenant))
    .where('l.kind', '=', kind)
    .where('l.state', '=', 'confirmed')
    .where('l.record_id', 'is not', null)
    .orderBy('l.confirmed_at', 'desc')
    .orderBy('l.source_id')
    .limit(1)
}

/** One event that stands in the CRM, the newest; undefined while there is none. */
export function findEventSample(tenant: Tenant): Promise<Sample | undefined> {
  return ofPortal(tenant, 'event').executeTakeFirst()
}

/** The subscription of the sample event, so that the two belong together; another where that one is not there. */
export async function findSubscriptionSample(tenant: Tenant): Promise<Sample | undefined> {
  const event = await findEventSample(tenant)
  const subscriptionOfEvent = tenant.sql
    .selectFrom('events')
    .select('subscription_id')
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', event?.sourceId ?? '')
  const subscriptions = ofPortal(tenant, 'subscription')
  const ofEvent = await subscriptions.where('l.source_id', 'in', subscriptionOfEvent).executeTakeFirst()
  return ofEvent ?? subscriptions.executeTakeFirst()
}

/** The record of one of our rows in the portal; undefined while it has none. */
export async function findRecordId(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  sourceId: string,
): Promise<string | undefined> {
  const link = await tenant.sql
    .selectFrom('crm_links')
    .select('record_id')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', '=', sourceId)
    .executeTakeFirst()
  return link?.record_id ?? undefined
}

/** Whether the event is one of the subscription. */
export async function isEventOf(tenant: Tenant, eventId: string, subscriptionId: string): Promise<boolean> {
  const event = await tenant.sql
    .selectFrom('events')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', eventId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()
  return event !== undefined
}
