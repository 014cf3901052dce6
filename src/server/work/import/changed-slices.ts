import type { Instant } from '#domain/instant.ts'
import {
  type ChangedKind,
  type ChangedObject,
  changedKinds,
  type PaymentsChanges,
  paymentsKinds,
  windowKinds,
} from '../../providers/payments.ts'
import { countMadeSince, tableOf } from '../../store/payments/payment-lists.ts'
import { listSubscriptionIdsOf } from '../../store/payments/subscriptions.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { PlanningContext } from '../runs/run-context.ts'
import { type ChangedSlice, type ImportSlice, windowSlice } from './import-slice.ts'

/** Ids in one slice, so that its row stays small. */
export const idsPerSlice = 500
/** New objects of a kind beyond which their list takes fewer requests than they do one by one. */
const singlyMax = 3
/** Changed objects of a kind beyond which it is looked whether their list takes fewer requests than they do. */
const manyMax = 500
/** The kinds of which so many can change. */
const manyKinds = ['customers', 'subscriptions', 'invoices'] as const
/** Objects on a page of a list, of which not all may be full. */
const perPage = 50
/** Changed objects come after the lists, so that newer answers win. */
const afterWindows = 1_000

type Changed = Omit<ChangedObject, 'kind'> & { kind: ChangedKind }

/**
 * How changed objects are read: what was made since then by the lists of its kind, everything else by its id, each once,
 * unless so much has changed that its list is read back to the oldest of it. Payments of invoices come to be without a
 * change of their own, beside those of their invoice.
 */
export async function changedSlices(
  context: PlanningContext,
  changes: PaymentsChanges,
  since: Instant,
): Promise<ImportSlice[]> {
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
  return [
    ...lists.map((kind) => {
      const from = sinceOf(tableOf(kind))
      return windowSlice(kind, { from, until: null, oldestAt: from }, paymentsKinds.indexOf(kind))
    }),
    ...changedKinds.flatMap((kind, order) => {
      const ids = singly.filter((object) => object.kind === kind).map(({ id }) => id)
      return inParts(kind, ids.sort(), since, afterWindows + order)
    }),
  ]
}

/** Of the kinds of which so much has changed that their list takes fewer requests, when the oldest of it was made. */
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

/** What shows how a customer pays: itself and its subscriptions. */
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

/** Objects that no list of a full import held, as a slice to fetch them again; they are named by the first of them. */
export function unlistedSlice(kind: ChangedKind, ids: readonly [string, ...string[]]): ChangedSlice {
  return {
    slice: `unlisted:${kind}:${ids[0]}`,
    position: afterWindows + changedKinds.indexOf(kind),
    cursor: null,
    doneCount: 0,
    isDone: false,
    state: { kind, ids: [...ids], next: 0 },
  }
}

function inParts(kind: ChangedKind, ids: string[], since: Instant, position: number): ChangedSlice[] {
  const count = Math.ceil(ids.length / idsPerSlice)
  return Array.from({ length: count }, (_, index) => ({
    slice: `changed:${kind}:${since}:${index}`,
    position,
    cursor: null,
    doneCount: 0,
    isDone: false,
    state: { kind, ids: ids.slice(index * idsPerSlice, (index + 1) * idsPerSlice), next: 0 },
  }))
}

/** A changed object as it was kept until an import takes it up; none where it cannot be read. */
export function readChangedObject(value: unknown): ChangedObject[] {
  const fields: Record<string, unknown> = { ...(typeof value === 'object' ? value : {}) }
  const { id, createdAt, isGone } = fields
  const kind = [...changedKinds, 'payers' as const].find((one) => one === fields['kind'])
  if (!kind || typeof id !== 'string') return []
  return [{ kind, id, createdAt: typeof createdAt === 'number' ? createdAt : null, isGone: isGone === true }]
}
