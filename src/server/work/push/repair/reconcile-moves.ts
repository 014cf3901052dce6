import {
  type AssociationKind,
  deleteAssociations,
  saveAssociations,
} from '../../../store/crm/crm-associations.ts'
import { listCompanies } from '../../../store/crm/crm-index.ts'
import { listMovedCustomers, type MovedCustomer } from '../../../store/crm/crm-moves.ts'
import { forgetChoices } from '../../../store/matches/restored-choices.ts'
import { writeMatches } from '../../../store/matches/write-matches.ts'
import type { Tenant } from '../../../store/postgres/database.ts'
import { inRun } from '../../../store/runs/runs.ts'
import type { PushSession } from '../push-session.ts'
import type { MovedRecord } from './reconcile-existing.ts'

const ofSubscriptions: AssociationKind = { kind: 'subscription', target: 'company' }

/**
 * People may move subscription records to another company, or tie those of a waiting customer to one. If all records of a
 * customer went to the same one, it goes with them; others stay as they are in the CRM.
 */
export async function reconcileMoves(session: PushSession, moved: readonly MovedRecord[]): Promise<void> {
  if (moved.length === 0) return
  const { deps, claim, access, mends } = session
  const bySource = Map.groupBy(moved, ({ sourceId }) => sourceId)
  await inRun(deps.database, claim, async (tenant) => {
    for (const customer of await listMovedCustomers(tenant, access.portalId, [...bySource.keys()])) {
      // A company that somebody deleted is missing too, where the customer has another by now: that is no move.
      const moves = customer.tiedSourceIds
        .flatMap((id) => bySource.get(id) ?? [])
        .filter(({ toRecordId }) => toRecordId === customer.companyRecordId)
      if (moves.length === 0) continue
      const name = await follow(session, tenant, customer, moves)
      const { customerId } = customer
      if (name === undefined && customer.companyRecordId === null) continue
      const line =
        name === undefined
          ? `${customerId}: records of its subscriptions were moved to another company in ${deps.crm.name}; they are left there.`
          : `${customerId}: its subscription was moved to ${name} in ${deps.crm.name}; the customer goes with it.`
      await mends.mended(tenant, line)
    }
  })
}

/** Returns the name of the customer's new company; undefined if the moves do not agree on one. */
async function follow(
  { deps, access: { portalId } }: PushSession,
  tenant: Tenant,
  { customerId, companyRecordId, tiedSourceIds }: MovedCustomer,
  moves: readonly MovedRecord[],
): Promise<string | undefined> {
  const [recordId, ...others] = new Set(moves.flatMap(({ companyIds }) => companyIds))
  const isWhole = moves.length === tiedSourceIds.length
  if (recordId === undefined || others.length > 0 || !isWhole) return undefined
  const [company] = await listCompanies(tenant, portalId, [recordId])
  if (company === undefined) return undefined
  const at = deps.now()
  const { name } = company
  const moved = { customerId, state: 'linked', evidence: 'person', company: { recordId, name } } as const
  await writeMatches(tenant, portalId, [moved], at)
  await forgetChoices(tenant, portalId, customerId)
  const rowsTo = (toRecordId: string) =>
    moves.map(({ sourceId, fromRecordId }) => ({ sourceId, fromRecordId, toRecordId }))
  if (companyRecordId !== null)
    await deleteAssociations(tenant, portalId, ofSubscriptions, rowsTo(companyRecordId))
  await saveAssociations(tenant, portalId, ofSubscriptions, rowsTo(recordId), at)
  return name ?? 'another company'
}
