// A record without its key would be made a second time by the next write, and one with the key of another record of ours
// would be filled with that one's values. The CRM's id says whose a record is.

import type { CrmKind } from '#domain/crm-record.ts'
import type { CrmStandingRecord } from '../../../providers/crm-standing.ts'
import { type LinkRow, listKeysOfRecords } from '../../../store/crm/crm-repairs.ts'
import type { Tenant } from '../../../store/postgres/database.ts'
import { mayGoOn } from '../may-go-on.ts'
import type { PushSession } from '../push-session.ts'

/** A record of ours whose key people changed or removed, under the key that we gave it. */
export type Stray = CrmStandingRecord & { key: string; typedKey: string | null }

/** Those of these records that are ours, but have no key, an unknown one or that of another record. */
export async function findStrays(
  { access: { portalId } }: PushSession,
  tenant: Tenant,
  kind: CrmKind,
  records: readonly CrmStandingRecord[],
  links: ReadonlyMap<string, LinkRow>,
): Promise<Stray[]> {
  const doubted = records.filter(({ key, recordId }) => key === null || links.get(key)?.recordId !== recordId)
  const ids = doubted.map(({ recordId }) => recordId)
  const keys = await listKeysOfRecords(tenant, portalId, kind, ids)
  return doubted.flatMap((record) => {
    const key = keys.get(record.recordId)
    return key === undefined ? [] : { ...record, key, typedKey: record.key }
  })
}

/** Gives records their keys back. `left`: those that the CRM refuses, because another record has the key now. */
export async function restoreKeys(
  session: PushSession,
  kind: CrmKind,
  strays: readonly Stray[],
): Promise<{ restored: Stray[]; left: Stray[] }> {
  const wanted = new Set(strays.map(({ key }) => key))
  // The CRM gives no record a key that another one has, so those that have it let it go first.
  const holding = strays.filter(({ typedKey }) => typedKey !== null && wanted.has(typedKey))
  await writeKeys(
    session,
    kind,
    holding.map(({ recordId }) => ({ recordId, key: `free ${recordId}` })),
  )
  const written = await writeKeys(session, kind, strays)
  return {
    restored: strays.filter(({ key }) => written.has(key)),
    left: strays.filter(({ key }) => !written.has(key)),
  }
}

/** Returns the keys that were written. One page of a search may hold more than one batch. */
async function writeKeys(
  session: PushSession,
  kind: CrmKind,
  rows: readonly { recordId: string; key: string }[],
): Promise<ReadonlySet<string>> {
  const { deps, access, objectTypes } = session
  const { recordsPerBatch } = deps.crm.limits
  const written = new Set<string>()
  for (let start = 0; start < rows.length; start += recordsPerBatch) {
    const batch = rows.slice(start, start + recordsPerBatch).map(({ recordId, key }) => ({ recordId, key }))
    await mayGoOn(session)
    const outcomes = await deps.crm.restoreKeys(access, kind, objectTypes[kind], batch)
    for (const { key, state } of outcomes) if (state === 'written') written.add(key)
  }
  return written
}
