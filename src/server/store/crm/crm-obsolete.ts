import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import {
  type AssociationKind,
  type AssociationRow,
  sourceRow,
  standsInPortal,
  targetRow,
} from './crm-associations.ts'
import { isInScope, type PushScope } from './push-due.ts'

/**
 * Associations that we created and that should no longer exist, because the match changed or ended. If our own row is
 * gone, we cannot know; if the company or contact is gone, the association waits for its return.
 */
async function listObsolete(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  condition: RawBuilder<unknown>,
  limit: RawBuilder<unknown> = sql``,
): Promise<AssociationRow[]> {
  const isAnothers = sql`exists (
    select from crm_links o
     where o.organization_id = x.organization_id and o.portal_id = x.portal_id and o.kind = 'subscription'
       and o.record_id = x.target_record_id and o.source_id <> s.subscription_id)`
  const { rows } = await sql<AssociationRow>`
    select x.source_id as "sourceId", l.record_id as "fromRecordId", x.target_record_id as "toRecordId"
      from crm_associations x
     cross join lateral (select l.record_id from crm_links l
                          where l.organization_id = x.organization_id and l.portal_id = x.portal_id
                            and l.kind = x.kind and l.source_id = x.source_id
                            and l.record_id is not null limit 1) as l
     cross join ${sourceRow(kind, sql`x.source_id`)} left join ${targetRow(kind)} on true
     where x.organization_id = ${tenant.organizationId} and x.portal_id = ${portalId} and x.kind = ${kind.kind}
       and x.target_kind = ${kind.target} and t.to_id is distinct from x.target_record_id
       and (t.to_id is not null or x.target_kind <> 'subscription' or ${isAnothers})
       and ${standsInPortal(kind, sql`x.target_record_id`)} and ${condition}
     order by x.source_id, x.target_record_id ${limit}`.execute(tenant.sql)
  return rows
}

/**
 * Obsolete associations after a source id. Each stays until its replacement is confirmed, so that no record is left
 * without any.
 */
export function listReplacedAssociations(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  page: { afterSourceId: string; limit: number; scope: PushScope },
): Promise<AssociationRow[]> {
  const isReplaced = sql`(t.to_id is null or exists (
    select from crm_associations n
     where n.organization_id = x.organization_id and n.portal_id = x.portal_id and n.kind = x.kind
       and n.source_id = x.source_id and n.target_kind = x.target_kind and n.target_record_id = t.to_id
       and n.state = 'confirmed'))`
  const isMeant = isInScope(tenant, page.scope, kind.kind, 'x.source_id')
  const condition = sql`x.source_id > ${page.afterSourceId} and ${isMeant} and ${isReplaced}`
  return listObsolete(tenant, portalId, kind, condition, sql`limit ${page.limit}`)
}

/** Obsolete associations that share a record with others, and may use up a limit that those need. */
export function listObsoleteBeside(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  rows: readonly AssociationRow[],
): Promise<AssociationRow[]> {
  return listObsolete(tenant, portalId, kind, sharesRecord(rows))
}

/** Schedules refused associations again if they share a record with removed ones. Returns whether there are any. */
export async function reviveRefusedBeside(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  rows: readonly AssociationRow[],
): Promise<boolean> {
  if (rows.length === 0) return false
  const { numAffectedRows = 0n } = await sql`
    update crm_associations as x set state = 'pending'
     where x.organization_id = ${tenant.organizationId} and x.portal_id = ${portalId} and x.kind = ${kind.kind}
       and x.target_kind = ${kind.target} and x.state = 'failed' and ${sharesRecord(rows)}`.execute(
    tenant.sql,
  )
  return numAffectedRows > 0n
}

function sharesRecord(rows: readonly AssociationRow[]): RawBuilder<unknown> {
  const sourceIds = [...new Set(rows.map(({ sourceId }) => sourceId))]
  const recordIds = [...new Set(rows.map(({ toRecordId }) => toRecordId))]
  return sql`(x.source_id = any(${sourceIds}::text[]) or x.target_record_id = any(${recordIds}::text[]))`
}
