import type { Instant } from '#domain/instant.ts'
import { optionalKinds, type PaymentsKind, windowKinds } from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { listUnknownObjectIds } from '../../store/payments/payment-lists.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { PlanningContext } from '../runs/run-context.ts'

/**
 * The lists to read again over a window that earlier imports read: those whose newest page shows an object we
 * do not have. The record of changes covers every other object of the window.
 */
export async function findWindowsToRead(
  context: PlanningContext,
  created: { from: Instant; until: Instant },
): Promise<PaymentsKind[]> {
  if (created.from >= created.until) return []
  const wanted = await Promise.all(
    windowKinds.map(async (kind) => ((await hasUnknown(context, kind, created)) ? [kind] : [])),
  )
  return wanted.flat()
}

async function hasUnknown(
  { deps, claim, reader }: PlanningContext,
  kind: PaymentsKind,
  created: { from: Instant; until: Instant },
): Promise<boolean> {
  const ids = await reader.listNewestIds(kind, created).catch((error: unknown) => {
    const isForbidden = error instanceof ProviderError && error.kind === 'forbidden'
    if (isForbidden && optionalKinds.includes(kind)) return []
    throw error
  })
  const unknown = await inOrganization(deps.database, claim.organizationId, (tenant) =>
    listUnknownObjectIds(tenant, kind, ids),
  )
  return unknown.length > 0
}
