// What the CRM refused in a portal: a record, or its tie to its company, contact or subscription.

import { type RawBuilder, sql } from 'kysely'
import type { CrmKind, CrmTarget } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import {
  type AssociationKind,
  associationKinds,
  sourceRow,
  standsInPortal,
  targetRow,
} from './crm-associations.ts'
import { currentPortal } from './current-portal.ts'

/** Says why a record stands without one of its ties. */
export const tieRefusal = (target: CrmTarget, error: string) => `Not associated with the ${target}: ${error}`

/**
 * The refused ties of a kind of record: of records that are there, with what they should be tied to now. A refusal towards
 * a former company says nothing of the present one.
 */
export function refusedTies(tenant: Tenant, portal: RawBuilder<unknown>, kind: CrmKind): RawBuilder<unknown> {
  const each = associationKinds
    .filter((one) => one.kind === kind)
    .map((one) => refusedTiesOf(tenant, portal, one))
  return sql`(${sql.join(each, sql` union all `)})`
}

function refusedTiesOf(
  tenant: Tenant,
  portal: RawBuilder<unknown>,
  kind: AssociationKind,
): RawBuilder<unknown> {
  return sql`
    select x.source_id, x.target_kind, x.error, x.run_id from crm_associations x
     cross join ${sourceRow(kind, sql`x.source_id`)} cross join ${targetRow(kind)}
     where x.organization_id = ${tenant.organizationId} and x.portal_id = ${portal} and x.kind = ${kind.kind}
       and x.target_kind = ${kind.target} and x.state = 'failed' and t.to_id = x.target_record_id
       and ${standsInPortal(kind, sql`x.target_record_id`)}
       and exists (select from crm_links l
                    where l.organization_id = x.organization_id and l.portal_id = x.portal_id and l.kind = x.kind
                      and l.source_id = x.source_id and l.record_id is not null and l.state <> 'removed')`
}

/** The ids of the rows of a kind of which the CRM refused something, each once. */
export function refusedIds(tenant: Tenant, portal: RawBuilder<unknown>, kind: CrmKind): RawBuilder<unknown> {
  return sql`(
    select l.source_id from crm_links l
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portal} and l.kind = ${kind}
       and l.state = 'failed'
     union select tie.source_id from ${refusedTies(tenant, portal, kind)} tie)`
}

/** The tables of what records are made from. */
export const sourceTables = { subscription: 'subscriptions', event: 'events' } as const

/** Whether the source of a row of this kind is in its list. */
export function isListed(tenant: Tenant, kind: CrmKind, row: RawBuilder<unknown>): RawBuilder<boolean> {
  const hasFigures = kind === 'subscription' ? sql`and x.quantity is not null` : sql``
  return sql<boolean>`exists (select from ${sql.table(sourceTables[kind])} x
    where x.organization_id = ${tenant.organizationId} and x.id = ${row}.source_id ${hasFigures})`
}

/** Whether the CRM refused anything of a row that lists show. Reads refusals alone. */
export async function isAnyRefused(tenant: Tenant): Promise<boolean> {
  const refused = (kind: CrmKind) =>
    sql`exists (select from ${refusedIds(tenant, currentPortal(tenant), kind)} r where ${isListed(tenant, kind, sql`r`)})`
  const { rows } = await sql`
    select where ${refused('subscription')} or ${refused('event')}`.execute(tenant.sql)
  return rows.length > 0
}

/** The hash of a record that should not exist: the refused one of a record that the CRM did not let us remove. */
export const absentHash = ''

/** Of how many listed rows the CRM refused something. Reads refusals alone. */
export async function countRefused(tenant: Tenant, portalId: string): Promise<number> {
  return (await countStillRefused(tenant, portalId)).listed
}

/**
 * What the CRM refuses: `listed` counts the rows in lists, `unremoved` the records of events that are no longer ones,
 * which no list shows.
 */
export async function countStillRefused(
  tenant: Tenant,
  portalId: string,
): Promise<{ listed: number; unremoved: number }> {
  await readAlongIndexes(tenant)
  const refused = (kind: CrmKind) =>
    sql`select count(*) from ${refusedIds(tenant, sql`${portalId}`, kind)} r where ${isListed(tenant, kind, sql`r`)}`
  const { rows } = await sql<{ listed: number; unremoved: number }>`
    select (${refused('subscription')}) + (${refused('event')}) as listed,
           (select count(*) from crm_links l
             where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId} and l.kind = 'event'
               and l.state = 'failed' and l.refused_hash = ${absentHash} and l.record_id is not null
               and not ${isListed(tenant, 'event', sql`l`)}) as unremoved`.execute(tenant.sql)
  return rows[0] ?? { listed: 0, unremoved: 0 }
}

/** When each of these rows that the CRM refused was last sent, or tied; absent where that is no longer known. */
export async function findLastTries(
  tenant: Tenant,
  kind: CrmKind,
  sourceIds: readonly string[],
): Promise<Map<string, Date>> {
  if (sourceIds.length === 0) return new Map()
  const portal = currentPortal(tenant)
  const ofThese = sql`source_id = any(${[...sourceIds]}::text[])`
  const { rows } = await sql<{ id: string; triedAt: Date }>`
    select tried.source_id as id, max(coalesce(r.completed_at, r.created_at)) as "triedAt"
      from (select source_id, run_id from crm_links
             where organization_id = ${tenant.organizationId} and portal_id = ${portal} and kind = ${kind}
               and ${ofThese} and state = 'failed'
            union all select source_id, run_id from ${refusedTies(tenant, portal, kind)} tie where ${ofThese}) tried
      join runs r on r.organization_id = ${tenant.organizationId} and r.id = tried.run_id
     group by tried.source_id`.execute(tenant.sql)
  return new Map(rows.map(({ id, triedAt }) => [id, triedAt]))
}

/** Why the CRM refused each of these rows, or a tie of theirs, in the current portal; null where it gave no reason. */
export async function findRefusals(
  tenant: Tenant,
  kind: CrmKind,
  sourceIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (sourceIds.length === 0) return new Map()
  const portal = currentPortal(tenant)
  const { rows } = await sql<{ id: string; target: CrmTarget | null; error: string | null }>`
    select source_id as id, target, error from (
      select source_id, null as target, error from crm_links
       where organization_id = ${tenant.organizationId} and portal_id = ${portal} and kind = ${kind}
         and state = 'failed'
       union all select source_id, target_kind, error from ${refusedTies(tenant, portal, kind)} tie) as refused
     where source_id = any(${[...sourceIds]}::text[])
     order by source_id, target nulls last`.execute(tenant.sql)
  return new Map(
    rows.map(({ id, target, error }) => [
      id,
      target === null || error === null ? error : tieRefusal(target, error),
    ]),
  )
}
