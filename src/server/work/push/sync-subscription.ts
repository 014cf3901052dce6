import type { Deps } from '../../deps.ts'
import { Refusal, waitInWords } from '../../refusal.ts'
import { spendAttempt } from '../../store/accounts/attempt-budgets.ts'
import { notePushDue } from '../../store/crm/push-due.ts'
import { findSubscription } from '../../store/lists/subscription-list.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { RunStart } from '../../store/runs/runs.ts'
import { startPart } from './run-part.ts'

/** Each press starts a run, and a run keeps others waiting. */
const perOrganization = { max: 30, windowSeconds: 3_600 }

/**
 * Starts a push of what is noted as due, to which it adds the customer of this subscription, and returns its id. Records
 * of these customers that the CRM refused before are tried again.
 */
export async function syncSubscription(
  deps: Deps,
  organizationId: number,
  subscriptionId: string,
  start?: RunStart,
): Promise<string> {
  await inOrganization(deps.database, organizationId, async (tenant) => {
    const subscription = await findSubscription(tenant, subscriptionId)
    if (subscription === undefined)
      throw new Refusal('not_found', 'There is no such subscription. Choose one on Subscriptions.')
    const wait = await spendAttempt(tenant.sql, { key: `sync-now:${organizationId}`, ...perOrganization })
    if (wait > 0) {
      const often = `Your organization has used Sync now ${perOrganization.max} times within an hour`
      throw new Refusal('rate_limited', `${often}. Wait ${waitInWords(wait)}, or sync on Data Sync.`, wait)
    }
    await notePushDue(tenant, subscription.customerId)
  })
  return startPart(deps, organizationId, { part: 'due', retriesFailed: true }, start)
}
