import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { type AssociationKind, associationKinds, listMissingAssociations } from './crm-associations.ts'
import { listReplacedAssociations } from './crm-obsolete.ts'
import { type PushScope, readDue } from './push-due.ts'

/** The most rows that are read for one kind of association. A customer with more events has the rest told as tied. */
const pageMax = 5_000

/**
 * The rows of a kind whose records the next push ties to a company or contact, or unties: of customers that are noted for
 * it alone. None where it compares everything, because too many are noted.
 */
export async function findUntied(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  due?: PushScope,
): Promise<string[]> {
  const scope = due ?? (await readDue(tenant))
  return scope === 'all' ? [] : listUntied(tenant, portalId, kind, scope)
}

/** Whether the record of a subscription is one of them. */
export async function isUntied(
  tenant: Tenant,
  portalId: string,
  subscription: { id: string; customerId: string },
): Promise<boolean> {
  const untied = await listUntied(tenant, portalId, 'subscription', scopeOf(subscription.customerId))
  return untied.includes(subscription.id)
}

/** Whether any subscription of a customer has such a record. */
export async function hasUntied(tenant: Tenant, portalId: string, customerId: string): Promise<boolean> {
  return (await listUntied(tenant, portalId, 'subscription', scopeOf(customerId))).length > 0
}

const scopeOf = (customerId: string) => ({ customerIds: [customerId], goneEventIds: [], notes: [] })

async function listUntied(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  scope: Exclude<PushScope, 'all'>,
): Promise<string[]> {
  if (scope.customerIds.length === 0) return []
  const page = { afterSourceId: '', limit: pageMax, scope }
  const untied = new Set<string>()
  for (const tie of associationKinds.filter((each) => isTie(each, kind))) {
    for (const list of [listMissingAssociations, listReplacedAssociations])
      for (const { sourceId } of await list(tenant, portalId, tie, page)) untied.add(sourceId)
  }
  return [...untied]
}

const isTie = (each: AssociationKind, kind: CrmKind) => each.kind === kind && each.target !== 'subscription'
