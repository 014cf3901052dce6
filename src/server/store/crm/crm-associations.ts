import { type RawBuilder, sql } from 'kysely'
import type { CrmKind, CrmTarget } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { compareAllNext, isInScope, type PushScope } from './push-due.ts'

/** One kind of association: which of our records, with which target. */
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
 * Our own row of `sourceId`. These look-ups are lateral and bounded so that the planner uses the keys: right after a
 * first import it has no statistics, and whole-table joins would take minutes.
 */
export function sourceRow({ kind }: AssociationKind, sourceId: RawBuilder<unknown>) {
  return kind === 'subscription'
    ? sql`lateral (select s.customer_id, s.id as subscription_id from subscriptions s
                    where s.organization_id = x.organization_id and s.id = ${sourceId} limit 1) as s`
    : sql`lateral (select s.customer_id, s.subscription_id from events s
                    where s.organization_id = x.organization_id and s.id = ${sourceId} limit 1) as s`
}

/** The CRM record that the source should be associated with, as `t.to_id`; no row if it is unknown. */
export function targetRow({ target }: AssociationKind) {
  if (target === 'subscription') {
    return sql`lateral (select l.record_id as to_id from crm_links l
                         where l.organization_id = x.organization_id and l.portal_id = x.portal_id
                           and l.kind = 'subscription' and l.source_id = s.subscription_id
                           and l.record_id is not null limit 1) as t`
  }
  const column = sql.ref(target === 'company' ? 'm.company_record_id' : 'm.contact_record_id')
  // The contact stays, whatever is decided of the company: a customer that is ignored stays in the CRM as it is.
  const isDecided = target === 'company' ? sql`m.state = 'linked'` : sql`true`
  return sql`lateral (select ${column} as to_id from matches m
                       where m.organization_id = x.organization_id and m.customer_id = s.customer_id
                         and m.portal_id = x.portal_id and ${isDecided} and ${column} is not null limit 1) as t`
}

/** False for companies and contacts deleted from the portal, which cannot be associated. */
export function standsInPortal({ target }: AssociationKind, recordId: RawBuilder<unknown>) {
  if (target === 'subscription') return sql`true`
  const index = sql.table(target === 'company' ? 'crm_companies' : 'crm_contacts')
  return sql`(select true from ${index} as i
               where i.organization_id = x.organization_id and i.portal_id = x.portal_id and i.record_id = ${recordId})`
}

/** Rows of the scope after one source id and, if given, up to another. */
type SourceRange = { afterSourceId: string; upToSourceId?: string; limit: number; scope?: PushScope }

async function listOfLinks(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  page: SourceRange,
  condition: RawBuilder<unknown>,
): Promise<AssociationRow[]> {
  const { rows } = await sql<AssociationRow>`
    select x.source_id as "sourceId", x.record_id as "fromRecordId", t.to_id as "toRecordId"
      from crm_links x
     cross join ${sourceRow(kind, sql`x.source_id`)} cross join ${targetRow(kind)}
     where x.organization_id = ${tenant.organizationId} and x.portal_id = ${portalId} and x.kind = ${kind.kind}
       and x.record_id is not null and x.source_id > ${page.afterSourceId}
       and ${page.upToSourceId === undefined ? sql`true` : sql`x.source_id <= ${page.upToSourceId}`}
       and ${isInScope(tenant, page.scope ?? 'all', kind.kind, 'x.source_id')}
       and ${standsInPortal(kind, sql`t.to_id`)} and ${condition}
     order by x.source_id limit ${page.limit}`.execute(tenant.sql)
  return rows
}

/**
 * Unconfirmed associations after a source id. Refused ones are included only if a person asked for them, and never
 * those that this run had refused.
 */
export function listMissingAssociations(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  page: SourceRange & { retriesFailed?: boolean; runId?: string },
): Promise<AssociationRow[]> {
  const isSettled = page.retriesFailed
    ? sql`(a.state = 'confirmed' or (a.state = 'failed' and a.run_id is not distinct from ${page.runId ?? null}))`
    : sql`a.state <> 'pending'`
  const isUnconfirmed = sql`(
    select true from crm_associations a
     where a.organization_id = x.organization_id and a.portal_id = x.portal_id and a.kind = x.kind
       and a.source_id = x.source_id and a.target_kind = ${kind.target} and a.target_record_id = t.to_id
       and ${isSettled}) is null`
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

/** Saves associations that are about to be sent. */
export async function noteAssociations(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  rows: readonly AssociationRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into crm_associations (organization_id, portal_id, kind, source_id, target_kind, target_record_id, state)
    select ${tenant.organizationId}, ${portalId}, ${kind.kind}, "sourceId", ${kind.target}, "toRecordId", 'pending'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("sourceId" text, "toRecordId" text)
     order by "sourceId"
    on conflict do nothing`.execute(tenant.sql)
}

/** Notes associations that the CRM has confirmed; those that are noted already are confirmed again. */
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
    on conflict (organization_id, portal_id, kind, source_id, target_kind, target_record_id) do update set
      state = 'confirmed', error = null, confirmed_at = excluded.confirmed_at
    where crm_associations.state <> 'confirmed'`.execute(tenant.sql)
}

/** Saves what the CRM refused, with its reason. */
export async function saveRefusedAssociations(
  tenant: Tenant,
  place: { portalId: string; kind: AssociationKind; runId: string },
  rows: readonly (AssociationRow & { error: string })[],
): Promise<void> {
  if (rows.length === 0) return
  const { portalId, kind, runId } = place
  await sql`
    insert into crm_associations
      (organization_id, portal_id, kind, source_id, target_kind, target_record_id, state, error, run_id)
    select ${tenant.organizationId}, ${portalId}, ${kind.kind}, "sourceId", ${kind.target}, "toRecordId", 'failed',
           error, ${runId}
      from jsonb_to_recordset(${storableJson(rows)}::jsonb) as given (
        "sourceId" text, "toRecordId" text, error text)
     order by "sourceId"
    on conflict (organization_id, portal_id, kind, source_id, target_kind, target_record_id) do update set
      state = 'failed', error = excluded.error, run_id = excluded.run_id`.execute(tenant.sql)
}

/** Schedules associations again if their targets still exist; returns the keys of those. */
export async function recheckAssociations(
  tenant: Tenant,
  portalId: string,
  kind: AssociationKind,
  rows: readonly AssociationRow[],
): Promise<string[]> {
  await compareAllNext(tenant)
  const { rows: doubted } = await sql<{ sourceId: string }>`
    update crm_associations as x set state = 'pending'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("sourceId" text, "toRecordId" text)
     where x.organization_id = ${tenant.organizationId} and x.portal_id = ${portalId} and x.kind = ${kind.kind}
       and x.target_kind = ${kind.target} and x.source_id = given."sourceId"
       and x.target_record_id = given."toRecordId" and ${standsInPortal(kind, sql`x.target_record_id`)}
    returning x.source_id as "sourceId"`.execute(tenant.sql)
  return doubted.map(({ sourceId }) => sourceId)
}

/** Schedules again all associations of a kind of record with these targets. */
export async function recheckTargets(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  targets: readonly CrmTarget[],
): Promise<void> {
  if (targets.length === 0) return
  await compareAllNext(tenant)
  await tenant.sql
    .updateTable('crm_associations')
    .set({ state: 'pending' })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('target_kind', 'in', [...targets])
    .where('state', '=', 'confirmed')
    .execute()
}

/** The targets that we associated with each source, by our key and the kind of target. */
export async function listNotedTargets(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  sourceIds: readonly string[],
): Promise<{ sourceId: string; target: string; toRecordId: string; state: string }[]> {
  if (sourceIds.length === 0) return []
  return tenant.sql
    .selectFrom('crm_associations')
    .select(['source_id as sourceId', 'target_kind as target', 'target_record_id as toRecordId', 'state'])
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', 'in', [...sourceIds])
    .execute()
}

/** Forgets associations that the CRM no longer has. */
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
