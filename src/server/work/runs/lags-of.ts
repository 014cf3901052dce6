import type { Deps, ObservedLags } from '../../deps.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findOldestWaiting } from '../../store/runs/freshness.ts'

/** What the metrics learn of a run: what it brought to the ledger or the CRM, and how long the oldest change waits. */
export async function lagsOf(
  tenant: Tenant,
  to: ObservedLags['to'],
  seconds: readonly number[],
  { now }: Pick<Deps, 'now'>,
): Promise<ObservedLags> {
  const oldest = await findOldestWaiting(tenant)
  const waitingSeconds = oldest === undefined ? 0 : Math.max(0, (now().getTime() - oldest.getTime()) / 1_000)
  return { organizationId: tenant.organizationId, to, seconds, waitingSeconds }
}
