import type { RecountRecord } from '#contract/recounts.ts'
import { byFieldOrder } from '#domain/recount.ts'
import type { ReportRecord } from '../../store/recount/read-report.ts'

/** A record of a report in the wire's words. */
export function toWireRecord(record: ReportRecord): RecountRecord {
  const { kind, recordKey, customerId, customerName, label } = record
  const { inHubspot, changes } = readChanges(record)
  return { kind, recordKey, customerId, customerName, label, inHubspot, changes }
}

/** Field by field what changed of a record, and what becomes of it in the CRM. */
export function readChanges({
  before,
  after,
  isInCrm,
}: Pick<ReportRecord, 'before' | 'after' | 'isInCrm'>): Pick<RecountRecord, 'inHubspot' | 'changes'> {
  const kept = before === null ? 'created' : after === null ? 'removed' : 'updated'
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort(byFieldOrder)
  const changes = fields.flatMap((field) => {
    const [was, is] = [before?.[field] ?? null, after?.[field] ?? null]
    // Of one that came or went, what it has nothing in tells nothing.
    return was === is || (was ?? '') + (is ?? '') === '' ? [] : [{ field, before: was, after: is }]
  })
  return { inHubspot: isInCrm ? kept : 'none', changes }
}
