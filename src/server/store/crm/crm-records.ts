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

/** The newest event with a record in the CRM; undefined if there is none. */
export function findEventSample(tenant: Tenant): Promise<Sample | undefined> {
  return ofPortal(tenant, 'event').executeTakeFirst()
}

/** The sample event's subscription, so that both belong together; another one if that has no record. */
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

/** The CRM record of one of our rows; undefined if it has none. */
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

/** Whether we know the event or subscription, with or without a record in the CRM. */
export async function hasSource(tenant: Tenant, kind: CrmKind, sourceId: string): Promise<boolean> {
  const row = await tenant.sql
    .selectFrom(kind === 'event' ? 'events' : 'subscriptions')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', sourceId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the event belongs to the subscription. */
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
