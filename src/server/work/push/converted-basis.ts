import type { ConvertedFields } from '#domain/reporting/crm-converted.ts'
import type { Deps } from '../../deps.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { getReporting } from '../../store/reporting/reporting.ts'
import type { CrmSession } from '../crm/with-crm.ts'
import { finishConverting } from '../ledger/convert-anew.ts'

/**
 * What the records' converted amounts depend on beside their rows: another reporting currency, or other fields, make
 * every record due. Waits for a conversion at work, so that no amount stands under another currency's code.
 */
export async function basisOfConverted(
  deps: Deps,
  { access }: CrmSession,
  organizationId: number,
  converted: ConvertedFields,
): Promise<string[]> {
  const fields = Object.values(converted).flat()
  if (fields.length === 0) return []
  await finishConverting(deps, organizationId, access.signal)
  const { currency } = await inOrganization(deps.database, organizationId, getReporting)
  return [currency ?? '', ...fields]
}
