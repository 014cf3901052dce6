import { type RawBuilder, sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { currentPortal } from './current-portal.ts'
import { isUntied } from './untied.ts'

/** What is known of a subscription's own record in the portal. */
export type RecordStanding = {
  /**
   * synced: as it is here. waiting: not sent yet, or it or its company or contact changed since. removed: somebody deleted
   * it in the CRM.
   */
  state: 'synced' | 'waiting' | 'failed' | 'removed'
  recordId: string | null
  objectTypeId: string | null
  /** When the CRM last confirmed it. */
  syncedAt: Date | null
  error: string | null
}

/** Whether the CRM has confirmed the record of this row of `crm_links` since its source changed last; see `crm_unsent`. */
export function isCurrent(link: RawBuilder<unknown>, source: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${link}.record_id is not null and ${link}.state = 'confirmed' and ${source}.updated_at <= ${link}.confirmed_at`
}

/** The standing of a subscription's record in a portal. */
export async function findRecordStanding(
  tenant: Tenant,
  portalId: string,
  subscriptionId: string,
): Promise<RecordStanding> {
  const { rows } = await sql<RecordStanding & { customerId: string }>`
    select s.customer_id as "customerId",
           case when l.state = 'failed' then 'failed' when l.state = 'removed' then 'removed'
                when ${isCurrent(sql`l`, sql`s`)} then 'synced' else 'waiting' end as state,
           l.record_id as "recordId", o.object_type_id as "objectTypeId", l.confirmed_at as "syncedAt",
           case when l.state = 'failed' then l.error end as error
      from subscriptions s
      left join crm_links l on l.organization_id = s.organization_id and l.portal_id = ${portalId}
                           and l.kind = 'subscription' and l.source_id = s.id
      left join crm_objects o on o.organization_id = s.organization_id and o.portal_id = ${portalId}
                             and o.kind = 'subscription'
     where s.organization_id = ${tenant.organizationId} and s.id = ${subscriptionId}`.execute(tenant.sql)
  const [row] = rows
  if (row === undefined)
    return { state: 'waiting', recordId: null, objectTypeId: null, syncedAt: null, error: null }
  const { customerId, ...standing } = row
  const subscription = { id: subscriptionId, customerId }
  if (standing.state === 'synced' && (await isUntied(tenant, portalId, subscription)))
    return { ...standing, state: 'waiting' }
  return standing
}

/** Whether the CRM refused a record of a row that lists show. Reads refused records alone. */
export async function isAnyRefused(tenant: Tenant): Promise<boolean> {
  const refused = (kind: CrmKind) =>
    sql`from crm_links l where l.organization_id = ${tenant.organizationId} and l.state = 'failed'
          and l.portal_id = ${currentPortal(tenant)} and l.kind = ${kind}`
  const { rows } = await sql`
    select where exists (select ${refused('subscription')} and exists (
             select from subscriptions s
              where s.organization_id = l.organization_id and s.id = l.source_id and s.quantity is not null))
        or exists (select ${refused('event')} and exists (
             select from events e where e.organization_id = l.organization_id and e.id = l.source_id))`.execute(
    tenant.sql,
  )
  return rows.length > 0
}

/** Why the CRM refused each of these rows in the current portal; null where it gave no reason. */
export async function findRefusals(
  tenant: Tenant,
  kind: CrmKind,
  sourceIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await tenant.sql
    .selectFrom('crm_links')
    .select(['source_id', 'error'])
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', currentPortal(tenant))
    .where('kind', '=', kind)
    .where('source_id', 'in', [...sourceIds])
    .where('state', '=', 'failed')
    .execute()
  return new Map(rows.map(({ source_id, error }) => [source_id, error]))
}
