// What is known of a row's record in the CRM. Nearly every row has a record, or nearly none has one, so that the rare rows are
// found before a list is walked: it would look for a record a million times.

import { type RawBuilder, sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'
import { inOnePass } from '../postgres/planner.ts'

export type RecordFilter = {
  isInHubspot?: boolean | undefined
  isFailing?: boolean | undefined
  /** Ids of all rows that can meet the filter, if `withRecords` found them to be few. */
  ofRecords?: readonly string[] | undefined
}

const fewMax = 5_000
const tables = { subscription: 'subscriptions', event: 'events' } as const

/**
 * Finds the rows whose records a filter asks for, if they are few, by at most one pass over the rows and their links.
 */
export async function withRecords<Filter extends RecordFilter>(
  tenant: Tenant,
  kind: CrmKind,
  filter: Filter,
): Promise<Filter> {
  let ofRecords: string[] | undefined
  for (const asked of askedOf(filter)) {
    const ids = await findFew(tenant, kind, asked)
    if (ids !== undefined && ids.length <= (ofRecords?.length ?? fewMax)) ofRecords = ids
  }
  return { ...filter, ofRecords }
}

/** The conditions of a filter on the row with this id. */
export function ofRecord(
  tenant: Tenant,
  id: RawBuilder<unknown>,
  kind: CrmKind,
  filter: RecordFilter,
): RawBuilder<unknown>[] {
  const few = filter.ofRecords === undefined ? [] : [sql`${id} = any(${filter.ofRecords}::text[])`]
  const each = askedOf(filter).map(({ holds, isWanted }) => {
    const hasLink = sql`exists (select from ${links(tenant, kind, holds)} and l.source_id = ${id})`
    return isWanted ? hasLink : sql`not ${hasLink}`
  })
  return [...few, ...each]
}

/** A condition on the link of a row, and whether the row has such a link. */
type Asked = { holds: RawBuilder<boolean>; isWanted: boolean }

function askedOf({ isInHubspot, isFailing }: RecordFilter): Asked[] {
  const isHeld = sql<boolean>`l.record_id is not null and l.state <> 'removed'`
  return [
    ...(isInHubspot === undefined ? [] : [{ holds: isHeld, isWanted: isInHubspot }]),
    ...(isFailing === undefined ? [] : [{ holds: sql<boolean>`l.state = 'failed'`, isWanted: isFailing }]),
  ]
}

const links = (tenant: Tenant, kind: CrmKind, holds: RawBuilder<boolean>) => sql`
  crm_links l where l.organization_id = ${tenant.organizationId} and l.portal_id = ${currentPortal(tenant)}
    and l.kind = ${kind} and ${holds}`

/** The ids of the rows; undefined if they are too many. */
async function findFew(
  tenant: Tenant,
  kind: CrmKind,
  { holds, isWanted }: Asked,
): Promise<string[] | undefined> {
  const linked = links(tenant, kind, holds)
  const ids = isWanted
    ? sql`select l.source_id as id from ${linked}`
    : sql`select x.id from ${sql.table(tables[kind])} x
           where x.organization_id = ${tenant.organizationId}
             and not exists (select from ${linked} and l.source_id = x.id)`
  const first = sql<{ id: string }>`${ids} limit ${fewMax + 1}`
  const { rows } = await inOnePass(tenant, () => first.execute(tenant.sql))
  return rows.length > fewMax ? undefined : rows.map(({ id }) => id)
}
