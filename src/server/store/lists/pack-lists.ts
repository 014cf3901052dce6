import { boundDue } from '../crm/push-due.ts'
import type { Tenant } from '../postgres/database.ts'
import { addUpTotals, recountTotals } from '../totals/list-totals.ts'
import { packCustomerTexts } from './customer-texts.ts'

/**
 * Adds up the totals of lists, and packs search texts again where many are outdated. Lists show the same afterwards,
 * but read faster. 'recount' counts all rows instead, so that no missed difference lasts.
 */
export async function packLists(tenant: Tenant, totals: 'add_up' | 'recount'): Promise<void> {
  await (totals === 'recount' ? recountTotals : addUpTotals)(tenant)
  await packCustomerTexts(tenant)
  await boundDue(tenant)
}
