import type { Deps } from '../../deps.ts'
import type { CrmAccess, CrmObjectTypes } from '../../providers/crm.ts'
import type { Claim } from '../../store/runs.ts'
import type { PaymentLinks } from './payment-links.ts'
import type { Progress } from './progress.ts'

/** What every part of a push works with. */
export type PushSession = {
  deps: Deps
  claim: Claim
  access: CrmAccess
  objectTypes: CrmObjectTypes
  links: PaymentLinks
  /** Whether records that the CRM refused before this run are tried again although they did not change. */
  retriesFailed: boolean
  progress: Progress
}
