import type { CrmWriteOutcome } from '../crm.ts'
import type { CrmAccess } from '../crm-directory.ts'
import { type BatchAnswer, batchAnswer } from './answers.ts'
import { type BatchInput, existingIdIn, outcomesOf, unnamedErrorIn } from './batch-outcomes.ts'
import type { HubspotClient } from './client.ts'
import { HubspotError, reasonOf, refusalOf } from './hubspot-error.ts'
import { writeInHalves } from './in-halves.ts'
import { refusalsOf } from './lone-refusals.ts'
import { readRecords } from './read-records.ts'
import { findNoRoom } from './record-room.ts'
import { isSameValue } from './to-hubspot/same-value.ts'

export type BatchRow = BatchInput & {
  input: object
  properties: Readonly<Record<string, string>>
  /** Whether this row creates a record, as far as we know. */
  isNew: boolean
}

export type BatchCall = {
  path: string
  typeId: string
  /** The rows can be read back by it. */
  keyProperty: string
  /** Whether an existing record with this key is overwritten. Otherwise an existing record counts as success. */
  isUpsert: boolean
}

const refusedRecord = 'HubSpot refused this record.'
const notConfirmed = 'HubSpot did not confirm this record. It is tried again with the next sync.'

/** How often rows with an unknown outcome are sent again. */
const repeatsMax = 3

/**
 * Writes rows in one batch and returns an outcome for each. Refused batches are halved, new and existing records apart,
 * because only new ones need room. Rows without a result are read back first, since they may have been written.
 */
export async function writeBatch(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  rows: readonly BatchRow[],
): Promise<CrmWriteOutcome[]> {
  if (rows.length === 0) return []
  const news = rows.filter(({ isNew }) => isNew)
  if (news.length === 0 || news.length === rows.length) return writeSort(call, access, batch, rows)
  try {
    const outcomes = await send(call, access, batch, rows, repeatsMax)
    return withHeld(call, access, batch, rows, outcomes)
  } catch (error) {
    if (!isRejected(error)) throw error
    const known = rows.filter(({ isNew }) => !isNew)
    return [...(await writeSort(call, access, batch, known)), ...(await writeSort(call, access, batch, news))]
  }
}

/** Writes rows that are either all new or all of existing records. */
function writeSort(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  rows: readonly BatchRow[],
  repeats = repeatsMax,
): Promise<CrmWriteOutcome[]> {
  const isNew = rows[0]?.isNew ?? false
  return writeInHalves(
    {
      write: async (some) =>
        withHeld(call, access, batch, some, await send(call, access, batch, some, repeats)),
      settle: (row, refusal) => settleAlone(call, access, batch, row, refusal),
      isDone: ({ state }) => state === 'written',
      hold: ({ key }, message, isTried) => ({ key, state: 'held', message, isTried }),
      leave: ({ key }) => ({ key, state: 'unknown', message: notConfirmed }),
      recordOf: ({ key }) => key,
      accountReason: async () => (isNew ? findNoRoom(call, access, batch.typeId) : null),
      refusals: refusalsOf(access, `${batch.path} ${isNew}`),
    },
    rows,
  )
}

/** Sends rows once. Those with an unknown outcome that do not exist are sent again. */
async function send(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  rows: readonly BatchRow[],
  repeats: number,
): Promise<CrmWriteOutcome[]> {
  try {
    const answer = await call(access, {
      method: 'POST',
      path: batch.path,
      json: { inputs: rows.map(({ input }) => input) },
      answer: batchAnswer,
      isRepeatable: false,
    })
    const outcomes = outcomesOf(rows, answer, batch)
    const unsaid = rows.filter(({ key }) => !outcomes.has(key))
    const found = await readBack(call, access, batch, unsaid)
    refuseUnnamed(answer, rows, found)
    return [...outcomes.values(), ...found]
  } catch (error) {
    if (!isUnanswered(error) || repeats === 0) throw error
    const found = await readBack(call, access, batch, rows)
    const written = new Map(found.filter(({ state }) => state === 'written').map((one) => [one.key, one]))
    const rest = rows.filter(({ key }) => !written.has(key))
    return [...written.values(), ...(await writeSort(call, access, batch, rest, repeats - 1))]
  }
}

/**
 * Where an error does not say whose it is, and it can be that of several rows, the batch counts as refused. Halving then
 * finds the row, which would be tried without end otherwise.
 */
function refuseUnnamed(
  answer: BatchAnswer,
  rows: readonly BatchRow[],
  found: readonly CrmWriteOutcome[],
): void {
  const error = unnamedErrorIn(rows, answer)
  if (error === undefined || found.every(({ state }) => state === 'written')) return
  throw refusalOf(error, refusedRecord)
}

/**
 * From this many rows on, equal refusals of all of them concern the account, even if HubSpot reports them row by
 * row.
 */
const manyRows = 50

/** Separates rows that HubSpot refused because of the account from those refused because of their own content. */
async function withHeld(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  rows: readonly BatchRow[],
  outcomes: CrmWriteOutcome[],
): Promise<CrmWriteOutcome[]> {
  const isNew = new Set(rows.flatMap((row) => (row.isNew ? row.key : [])))
  const messages = outcomes.flatMap((one) => (one.state === 'refused' ? one.message : []))
  const areAllAlike =
    messages.length >= manyRows && messages.length === rows.length && new Set(messages).size === 1
  const isAnyNew = outcomes.some(({ state, key }) => state === 'refused' && isNew.has(key))
  const noRoom = isAnyNew ? await findNoRoom(call, access, batch.typeId) : null
  if (noRoom === null && !areAllAlike) return outcomes
  return outcomes.map((outcome) => {
    if (outcome.state !== 'refused' || !(areAllAlike || isNew.has(outcome.key))) return outcome
    const message = [outcome.message, noRoom ?? ''].join(' ').trim()
    return { key: outcome.key, state: 'held', message, isTried: true }
  })
}

/** No answer, or one that does not say whether the write happened. A locked or moving account did not write. */
function isUnanswered(error: unknown): boolean {
  return error instanceof HubspotError && error.kind === 'unavailable' && ![423, 477].includes(error.status)
}

function isRejected(error: unknown): boolean {
  return error instanceof HubspotError && error.kind === 'rejected'
}

/** Reads the records. A record that has all of our values was written. */
async function readBack(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  rows: readonly Pick<BatchRow, 'key' | 'properties'>[],
): Promise<CrmWriteOutcome[]> {
  if (rows.length === 0) return []
  const names = [...new Set(rows.flatMap(({ properties }) => Object.keys(properties)))]
  const records = await readRecords(call, access, batch.typeId, {
    ids: rows.map(({ key }) => key),
    idProperty: batch.keyProperty,
    properties: [...new Set([batch.keyProperty, ...names])],
  })
  const byKey = new Map(records.map((record) => [record.properties?.[batch.keyProperty], record]))
  return rows.map(({ key, properties }) => {
    const record = byKey.get(key)
    const stands =
      record !== undefined &&
      Object.entries(properties).every(([name, value]) => isSameValue(record.properties?.[name] ?? '', value))
    return stands && record
      ? { key, state: 'written', recordId: record.id, updatedAt: record.updatedAt }
      : { key, state: 'unknown', message: notConfirmed }
  })
}

/**
 * A row that was refused alone. If the record already exists, that counts as success, but without the time of a write:
 * it is not ours, and may have other values.
 */
async function settleAlone(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  { key }: BatchRow,
  { status, answer }: HubspotError,
): Promise<CrmWriteOutcome> {
  const message = reasonOf(answer, refusedRecord)
  if (batch.isUpsert || status !== 409) return { key, state: 'refused', message }
  const [found] = await readBack(call, access, batch, [{ key, properties: {} }])
  const recordId =
    found?.state === 'written'
      ? found.recordId
      : existingIdIn({ category: 'CONFLICT', message: answer.message ?? '' })
  return recordId ? { key, state: 'written', recordId } : { key, state: 'refused', message }
}
