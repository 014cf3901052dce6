// What is known of a row's record in the CRM. Nearly every row has a record, or nearly none has one, so that the rare rows are
// found before a list is walked: it would look for a record a million times.

import { type RawBuilder, sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import { currentPortal, findCurrentPortal } from '../crm/current-portal.ts'
import { areUnsentKept } from '../crm/push-due.ts'
import { isCurrent } from '../crm/record-standing.ts'
import { refusedIds, sourceTables } from '../crm/refusals.ts'
import { findUntied } from '../crm/untied.ts'
import type { Tenant } from '../postgres/database.ts'
import { inOnePass } from '../postgres/planner.ts'

export type RecordFilter = {
  isInHubspot?: boolean | undefined
  isFailing?: boolean | undefined
  /** Whether the row, its company or its contact changed since its record was written. A row without one did not. */
  isBehind?: boolean | undefined
  /** What `withRecords` found: the ids of all rows that can meet the filter, or of the only ones that cannot. */
  ofRecords?: readonly string[] | undefined
  exceptRecords?: readonly string[] | undefined
  /** What is to be looked up for each row, because the rows are many either way. */
  lookUps?: readonly Asked[] | undefined
}

/**
 * unsent: without a record. held: with one. failed: the CRM refused what was sent last, or a tie. behind: changed since its
 * record. outdated: the same, where it is kept.
 */
type Standing = 'unsent' | 'held' | 'failed' | 'behind' | 'outdated'
type Asked = {
  standing: Standing
  isWanted: boolean
  /** The ids of rows that are outdated by their company or contact alone. */
  untied?: readonly string[]
}

const fewMax = 5_000

/** Finds the rows that a filter asks for, or those that it leaves out, if they are few. */
export async function withRecords<Filter extends RecordFilter>(
  tenant: Tenant,
  kind: CrmKind,
  filter: Filter,
): Promise<Filter & RecordFilter> {
  let { ofRecords } = filter
  const exceptRecords: string[] = []
  const lookUps: Asked[] = []
  for (const alternatives of await askedOf(tenant, kind, filter)) {
    const found = await findFew(tenant, kind, alternatives)
    if (found === undefined) lookUps.push(...alternatives.slice(0, 1))
    else if (!found.isWanted) exceptRecords.push(...found.ids)
    else ofRecords = ofRecords === undefined ? found.ids : shared(ofRecords, found.ids)
  }
  return { ...filter, ofRecords, exceptRecords, lookUps }
}

function shared(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return some.filter((id) => known.has(id))
}

/** The conditions of a filter on the row with this id. */
export function ofRecord(
  tenant: Tenant,
  id: RawBuilder<unknown>,
  kind: CrmKind,
  { ofRecords, exceptRecords = [], lookUps = [] }: RecordFilter,
): RawBuilder<unknown>[] {
  const each = lookUps.map((asked) => {
    const stands =
      asked.standing === 'outdated'
        ? isOutdated(tenant, id, kind, asked.untied)
        : sql`exists (select from ${those(tenant, kind, asked)} and r.source_id = ${id})`
    return asked.isWanted ? stands : sql`not ${stands}`
  })
  return [
    ...(ofRecords === undefined ? [] : [sql`${id} = any(${ofRecords}::text[])`]),
    ...(exceptRecords.length === 0 ? [] : [sql`${id} <> all(${exceptRecords}::text[])`]),
    ...each,
  ]
}

/**
 * Whether the row is outdated. `offset 0` has each row looked up in the index: otherwise the database may read all outdated
 * records again for each row of the list.
 */
function isOutdated(
  { organizationId }: Tenant,
  id: RawBuilder<unknown>,
  kind: CrmKind,
  untied: readonly string[] = [],
): RawBuilder<unknown> {
  return sql`(${id} = any(${untied}::text[]) or exists (
    select from crm_unsent r where r.organization_id = ${organizationId} and r.kind = ${kind} and r.has_record
       and r.source_id = ${id} offset 0))`
}

/** What the filter asks for; each in the ways in which it can be told, the quickest to look up first. */
async function askedOf(
  tenant: Tenant,
  kind: CrmKind,
  { isInHubspot, isFailing, isBehind }: RecordFilter,
): Promise<Asked[][]> {
  const asked: Asked[][] = []
  const isKept = (isInHubspot !== undefined || isBehind !== undefined) && (await areUnsentKept(tenant))
  if (isInHubspot !== undefined) {
    const held: Asked = { standing: 'held', isWanted: isInHubspot }
    const unsent: Asked = { standing: 'unsent', isWanted: !isInHubspot }
    asked.push(isKept ? [unsent, held] : [held])
  }
  if (isFailing !== undefined) asked.push([{ standing: 'failed', isWanted: isFailing }])
  if (isBehind !== undefined) asked.push([await askBehind(tenant, kind, isBehind, isKept)])
  return asked
}

async function askBehind(tenant: Tenant, kind: CrmKind, isWanted: boolean, isKept: boolean): Promise<Asked> {
  const portalId = isKept ? await findCurrentPortal(tenant) : null
  if (portalId === null) return { standing: 'behind', isWanted }
  return { standing: 'outdated', isWanted, untied: await findUntied(tenant, portalId, kind) }
}

/** The records, or the rows without one, of a kind in the current portal. */
function those(
  tenant: Tenant,
  kind: CrmKind,
  { standing, untied = [] }: Omit<Asked, 'isWanted'>,
): RawBuilder<unknown> {
  const ofKind = sql`r.organization_id = ${tenant.organizationId} and r.kind = ${kind}`
  if (standing === 'unsent') return sql`crm_unsent r where ${ofKind} and not r.has_record`
  if (standing === 'outdated') {
    const kept = sql`select r.source_id from crm_unsent r where ${ofKind} and r.has_record`
    return sql`(${kept} union all select unnest(${untied}::text[])) as r where true`
  }
  if (standing === 'failed') return sql`${refusedIds(tenant, currentPortal(tenant), kind)} as r where true`
  const ofPortal = sql`${ofKind} and r.portal_id = ${currentPortal(tenant)}`
  const isHeld = sql`r.record_id is not null and r.state <> 'removed'`
  if (standing === 'behind') {
    // Lists show no others, and an index alone tells when these changed.
    const isListed = kind === 'subscription' ? sql`and own.quantity is not null` : sql``
    return sql`crm_links r join ${sql.table(sourceTables[kind])} own
      on own.organization_id = r.organization_id and own.id = r.source_id
      where ${ofPortal} and ${isHeld} and (${isCurrent(sql`r`, sql`own`)}) is not true ${isListed}`
  }
  return sql`crm_links r where ${ofPortal} and ${isHeld}`
}

/** The ids of the rows, if they are few in one of the ways to tell them. */
async function findFew(
  tenant: Tenant,
  kind: CrmKind,
  alternatives: readonly Asked[],
): Promise<{ ids: string[]; isWanted: boolean } | undefined> {
  for (const asked of alternatives) {
    const few = sql<{ ids: string[] }>`
      select coalesce(array_agg(source_id), '{}') as ids
        from (select r.source_id from ${those(tenant, kind, asked)} limit ${fewMax + 1}) as first
      having count(*) <= ${fewMax}`
    const find = () => few.execute(tenant.sql)
    // What is behind is told by a row and its record alone, so that all of both are compared.
    const { rows } = await (asked.standing === 'behind' ? inOnePass(tenant, find) : find())
    if (rows[0] !== undefined) return { ids: rows[0].ids, isWanted: asked.isWanted }
  }
  const [only] = alternatives
  if (alternatives.length > 1 || only === undefined || only.isWanted) return undefined
  if (only.standing !== 'held' && only.standing !== 'outdated') return undefined
  const ids = await compareAll(tenant, kind, only)
  return ids.length > fewMax ? undefined : { ids, isWanted: true }
}

/** The ids of the first rows that do not have the standing asked for. Reads all rows and records once. */
async function compareAll(tenant: Tenant, kind: CrmKind, asked: Asked): Promise<string[]> {
  const first = sql<{ id: string }>`
    select x.id from ${sql.table(sourceTables[kind])} x
     where x.organization_id = ${tenant.organizationId}
       and not exists (select from ${those(tenant, kind, asked)} and r.source_id = x.id)
     limit ${fewMax + 1}`
  const { rows } = await inOnePass(tenant, () => first.execute(tenant.sql))
  return rows.map(({ id }) => id)
}
