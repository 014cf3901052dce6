import type { RunRecord as WireRecord } from '#contract/sync.ts'
import { type CrmKind, differencesOf } from '#domain/crm-record.ts'
import { readEvents } from '../../store/lists/event-list.ts'
import { readSubscriptions } from '../../store/lists/subscription-list.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import type { KeptRecord } from '../../store/runs/run-records.ts'
import type { Links } from '../links.ts'
import { toSubscription } from '../subscription.ts'
import { toTransaction } from '../transaction.ts'

/** The wire form of a run's records, with what they are now. An event that is gone has its subscription instead. */
export async function readRunRecords(
  tenant: Tenant,
  links: Links,
  kind: CrmKind,
  kept: readonly KeptRecord[],
): Promise<WireRecord[]> {
  const events = kind === 'event' ? await readEvents(tenant, idsOf(kept)) : []
  const eventOf = new Map(events.map((event) => [event.id, toTransaction(event, links)]))
  const withoutEvent = kept.filter(({ id }) => !eventOf.has(id))
  const subscriptionIds = [...new Set(withoutEvent.map(({ subscriptionId }) => subscriptionId))]
  const subscriptions = await readSubscriptions(tenant, subscriptionIds)
  const subscriptionOf = new Map(subscriptions.map((one) => [one.id, toSubscription(one, links)]))
  return kept.map(({ id, change, toldBefore, toldAfter, isChangedSince, subscriptionId, ...inCrm }) => {
    const event = eventOf.get(id) ?? null
    return {
      recordKey: id,
      change,
      differences: toldBefore && toldAfter ? differencesOf(toldBefore, toldAfter) : null,
      isChangedSince,
      subscriptionId,
      event,
      subscription: event === null ? (subscriptionOf.get(subscriptionId) ?? null) : null,
      hubspotLink: links.hubspotRecord(inCrm.portalId, inCrm.objectTypeId, inCrm.recordId),
    }
  })
}

const idsOf = (records: readonly KeptRecord[]) => records.map(({ id }) => id)
