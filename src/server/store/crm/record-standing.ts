import { type RawBuilder, sql } from 'kysely'
import type { CrmTarget } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { refusedTies, tieRefusal } from './refusals.ts'
import { isUntied } from './untied.ts'

/** What is known of a subscription's own record in the portal. */
export type RecordStanding = {
  /**
   * synced: as it is here. waiting: not sent yet, or it or its company or contact changed since. failed: the CRM refused
   * it, or its tie to one of these. removed: somebody deleted it in the CRM.
   */
  state: 'synced' | 'waiting' | 'failed' | 'removed'
  recordId: string | null
  objectTypeId: string | null
  /** When the CRM last confirmed it. */
  syncedAt: Date | null
  error: string | null
}

/** Whether the CRM has confirmed the record of this row of `crm_links` since what it says changed last; see `crm_unsent`. */
export function isCurrent(link: RawBuilder<unknown>, source: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${link}.record_id is not null and ${link}.state = 'confirmed' and ${link}.outdated = 0
    and ${source}.updated_at <= ${link}.confirmed_at`
}

/** The standing of a subscription's record in a portal. */
export async function findRecordStanding(
  tenant: Tenant,
  portalId: string,
  subscriptionId: string,
): Promise<RecordStanding> {
  const { rows } = await sql<RecordStanding & { customerId: string; target: CrmTarget | null }>`
    select s.customer_id as "customerId", tie.target_kind as target,
           case when l.state = 'failed' then 'failed' when l.state = 'removed' then 'removed'
                when tie.source_id is not null then 'failed'
                when ${isCurrent(sql`l`, sql`s`)} then 'synced' else 'waiting' end as state,
           l.record_id as "recordId", o.object_type_id as "objectTypeId", l.confirmed_at as "syncedAt",
           case when l.state = 'failed' then l.error else tie.error end as error
      from subscriptions s
      left join crm_links l on l.organization_id = s.organization_id and l.portal_id = ${portalId}
                           and l.kind = 'subscription' and l.source_id = s.id
      left join crm_objects o on o.organization_id = s.organization_id and o.portal_id = ${portalId}
                             and o.kind = 'subscription'
      left join lateral (select * from ${refusedTies(tenant, sql`${portalId}`, 'subscription')} refused
                          where refused.source_id = s.id and l.state not in ('failed', 'removed')
                          order by target_kind limit 1) tie on true
     where s.organization_id = ${tenant.organizationId} and s.id = ${subscriptionId}`.execute(tenant.sql)
  const [row] = rows
  if (row === undefined)
    return { state: 'waiting', recordId: null, objectTypeId: null, syncedAt: null, error: null }
  const { customerId, target, ...found } = row
  const { error } = found
  const standing = target === null || error === null ? found : { ...found, error: tieRefusal(target, error) }
  const subscription = { id: subscriptionId, customerId }
  if (standing.state === 'synced' && (await isUntied(tenant, portalId, subscription)))
    return { ...standing, state: 'waiting' }
  return standing
}
