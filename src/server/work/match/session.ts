import type { Deps } from '../../deps.ts'
import type { CrmAccess } from '../../providers/crm.ts'
import type { Tenant } from '../../store/database.ts'

/** What a matching works with. Inside a push its writes are fenced by the run. */
export type MatchSession = {
  deps: Deps
  organizationId: number
  access: CrmAccess
  write: <T>(work: (tenant: Tenant) => Promise<T>) => Promise<T>
  /** Whether nobody waits for it: a large portal is then not listed anew for customers that were looked for before. */
  isScheduled?: boolean
  /** Something that a person should know about a customer. */
  report: (customerId: string | null, message: string) => void
}
