import type { ConvertedFields } from '#domain/reporting/crm-converted.ts'
import type { Deps } from '../../deps.ts'
import type { CrmObjectTypes } from '../../providers/crm.ts'
import type { CrmAccess } from '../../providers/crm-directory.ts'
import type { PushScope } from '../../store/crm/push-due.ts'
import { addRunChanges } from '../../store/runs/run-changes.ts'
import { type Claim, inRun, type Run } from '../../store/runs/runs.ts'
import type { HeldWrites } from '../crm/held-writes.ts'
import type { MatchSession } from '../match/session.ts'
import { isScheduled, optionsOf } from '../runs/scheduled-run.ts'
import type { PaymentLinks } from './payment-links.ts'
import type { PushProgress } from './progress.ts'
import type { RepairReport } from './repair/repair-report.ts'
import { isPart } from './run-part.ts'

/** What every part of a push works with. */
export type PushSession = PushOptions & {
  deps: Deps
  claim: Claim
  access: CrmAccess
  objectTypes: CrmObjectTypes
  /** The converted fields that records have in this portal. */
  converted: ConvertedFields
  links: PaymentLinks
  progress: PushProgress
  mends: RepairReport
  held: HeldWrites
  /** What records contain beside their rows. */
  basis: string
  /** The customers to compare with the CRM. */
  scope: PushScope
  /** Whether something was sent whose outcome is unknown, or remains to be done. */
  isLeftOpen: boolean
}

export type PushOptions = {
  /** Whether to retry unchanged records that the CRM refused before this run. */
  retriesFailed: boolean
  /** Whether to work only on what failed before. */
  onlyFailed: boolean
  /** Whether to work only on customers that are noted as due, although a person started it. */
  onlyDue: boolean
  /** Started by the schedule; stops when automatic sync is switched off. */
  isScheduled: boolean
}

/** The options that a run was started with. */
export function pushOptionsOf(run: Pick<Run, 'options'>): PushOptions {
  return {
    retriesFailed: optionsOf(run)['retriesFailed'] !== false,
    onlyFailed: isPart(run, 'failed'),
    onlyDue: isPart(run, 'due'),
    isScheduled: isScheduled(run),
  }
}

/**
 * Matching inside a push: its writes fail once the run is lost. Reports go nowhere unless the caller sets `report`.
 */
export function matchSessionOf(session: PushSession): MatchSession {
  const { deps, claim, access, onlyFailed, mends, held, scope } = session
  return {
    ...(scope !== 'all' && { changedIds: scope.customerIds }),
    deps,
    organizationId: claim.organizationId,
    access,
    retriesParked: onlyFailed,
    held,
    write: (work) => inRun(deps.database, claim, work),
    mended: mends.mended,
    created: (tenant, created) => addRunChanges(tenant, claim.runId, created),
    report: () => {},
  }
}
