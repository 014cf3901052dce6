import type { CrmAccess, CrmWriteOutcome } from '../crm.ts'
import { batchAnswer } from './answers.ts'
import { type BatchInput, existingIdIn, outcomesOf } from './batch-outcomes.ts'
import type { HubspotClient } from './client.ts'
import { HubspotError, reasonOf } from './hubspot-error.ts'

export type BatchRow = BatchInput & { input: object; properties: Readonly<Record<string, string>> }

export type BatchCall = {
  path: string
  /** Where the rows can be read back by their key. */
  readPath: string
  keyProperty: string
  isRepeatable: boolean
}

const notConfirmed = 'HubSpot did not confirm this record. It is tried again with the next push.'

/**
 * Writes rows in one batch and gives an outcome for each. A batch refused as a whole is halved until the culprit stands
 * alone; rows that the answer passes over are read back.
 */
export async function writeBatch(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  rows: readonly BatchRow[],
): Promise<CrmWriteOutcome[]> {
  if (rows.length === 0) return []
  try {
    const answer = await call(access, {
      method: 'POST',
      path: batch.path,
      json: { inputs: rows.map(({ input }) => input) },
      answer: batchAnswer,
      isRepeatable: batch.isRepeatable,
    })
    const outcomes = outcomesOf(rows, answer, batch.keyProperty)
    const unsaid = rows.filter(({ key }) => !outcomes.has(key))
    for (const outcome of await readBack(call, access, batch, unsaid)) outcomes.set(outcome.key, outcome)
    return [...outcomes.values()]
  } catch (error) {
    if (!(error instanceof HubspotError && error.kind === 'rejected')) throw error
    const [only] = rows
    if (rows.length === 1 && only) return [await settleAlone(call, access, batch, only, error)]
    const middle = Math.ceil(rows.length / 2)
    return [
      ...(await writeBatch(call, access, batch, rows.slice(0, middle))),
      ...(await writeBatch(call, access, batch, rows.slice(middle))),
    ]
  }
}

/** Looks at the records themselves: one that stands there with every value of ours was written. */
async function readBack(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  rows: readonly BatchRow[],
): Promise<CrmWriteOutcome[]> {
  if (rows.length === 0) return []
  const names = [...new Set(rows.flatMap(({ properties }) => Object.keys(properties)))]
  const answer = await call(access, {
    method: 'POST',
    path: batch.readPath,
    json: {
      idProperty: batch.keyProperty,
      properties: [...new Set([batch.keyProperty, ...names])],
      inputs: rows.map(({ key }) => ({ id: key })),
    },
    answer: batchAnswer,
  })
  const byKey = new Map(answer.results?.map((record) => [record.properties?.[batch.keyProperty], record]))
  return rows.map(({ key, properties }) => {
    const record = byKey.get(key)
    const stands =
      record !== undefined &&
      Object.entries(properties).every(([name, value]) => isSame(record.properties?.[name] ?? '', value))
    return stands && record
      ? { key, state: 'written', recordId: record.id }
      : { key, state: 'unknown', message: notConfirmed }
  })
}

/** HubSpot answers everything as text, and some of it in another spelling: '25' for '25.00', other forms of instants. */
function isSame(theirs: string, ours: string): boolean {
  if (theirs === ours) return true
  if (theirs === '' || ours === '') return false
  const instants = [Date.parse(theirs), Date.parse(ours)]
  const isNumber = /^-?[\d.]+$/.test(theirs) && /^-?[\d.]+$/.test(ours)
  return isNumber ? Number(theirs) === Number(ours) : instants[0] === instants[1]
}

/** A row that was refused although it stood alone. A record that is there already is what was wanted. */
async function settleAlone(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  { key, traceId }: BatchRow,
  { status, answer }: HubspotError,
): Promise<CrmWriteOutcome> {
  const message = reasonOf(answer, 'HubSpot refused this record.')
  if (batch.isRepeatable || status !== 409) return { key, state: 'refused', message }
  const [found] = await readBack(call, access, batch, [{ key, traceId, input: {}, properties: {} }])
  if (found?.state === 'written') return found
  const recordId = existingIdIn({ category: 'CONFLICT', message: answer.message ?? '' })
  return recordId ? { key, state: 'written', recordId } : { key, state: 'refused', message }
}
