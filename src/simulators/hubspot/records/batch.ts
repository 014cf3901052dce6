import { createHash } from 'node:crypto'
import { type HubspotJson, textAt } from '../body.ts'
import { contactTypeId, type HubspotRecord } from '../entities.ts'
import { HubspotError, invalidInput, WholeRefusal } from '../errors.ts'
import { openAnswersOf } from '../open-answers.ts'
import type { World } from '../world.ts'
import { recordAnswer } from './answer.ts'
import { applyWrite } from './apply.ts'
import type { WritePlace } from './check-properties.ts'
import type { PlannedWrite } from './plan.ts'

/** HubSpot's limit of inputs for one record batch. */
export const recordBatchLimit = 100

type PlannedRow = { readonly plan: PlannedWrite; readonly traceId: string | undefined }

/** The result of a batch: rows in the order of HubSpot's answer, which differs from that of the inputs. */
export type BatchOutcome = {
  readonly results: readonly object[]
  readonly errors: readonly object[]
  /** Set if a row failed because of a value that a person typed. */
  readonly fault: string | undefined
}

/**
 * One bad row refuses the whole batch, unless every input has an `objectWriteTraceId`; then only bad rows fail. A
 * missing record always fails alone. Sources: error-handling guide; upsert seen live to behave like create.
 */
export function writeBatch(
  place: WritePlace,
  inputs: readonly HubspotJson[],
  planRow: (input: HubspotJson) => PlannedWrite,
  options: { readonly isUpsert?: boolean; readonly isNeverPartial?: boolean } = {},
): BatchOutcome {
  const isAllowed = hasOwnTraceIds(inputs) || openAnswersOf(place.portal).failingBatch === 'part'
  const isPartial = isAllowed && options.isNeverPartial !== true
  const rows: PlannedRow[] = []
  const refusals: { error: HubspotError; traceId: string | undefined }[] = []
  for (const input of inputs) {
    const traceId = textAt(input, 'objectWriteTraceId')
    try {
      rows.push({ plan: planRow(input), traceId })
    } catch (error) {
      if (!(error instanceof HubspotError)) throw error
      const isByRow = isPartial || error.body.category === 'OBJECT_NOT_FOUND'
      if (!isByRow || error instanceof WholeRefusal) throw error
      refusals.push({ error, traceId })
    }
  }
  const written = rows.map(({ plan, traceId }) => ({ record: applyWrite(place, plan), plan, traceId }))
  return {
    results: shuffled(written, ({ record }) => record).map(({ record, plan, traceId }) => ({
      ...recordAnswer(place.world, record, plan.namesSent),
      ...(options.isUpsert ? { new: plan.record === null } : {}),
      ...(traceId === undefined ? {} : { objectWriteTraceId: traceId }),
    })),
    errors: refusals.map(({ error, traceId }) => rowError(error, traceId)),
    fault: refusals.find(({ error }) => error.fault !== undefined)?.error.fault,
  }
}

/** The body of a batch answer; `numErrors` and `errors` appear only if a row failed. */
export function batchAnswer(world: World, results: readonly object[], errors: readonly object[]) {
  const now = new Date(world.now()).toISOString()
  const failures = errors.length === 0 ? {} : { numErrors: errors.length, errors }
  return { status: 'COMPLETE', results, ...failures, startedAt: now, completedAt: now }
}

function hasOwnTraceIds(inputs: readonly HubspotJson[]): boolean {
  const traceIds = inputs.map((input) => textAt(input, 'objectWriteTraceId') ?? '')
  return !traceIds.includes('') && new Set(traceIds).size === traceIds.length
}

function rowError(error: HubspotError, traceId: string | undefined): object {
  const context = {
    ...error.body.context,
    ...(traceId === undefined ? {} : { objectWriteTraceId: [traceId] }),
  }
  return { status: 'error', ...error.body, context }
}

/** Refuses a batch that names one record twice; e-mail addresses are compared in lower case. */
export function refuseDuplicateIds(
  place: WritePlace,
  ids: readonly string[],
  idProperty: string | undefined,
): void {
  const isEmail = place.type.typeId === contactTypeId && idProperty === 'email'
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const id of ids.map((one) => (isEmail ? one.trim().toLowerCase() : one))) {
    if (seen.has(id)) repeated.add(id)
    seen.add(id)
  }
  if (repeated.size > 0) {
    throw invalidInput(
      `Duplicate IDs found in batch input: [${[...repeated].join(', ')}]. IDs must be unique`,
    )
  }
}

/** An order that is unrelated to the inputs and the same in every run. */
export function shuffled<Row>(rows: readonly Row[], recordOf: (row: Row) => HubspotRecord): Row[] {
  const keyed = rows.map((row) => ({ row, key: createHash('sha1').update(recordOf(row).id).digest('hex') }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row)
}
