import type { Connection } from '../../store/connections.ts'
import { markAllRebuildDue } from '../../store/customers.ts'
import { inOrganization } from '../../store/database.ts'
import { clearPaymentMirror, findPaymentMirror, namePaymentMirror } from '../../store/payment-mirror.ts'
import { deleteOldSlices, listSlices, saveSlices } from '../../store/run-slices.ts'
import type { Run } from '../../store/runs.ts'
import { isOther, readDetails } from '../payments-connection.ts'
import { type ImportContext, write } from './import-context.ts'
import { readImportOptions } from './import-options.ts'
import { type ImportSlice, importSliceOf, readSliceState } from './import-slice.ts'
import { planImport } from './plan-import.ts'

/**
 * The slices of the run: those of an earlier attempt, or a plan made and saved now. Before the first slice of another
 * account is read, everything of the account before is emptied, in the transaction that saves the plan.
 */
export async function openSlices(
  context: ImportContext,
  run: Run,
  connection: Connection,
): Promise<ImportSlice[]> {
  const { deps, claim, reader } = context
  const known = await inOrganization(deps.database, claim.organizationId, async (tenant) => ({
    slices: await listSlices(tenant, run.id, readSliceState),
    mirror: await findPaymentMirror(tenant),
  }))
  if (known.slices.length > 0) return known.slices.map(importSliceOf)
  const account = { accountId: connection.account_id, isLive: connection.is_live ?? false }
  const details = readDetails(connection.details)
  const isFromOther = known.mirror !== undefined && isOther(known.mirror, account, details.isMirrorKnown)
  const options = readImportOptions(run.options)
  const slices = await planImport(reader, options, {
    mirror: isFromOther ? undefined : known.mirror,
    startedAt: run.created_at,
    accountCreatedAt: details.accountCreatedAt,
  })
  await write(context, async (tenant) => {
    if (isFromOther) await clearPaymentMirror(tenant)
    else if (options.mode === 'historical' && options.restart) await markAllRebuildDue(tenant)
    await namePaymentMirror(tenant, account)
    await saveSlices(tenant, run.id, slices)
    await deleteOldSlices(tenant, run.id)
  })
  return slices
}
