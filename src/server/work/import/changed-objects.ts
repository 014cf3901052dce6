import type { Instant } from '#domain/instant.ts'
import {
  type ChangedKind,
  type ChangedObject,
  changedKinds,
  type PaymentsChanges,
  windowKinds,
} from '../../providers/payments.ts'
import { countMadeSince, tableOf } from '../../store/payments/payment-lists.ts'
import { listSubscriptionIdsOf } from '../../store/payments/subscriptions.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { ImportWindow } from '../../store/runs/import-windows.ts'
import type { PlanningContext } from '../runs/run-context.ts'
import { newWindow } from './windows.ts'

/**
 * Above this number of new objects of a kind, reading their list takes fewer requests than fetching each
 * object.
 */
const singlyMax = 3
/**
 * Above this number of changed objects of a kind, we check whether reading their list takes fewer requests.
 */
const manyMax = 500
/** Only these kinds can change more than `manyMax` objects at once. */
const manyKinds = ['customers', 'subscriptions', 'invoices'] as const
/** An estimate of objects per page, since not every page is full. */
const perPage = 50

/** Windows of lists, and single objects to fetch after them. */
export type WhatToRead = { windows: ImportWindow[]; objects: { kind: ChangedKind; id: string }[] }

type Changed = Omit<ChangedObject, 'kind'> & { kind: ChangedKind }

/**
 * Lists read objects made since `since`; requests by id read every other object once. If very many objects
 * changed, their list reads back to the oldest. Invoice payments have no change of their own, so they follow
 * changed invoices.
 */
export async function planChanged(
  context: PlanningContext,
  changes: PaymentsChanges,
  since: Instant,
): Promise<WhatToRead> {
  const objects = onceEach(await withPayers(context, changes.objects))
  const oldestOfMany = await findOldestOfMany(context, objects)
  const sinceOf = (kind: ChangedKind) => Math.min(since, oldestOfMany.get(kind) ?? since)
  const isNew = ({ kind, createdAt, isGone }: Changed) =>
    createdAt !== null && createdAt >= sinceOf(kind) && !isGone
  const inLists = changedKinds.filter((kind) => {
    const ofKind = objects.filter((object) => object.kind === kind)
    if (kind === 'invoice_payments' && objects.some((object) => object.kind === 'invoices')) return true
    return ofKind.filter(isNew).length > singlyMax
  })
  const lists = windowKinds.filter((kind) => inLists.includes(tableOf(kind)))
  const singly = objects.filter((object) => !(isNew(object) && inLists.includes(object.kind)))
  const windows = lists.map((kind) => {
    const from = sinceOf(tableOf(kind))
    return newWindow(kind, { from, until: null, oldestAt: from })
  })
  return { windows, objects: singly.map(({ kind, id }) => ({ kind, id })) }
}

/**
 * For each kind whose list takes fewer requests than its changed objects: when the oldest changed object was
 * made.
 */
async function findOldestOfMany(
  { deps, claim }: PlanningContext,
  objects: readonly Changed[],
): Promise<ReadonlyMap<ChangedKind, Instant>> {
  const oldest = new Map<ChangedKind, Instant>()
  for (const kind of manyKinds) {
    const made = objects.flatMap((object) =>
      object.kind === kind && !object.isGone ? (object.createdAt ?? []) : [],
    )
    if (made.length <= manyMax) continue
    const from = made.reduce((first, at) => Math.min(first, at))
    const kept = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      countMadeSince(tenant, kind, from),
    )
    if (kept / perPage < made.length) oldest.set(kind, from)
  }
  return oldest
}

/** Adds the objects that show how a customer pays: the customer and its subscriptions. */
async function withPayers(context: PlanningContext, objects: readonly ChangedObject[]): Promise<Changed[]> {
  const ids = objects.filter(({ kind }) => kind === 'payers').map(({ id }) => id)
  const { deps, claim } = context
  const subscriptions =
    ids.length === 0
      ? []
      : await inOrganization(deps.database, claim.organizationId, (tenant) =>
          listSubscriptionIdsOf(tenant, ids),
        )
  const plain = { createdAt: null, isGone: false }
  return [
    ...objects.flatMap((object): Changed[] =>
      object.kind === 'payers' ? [] : [{ ...object, kind: object.kind }],
    ),
    ...ids.map((id): Changed => ({ kind: 'customers', id, ...plain })),
    ...subscriptions.map((id): Changed => ({ kind: 'subscriptions', id, ...plain })),
  ]
}

function onceEach(objects: readonly Changed[]): Changed[] {
  const byId = new Map<string, Changed>()
  for (const object of objects) {
    const key = `${object.kind} ${object.id}`
    const other = byId.get(key)
    const createdAt = object.createdAt ?? other?.createdAt ?? null
    byId.set(key, { ...object, createdAt, isGone: object.isGone || (other?.isGone ?? false) })
  }
  return [...byId.values()]
}

/**
 * Reads a changed object that a webhook left for the next import. Returns nothing if the value is unreadable.
 */
export function readChangedObject(value: unknown): ChangedObject[] {
  const fields: Record<string, unknown> = { ...(typeof value === 'object' ? value : {}) }
  const { id, createdAt, isGone } = fields
  const kind = [...changedKinds, 'payers' as const].find((one) => one === fields['kind'])
  if (!kind || typeof id !== 'string') return []
  return [{ kind, id, createdAt: typeof createdAt === 'number' ? createdAt : null, isGone: isGone === true }]
}
