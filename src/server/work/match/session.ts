import type { Deps } from '../../deps.ts'
import type { CrmAccess } from '../../providers/crm-directory.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import type { HeldWrites } from '../crm/held-writes.ts'

/** What a matching works with. In a push, `write` fails once the run is lost. */
export type MatchSession = {
  deps: Deps
  organizationId: number
  access: CrmAccess
  write: <T>(work: (tenant: Tenant) => Promise<T>) => Promise<T>
  /** Customers that changed since the last matching; without them, all are read. */
  changedIds?: readonly string[] | undefined
  /** Whether to retry contacts that the CRM refused although nothing changed. */
  retriesParked?: boolean
  /** What the CRM refuses to create for a reason that concerns the whole account. */
  held: HeldWrites
  /** Reports a change in the CRM that we found and corrected; set only in a push. */
  mended?: (tenant: Tenant, line: string) => Promise<void>
  /** Counts what was created in the CRM, in the transaction that keeps it; set only in a push. */
  created?: (tenant: Tenant, created: { companies?: number; contacts?: number }) => Promise<void>
  /** Reports something that a person should know about a customer. */
  report: (customerId: string | null, message: string) => void
}
