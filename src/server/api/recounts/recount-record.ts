import type { RecountRecord } from '#contract/recounts.ts'
import { byFieldOrder } from '#domain/recount.ts'
import type { ReportRecord } from '../../store/recount/read-report.ts'

/** Converts a record of a report to its wire form. */
export function toWireRecord(record: ReportRecord): RecountRecord {
  const { kind, recordKey, customerId, customerName, label } = record
  const { inHubspot, changes } = readChanges(record)
  return { kind, recordKey, customerId, customerName, label, inHubspot, changes }
}

/** Lists each changed field of a record, and what happens to the record in the CRM. */
export function readChanges({
  before,
  after,
  isInCrm,
}: Pick<ReportRecord, 'before' | 'after' | 'isInCrm'>): Pick<RecountRecord, 'inHubspot' | 'changes'> {
  const kept = before === null ? 'created' : after === null ? 'removed' : 'updated'
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort(byFieldOrder)
  const changes = fields.flatMap((field) => {
    const [was, is] = [before?.[field] ?? null, after?.[field] ?? null]
    // A record that was added or removed lists only the fields that have a value.
    return was === is || (was ?? '') + (is ?? '') === '' ? [] : [{ field, before: was, after: is }]
  })
  return { inHubspot: isInCrm ? kept : 'none', changes }
}
