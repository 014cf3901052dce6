import type { RunRecord as WireRecord } from '#contract/runs/run-records.ts'
import { type CrmKind, crmTargets, differencesOf } from '#domain/crm-record.ts'
import { listTargetNames } from '../../store/crm/target-names.ts'
import { readEvents } from '../../store/lists/event-list.ts'
import { readSubscriptions } from '../../store/lists/subscription-list.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { linkKey, targetOfKey } from '../../store/runs/link-keys.ts'
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
  const nameOf = await readNames(tenant, kept)
  return kept.map(({ id, change, toldBefore, toldAfter, isChangedSince, subscriptionId, ...inCrm }) => {
    const event = eventOf.get(id) ?? null
    return {
      recordKey: id,
      change,
      differences: toldBefore && toldAfter ? differencesOf(toldBefore, toldAfter) : null,
      links: inCrm.links && toLinks(inCrm.links, nameOf),
      isChangedSince,
      subscriptionId,
      event,
      subscription: event === null ? (subscriptionOf.get(subscriptionId) ?? null) : null,
      hubspotLink: links.hubspotRecord(inCrm.portalId, inCrm.objectTypeId, inCrm.recordId),
    }
  })
}

const idsOf = (records: readonly KeptRecord[]) => records.map(({ id }) => id)

/** What the companies and contacts are called that the records were linked to or taken off from, by the key of a link. */
async function readNames(tenant: Tenant, kept: readonly KeptRecord[]): Promise<Map<string, string>> {
  const keys = new Set(kept.flatMap(({ links }) => Object.keys(links ?? {})))
  const named = await listTargetNames(tenant, [...keys].map(targetOfKey))
  return new Map(named.map((target) => [linkKey(target), target.name]))
}

/** The wire form of a record's links: what it is linked to first, and the company before the others. */
function toLinks(
  kept: NonNullable<KeptRecord['links']>,
  nameOf: ReadonlyMap<string, string>,
): NonNullable<WireRecord['links']> {
  const all = Object.entries(kept).map(([key, change]) => {
    const { target, recordId } = targetOfKey(key)
    return { change, target, name: nameOf.get(key) ?? null, recordId }
  })
  const places = all.map((link) => ({ link, place: crmTargets.indexOf(link.target) }))
  return places
    .toSorted((a, b) => a.link.change.localeCompare(b.link.change) || a.place - b.place)
    .map(({ link }) => link)
}
