// The refused records of a portal by why the CRM refused them: one reason often has many.

import { type RawBuilder, sql } from 'kysely'
import { type CrmKind, type CrmTarget, crmKinds } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { currentPortal } from './current-portal.ts'
import { isListed, refusedTies, tieRefusal } from './refusals.ts'

/** So many refused records of each kind are sorted by their reasons. */
const sortedMax = 5_000

type Sorted = {
  /** Names the reason in calls, since its text may be long. */
  key: string
  /** Null where the CRM gave none. */
  reason: string | null
  subscriptions: number
  events: number
  /** How many of them every push tries again: those that were refused for the whole account, once. */
  due: number
}

/** The reason of a row of `refusalsOf`, in a form that an address can carry. */
const keyOf = sql`md5(coalesce(refused.target, '') || ':' || coalesce(refused.error, ''))`

/** One line for each listed row of which the CRM refused something. The refusal of a record stands for those of its ties. */
function refusalsOf(tenant: Tenant, kind: CrmKind): RawBuilder<unknown> {
  const portal = currentPortal(tenant)
  return sql`
    (select ${kind} as kind, one.* from (
      select distinct on (source_id) source_id, target, error, is_due from (
        select source_id, null as target, error, refused_hash is null as is_due from crm_links
         where organization_id = ${tenant.organizationId} and portal_id = ${portal} and kind = ${kind}
           and state = 'failed'
         union all
        select source_id, target_kind, error, false from ${refusedTies(tenant, portal, kind)} tie) each
       order by source_id, target desc nulls first) one
     where ${isListed(tenant, kind, sql`one`)}
     limit ${sortedMax})`
}

/** A page of the reasons, those of most records first, and how many there are. A page behind the last is the last. */
export async function listRefusalReasons(
  tenant: Tenant,
  { page, limit }: { page: number; limit: number },
): Promise<{ reasons: Sorted[]; totalCount: number; isCapped: boolean }> {
  await readAlongIndexes(tenant)
  const { rows } = await sql<Omit<Sorted, 'reason'> & { target: CrmTarget | null; error: string | null }>`
    select ${keyOf} as key, target, error, count(*) filter (where kind = 'subscription') as subscriptions,
           count(*) filter (where kind = 'event') as events, count(*) filter (where is_due) as due
      from (${sql.join(
        crmKinds.map((kind) => refusalsOf(tenant, kind)),
        sql` union all `,
      )}) refused
     group by target, error
     order by count(*) desc, error, target`.execute(tenant.sql)
  const sorted = (kind: 'subscriptions' | 'events') => rows.reduce((sum, row) => sum + row[kind], 0)
  const before = (Math.max(1, Math.min(page, Math.ceil(rows.length / limit))) - 1) * limit
  return {
    reasons: rows.slice(before, before + limit).map(({ target, error, ...row }) => ({
      ...row,
      reason: target === null || error === null ? error : tieRefusal(target, error),
    })),
    totalCount: rows.length,
    isCapped: [sorted('subscriptions'), sorted('events')].includes(sortedMax),
  }
}

/** The ids of the rows of a kind that were refused for this reason. */
export async function findRefusedFor(tenant: Tenant, kind: CrmKind, key: string): Promise<string[]> {
  await readAlongIndexes(tenant)
  const { rows } = await sql<{ id: string }>`
    select source_id as id from ${refusalsOf(tenant, kind)} refused where ${keyOf} = ${key}`.execute(
    tenant.sql,
  )
  return rows.map(({ id }) => id)
}
