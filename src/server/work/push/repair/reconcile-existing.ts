import type { CrmKind, CrmTarget } from '#domain/crm-record.ts'
import type { CrmStandingRecord } from '../../../providers/crm-standing.ts'
import {
  type AssociationRow,
  listNotedTargets,
  recheckAssociations,
} from '../../../store/crm/crm-associations.ts'
import {
  adoptRecord,
  confirmFailed,
  countMends,
  type LinkRow,
  listLinksByKey,
  noteStanding,
  parkReverted,
  writeAgain,
} from '../../../store/crm/crm-repairs.ts'
import type { Tenant } from '../../../store/postgres/database.ts'
import { inRun } from '../../../store/runs/runs.ts'
import { type LedgerRow, listLedgerRows } from '../ledger-rows.ts'
import type { PushSession } from '../push-session.ts'
import { followMerge } from './reconcile-missing.ts'
import { findStrays, restoreKeys, type Stray } from './restore-keys.ts'

/** After this many rewrites in a row, we assume that something in the CRM reverts the record each time. */
const mendsMax = 3
/** An edit this long after our last write says nothing of those before it. */
const inRowMs = 48 * 60 * 60_000

/** A record that somebody tied to other companies than ours. `toRecordId` is the company it left; null if it had none. */
export type MovedRecord = Omit<AssociationRow, 'toRecordId'> & {
  toRecordId: string | null
  companyIds: string[]
}

/** What a comparison found: how many records changed, and which were moved. */
type Compared = { changed: number; moved: MovedRecord[] }

type Links = ReadonlyMap<string, LinkRow>

/**
 * Compares records in the CRM with what we wrote. Schedules edited ones to be written again, finds restored or merged
 * ones, and schedules removed associations. `strays` did not get their key back.
 */
export async function reconcileExisting(
  session: PushSession,
  kind: CrmKind,
  records: readonly CrmStandingRecord[],
): Promise<Compared & { strays: Stray[] }> {
  const { strays, ...found } = await compare(session, kind, records)
  const { left, ...more } = await reconcileStrays(session, kind, strays)
  return { changed: found.changed + more.changed, moved: [...found.moved, ...more.moved], strays: left }
}

/** Gives records their keys back and compares them. `left`: those that the CRM refuses. */
export async function reconcileStrays(
  session: PushSession,
  kind: CrmKind,
  strays: readonly Stray[],
): Promise<Compared & { left: Stray[] }> {
  if (strays.length === 0) return { changed: 0, moved: [], left: [] }
  const { restored, left } = await restoreKeys(session, kind, strays)
  const { changed, moved } = await compare(session, kind, restored)
  return { changed, moved, left }
}

async function compare(
  session: PushSession,
  kind: CrmKind,
  records: readonly CrmStandingRecord[],
): Promise<Compared & { strays: Stray[] }> {
  const { deps, claim, access, progress } = session
  const keys = records.flatMap(({ key }) => key ?? [])
  const { left, ...compared } = await inRun(deps.database, claim, async (tenant) => {
    for (const record of records) await followMerge(session, tenant, kind, record)
    const known = await listLinksByKey(tenant, access.portalId, kind, keys)
    const links = new Map(known.map((link) => [link.sourceId, link]))
    const strays = await findStrays(session, tenant, kind, records, links)
    const strayIds = new Set(strays.map(({ recordId }) => recordId))
    const own = records.filter(({ recordId }) => !strayIds.has(recordId))
    const changed = own.filter((record) => isChanged(links, record))
    const doubted = own.filter((record) => !isChanged(links, record) && isDoubted(links, record))
    const settled = [...changed, ...doubted]
    const rows = await listLedgerRows(session, tenant, kind, { ids: settled.flatMap(({ key }) => key ?? []) })
    const ledger = new Map(rows.map((row) => [row.key, row]))
    let left = 0
    for (const record of settled) {
      if (!(await settleRecord(session, tenant, kind, record, { links, ledger }))) left++
    }
    await noteStanding(
      tenant,
      access.portalId,
      kind,
      changed.flatMap(({ key, updatedAt }) => (key === null ? [] : [{ sourceId: key, updatedAt }])),
    )
    const moved = await settleTies(session, tenant, kind, own, links)
    return { changed: changed.length, moved, strays, left }
  })
  if (left > 0) await progress.add(left, left)
  return compared
}

/** Changed since our last write or look, or now under another id. */
function isChanged(links: Links, { key, recordId, updatedAt }: CrmStandingRecord): boolean {
  const link = key === null ? undefined : links.get(key)
  if (link === undefined) return false
  if (link.recordId !== recordId) return true
  const at = updatedAt === null ? Number.NaN : Date.parse(updatedAt)
  return link.recordUpdatedAt === null || !(at <= link.recordUpdatedAt.getTime())
}

/** Earlier versions left such a record as it was after an edit, and took it as seen. */
function isDoubted(links: Links, { key }: CrmStandingRecord): boolean {
  const link = key === null ? undefined : links.get(key)
  return link !== undefined && link.state === 'confirmed' && link.mends >= mendsMax
}

/** Returns whether the record is as it should be, or will be when the push has written it. */
async function settleRecord(
  session: PushSession,
  tenant: Tenant,
  kind: CrmKind,
  record: CrmStandingRecord,
  { links, ledger }: { links: Links; ledger: ReadonlyMap<string, LedgerRow> },
): Promise<boolean> {
  const { deps, access, mends } = session
  const { name } = deps.crm
  const { portalId } = access
  const link = record.key === null ? undefined : links.get(record.key)
  if (link === undefined) return true
  const { sourceId } = link
  if (link.recordId !== record.recordId) {
    const { recordId } = record
    const formerId = link.recordId ?? link.formerRecordId
    await adoptRecord(tenant, portalId, kind, { sourceId, recordId, formerId })
    await mends.mended(tenant, `${sourceId}: its record was found in ${name} again; it is written again.`)
    return true
  }
  const row = ledger.get(sourceId)
  if (row === undefined || row.hash !== link.confirmedHash) return true
  const fields = deps.crm.changedFields(kind, row.values, record)
  if (fields.length === 0) {
    if (link.state !== 'failed' || link.refusedHash !== row.hash) return true
    await confirmFailed(tenant, portalId, kind, sourceId)
    await mends.mended(tenant, `${sourceId}: put right in ${name}.`)
    return true
  }
  return link.state !== 'confirmed' || settleEdited(session, tenant, kind, sourceId, fields.join(', '))
}

/** Schedules an edited record to be written again, unless that was of no use several times in a row. */
async function settleEdited(
  session: PushSession,
  tenant: Tenant,
  kind: CrmKind,
  sourceId: string,
  fields: string,
): Promise<boolean> {
  const { deps, access, mends, retriesFailed, claim } = session
  const { name } = deps.crm
  const place = { portalId: access.portalId, kind, runId: claim.runId }
  const since = new Date(deps.now().getTime() - inRowMs)
  const count = retriesFailed ? 0 : await countMends(tenant, { ...place, since }, sourceId)
  if (count < mendsMax) {
    await writeAgain(tenant, access.portalId, kind, [sourceId], count + 1)
    await mends.mended(tenant, `${sourceId}: edited in ${name} (${fields}); it is written again.`)
    return true
  }
  const reason = `Something in ${name} changes this record back each time it is written: ${fields}. Find the workflow or the person there that does it. Then press Retry Failed Records on Sync Health, or sync by hand.`
  await parkReverted(tenant, place, sourceId, reason)
  await mends.parked(tenant, sourceId, reason)
  return false
}

/**
 * Schedules removed associations again. If the other record is deleted too, they are only hidden and return with it.
 * A record with another company instead was moved by a person: it is returned unchanged.
 */
async function settleTies(
  { access: { portalId }, mends, deps }: PushSession,
  tenant: Tenant,
  kind: CrmKind,
  records: readonly CrmStandingRecord[],
  links: Links,
): Promise<MovedRecord[]> {
  const told = new Map(
    records.flatMap((record): [string, CrmStandingRecord][] => {
      const isOurs = record.key !== null && links.get(record.key)?.recordId === record.recordId
      // A search tells of no associations.
      const isTold = Object.keys(record.tiedTo).length > 0
      return isOurs && isTold && record.key !== null ? [[record.key, record]] : []
    }),
  )
  const noted = await listNotedTargets(tenant, portalId, kind, [...told.keys()])
  const ours = new Set(noted.map(({ sourceId, target, toRecordId }) => `${sourceId} ${target} ${toRecordId}`))
  const missing = new Map<CrmTarget, AssociationRow[]>()
  const moved: MovedRecord[] = []
  for (const { sourceId, target, toRecordId, state } of noted) {
    const record = told.get(sourceId)
    if (!record || state !== 'confirmed' || !isTarget(target)) continue
    if (record.tiedTo[target]?.includes(toRecordId) !== false) continue
    const row = { sourceId, fromRecordId: record.recordId, toRecordId }
    const others = record.tiedTo[target].filter((id) => !ours.has(`${sourceId} ${target} ${id}`))
    if (target === 'company' && others.length > 0) moved.push({ ...row, companyIds: others })
    else missing.set(target, [...(missing.get(target) ?? []), row])
  }
  if (kind === 'subscription') moved.push(...tiedByHand(told, ours))
  for (const [target, rows] of missing) {
    const doubted = await recheckAssociations(tenant, portalId, { kind, target }, rows)
    for (const sourceId of doubted) {
      const line = `${sourceId}: its association with the ${target} was removed in ${deps.crm.name}; it is made again.`
      await mends.mended(tenant, line)
    }
  }
  return moved
}

/** Records that people tied to companies, and we to none that they still have. */
function tiedByHand(told: ReadonlyMap<string, CrmStandingRecord>, ours: ReadonlySet<string>): MovedRecord[] {
  return [...told].flatMap(
    ([
      sourceId,
      {
        recordId,
        tiedTo: { company: companyIds = [] },
      },
    ]) => {
      const isByHand =
        companyIds.length > 0 && !companyIds.some((id) => ours.has(`${sourceId} company ${id}`))
      return isByHand ? [{ sourceId, fromRecordId: recordId, toRecordId: null, companyIds }] : []
    },
  )
}

function isTarget(target: string): target is CrmTarget {
  return target === 'subscription' || target === 'company' || target === 'contact'
}
