import type { Deps } from '../../deps.ts'
import type { CrmAccess } from '../../providers/crm-directory.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import type { HeldWrites } from '../crm/held-writes.ts'

/** What a matching works with. Inside a push its writes are fenced by the run. */
export type MatchSession = {
  deps: Deps
  organizationId: number
  access: CrmAccess
  write: <T>(work: (tenant: Tenant) => Promise<T>) => Promise<T>
  /** Whether contacts that the CRM refused are tried again although nothing changed. */
  retriesParked?: boolean
  /** What the CRM refuses to create for a reason of the whole account. */
  held: HeldWrites
  /** Tells of what was found changed in the CRM and put right; inside a push alone. */
  mended?: (tenant: Tenant, line: string) => Promise<void>
  /** Something that a person should know about a customer. */
  report: (customerId: string | null, message: string) => void
}
