import { type RawBuilder, sql } from 'kysely'
import type { CrmKind, CrmTarget } from '#domain/crm-record.ts'
import type { Tenant } from './database.ts'

/** One kind of association: which of our records with what. */
export type AssociationKind = { kind: CrmKind; target: CrmTarget }

export const associationKinds: readonly AssociationKind[] = [
  { kind: 'event', target: 'subscription' },
  { kind: 'subscription', target: 'company' },
  { kind: 'subscription', target: 'contact' },
  { kind: 'event', target: 'company' },
  { kind: 'event', target: 'contact' },
]

/** An association of the record of `sourceId`. */
export type AssociationRow = { sourceId: string; fromRecordId: string; toRecordId: string }

/**
 * The row of our own behind `sourceId`. Lookups here are lateral and bounded, so that the planner takes the keys: right
 * after a first import it has no statistics, and joins of whole tables would take minutes.
 */
function sourceRow({ kind }: AssociationKind, sourceId: RawBuilder<unknown>) {
  return kind === 'subscription'
    ? sql`lateral (select s.customer_id, s.id as subscription_id from subscriptions s
                    where s.organization_id = x.organization_id and s.id = ${sourceId} limit 1) as s`
    : sql`lateral (select s.customer_id, s.subscription_id from events s
                    where s.organization_id = x.organization_id and s.id = ${sourceId} limit 1) as s`
}

/** The record in the CRM that the source should be associated with, as `t.to_id`; none where that is not known. */
function targetRow({ target }: AssociationKind) {
  if (target === 'subscription') {
    return sql`lateral (select l.record_id as to_id from crm_links l
                         where l.organization_id = x.organization_id and l.portal_id = x.portal_id
                           and l.kind = 'subscription' and l.source_id = s.subscription_id
                           and l.record_id is not null limit 1) as t`
  }
  const column = sql.ref(target === 'company' ? 'm.company_record_id' : 'm.contact_record_id')
  const isDecided = target === 'company' ? sql`m.state = 'linked'` : sql`m.state <> 'ignored'`
  return sql`lateral (select ${column} as to_id from matches m
                       where m.organization_id = x.organization_id and m.customer_id = s.customer_id
                         and m.portal_id = x.portal_id and ${isDecided} and ${column} is not null limit 1) as t`
}

/** Companies and contacts that are gone from the portal cannot be associated with anything. */
function standsInPortal({ target }: AssociationKind) {
  if (target === 'subscription') return sql`true`
  const index = sql.table(target === 'company' ? 'crm_companies' : 'crm_contacts')
  return sql`(select true from ${index} as i
               where i.organization_id = x.organization_id and i.portal_id = x.portal_id and i.record_id = t.to_id)`
}

async function listOfLinks(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  page: { afterSourceId: string; limit: number },
  condition: RawBuilder<unknown>,
): Promise<AssociationRow[]> {
  const { rows } = await sql<AssociationRow>`
    select x.source_id as "sourceId", x.record_id as "fromRecordId", t.to_id as "toRecordId"
      from crm_links x
     cross join ${sourceRow(kind, sql`x.source_id`)} cross join ${targetRow(kind)}
     where x.organization_id = ${tenant.organizationId} and x.portal_id = ${portalId} and x.kind = ${kind.kind}
       and x.record_id is not null and x.source_id > ${page.afterSourceId} and ${standsInPortal(kind)}
       and ${condition}
     order by x.source_id limit ${page.limit}`.execute(tenant.sql)
  return rows
}

/** Associations that are not confirmed yet, after a source id. */
export function listMissingAssociations(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  page: { afterSourceId: string; limit: number },
): Promise<AssociationRow[]> {
  const isUnconfirmed = sql`(
    select true from crm_associations a
     where a.organization_id = x.organization_id and a.portal_id = x.portal_id and a.kind = x.kind
       and a.source_id = x.source_id and a.target_kind = ${kind.target} and a.target_record_id = t.to_id) is null`
  return listOfLinks(tenant, portalId, kind, page, isUnconfirmed)
}

/** Every association that the CRM should hold, after a source id. */
export function listWantedAssociations(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  page: { afterSourceId: string; limit: number },
): Promise<AssociationRow[]> {
  return listOfLinks(tenant, portalId, kind, page, sql`true`)
}

/**
 * Associations that we made and that should be no longer, because the match moved or was taken back. Where our own row
 * is gone nothing is concluded.
 */
export async function listObsoleteAssociations(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  limit: number,
): Promise<AssociationRow[]> {
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
       and (t.to_id is not null or x.target_kind <> 'subscription')
     order by x.source_id, x.target_record_id limit ${limit}`.execute(tenant.sql)
  return rows
}

export async function saveAssociations(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  rows: readonly AssociationRow[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into crm_associations
      (organization_id, portal_id, kind, source_id, target_kind, target_record_id, confirmed_at)
    select ${tenant.organizationId}, ${portalId}, ${kind.kind}, "sourceId", ${kind.target}, "toRecordId", ${at}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("sourceId" text, "toRecordId" text)
     order by "sourceId"
    on conflict do nothing`.execute(tenant.sql)
}

export async function deleteAssociations(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  rows: readonly AssociationRow[],
): Promise<void> {
  await sql`
    delete from crm_associations as a
     using jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("sourceId" text, "toRecordId" text)
     where a.organization_id = ${tenant.organizationId} and a.portal_id = ${portalId} and a.kind = ${kind.kind}
       and a.target_kind = ${kind.target} and a.source_id = given."sourceId"
       and a.target_record_id = given."toRecordId"`.execute(tenant.sql)
}
