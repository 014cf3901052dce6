import { sql } from 'kysely'
import {
  type ChangedRecord,
  type CrmKind,
  type LinkChange,
  runRecordsMax,
  type ToldValues,
} from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { isWeighty, rowNow } from './record-order.ts'
import type { Run } from './runs.ts'

/** A kept record of a run, with where it is in the current portal. */
export type KeptRecord = Omit<ChangedRecord, 'told'> & {
  toldBefore: ToldValues | null
  toldAfter: ToldValues | null
  /** By the keys of `link-keys.ts`; null where none are kept. */
  links: Record<string, LinkChange> | null
  isChangedSince: boolean
  portalId: string | null
  recordId: string | null
  objectTypeId: string | null
}

type Asked = { kind: CrmKind; only?: 'changed' | 'linked' | undefined; limit: number; offset: number }

const isLinked = sql`(links is not null or change in ('linked', 'unlinked'))`

/**
 * The kept records of a run, and their number: first those whose figures a push changed, since most of the
 * others only have a new day of renewal; among each the newest rows first.
 */
export async function listRunRecords(
  tenant: Tenant,
  run: Pick<Run, 'id' | 'kind' | 'completed_at'>,
  { kind, only, limit, offset }: Asked,
): Promise<{ totalCount: number; records: KeptRecord[] }> {
  const ofTenant = sql`organization_id = ${tenant.organizationId}`
  const isAsked =
    only === undefined ? sql`true` : only === 'linked' ? isLinked : sql`change not in ('linked', 'unlinked')`
  const ofRun = sql`from run_records r where r.${ofTenant} and r.run_id = ${run.id} and r.kind = ${kind} and ${isAsked}`
  const isChangedHere = sql`
    case r.change when 'removed' then x.id is not null
                  else x.id is null or coalesce(x.updated_at > ${run.completed_at}, false) end`
  const isRelinked = sql`exists (
    select from crm_associations a
     where a.${ofTenant} and a.portal_id = l.portal_id and a.kind = r.kind and a.source_id = r.source_id
       and a.confirmed_at > ${run.completed_at})`
  const isChangedThere = sql`
    coalesce(case when r.change = 'removed' then l.state <> 'removed'
                  when r.change in ('linked', 'unlinked') then l.state = 'removed' or ${isRelinked}
                  else l.state = 'removed' or (l.state = 'confirmed' and l.run_id <> r.run_id) end, false)`
  const { rows } = await sql<KeptRecord>`
    select r.source_id as id, r.subscription_id as "subscriptionId", r.change, r.told_before as "toldBefore", r.told_after as "toldAfter", r.links,
           ${run.kind === 'push' ? isChangedThere : isChangedHere} as "isChangedSince",
           l.portal_id as "portalId", l.record_id as "recordId", l.object_type_id as "objectTypeId"
      from (select * ${ofRun}) r
      left join lateral ${rowNow(tenant, kind, sql`r.source_id`)} x on true
      left join lateral (select k.portal_id, k.state, k.run_id, k.record_id, o.object_type_id
                           from crm_links k
                           left join crm_objects o using (organization_id, portal_id, kind)
                          where k.${ofTenant} and k.portal_id = (select current_portal(${tenant.organizationId})) and k.kind = ${kind}
                            and k.source_id = r.source_id limit 1) l on true
     order by ${isWeighty(sql`r`)} desc, x.at desc nulls last, r.source_id
     limit ${limit} offset ${offset}`.execute(tenant.sql)
  const { rows: counts } = await sql<{ count: number }>`select count(*) as count ${ofRun}`.execute(tenant.sql)
  return { totalCount: Number(counts[0]?.count ?? 0), records: rows }
}

/**
 * How many of the kept records of a run had their associations changed. `isCut`: no more may be
 * kept, so the run may have changed those of others.
 */
export async function countLinkedRecords(
  tenant: Tenant,
  runId: string,
): Promise<{ subscriptions: number; events: number; isCut: boolean }> {
  const isFull = (kind: CrmKind) => sql`count(*) filter (where kind = ${kind}) >= ${runRecordsMax}`
  const { rows } = await sql<{ subscriptions: number; events: number; isCut: boolean }>`
    select count(*) filter (where kind = 'subscription' and ${isLinked}) as subscriptions,
           count(*) filter (where kind = 'event' and ${isLinked}) as events,
           ${isFull('subscription')} or ${isFull('event')} as "isCut"
      from run_records
     where organization_id = ${tenant.organizationId} and run_id = ${runId}`.execute(tenant.sql)
  return rows[0] ?? { subscriptions: 0, events: 0, isCut: false }
}
