import type { CrmKind, CrmTarget, CrmValues } from '#domain/crm-record.ts'
import type { CrmAccess, CrmDirectory } from './crm-directory.ts'

export type CrmPage<Row> = { rows: Row[]; after: string | null }

/** One of our records in its current state in the CRM. */
export type CrmStandingRecord = {
  recordId: string
  /** The key that the record contains; null when somebody emptied it or created the record by hand. */
  key: string | null
  /** ISO instant of the last change, by the CRM's clock. */
  updatedAt: string | null
  /** The values of our fields, where the CRM returned them. */
  values: Readonly<Record<string, string>>
  /** Ids of records that were merged into this one. */
  mergedIds: string[]
  /** The associated records by target. A target is absent when the CRM did not list all of them. */
  tiedTo: Partial<Record<CrmTarget, string[]>>
}

/** Reads the CRM: its directory, and what people changed in our records. */
export type CrmReading = CrmDirectory & {
  /**
   * Counts our records and lists the last changed ones, newest first. Writes appear after some seconds. `converted`:
   * the converted fields to read besides.
   */
  findNewestRecords(
    access: CrmAccess,
    kind: CrmKind,
    objectTypeId: string,
    converted: readonly string[],
  ): Promise<{ total: number; rows: CrmStandingRecord[] }>
  /** Lists all of our records page by page with their associations, without delay. */
  listRecords(
    access: CrmAccess,
    kind: CrmKind,
    objectTypes: Readonly<Record<CrmKind, string>>,
    after: string | null,
    converted: readonly string[],
  ): Promise<CrmPage<CrmStandingRecord>>
  /** Reads records by id. A merged record is returned as the one it was merged into; a deleted one is left out. */
  readRecords(
    access: CrmAccess,
    kind: CrmKind,
    objectTypeId: string,
    recordIds: readonly string[],
  ): Promise<CrmStandingRecord[]>
  /** Labels of the fields in which the record differs from these values. */
  changedFields(kind: CrmKind, values: CrmValues, record: CrmStandingRecord): string[]
}
