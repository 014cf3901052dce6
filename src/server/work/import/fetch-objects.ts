import {
  type ChangedKind,
  changedKinds,
  type FetchedObjects,
  optionalKinds,
} from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { deleteInvoices } from '../../store/payments/invoices.ts'
import { endSubscriptions } from '../../store/payments/subscriptions.ts'
import { takeUnlisted } from '../../store/payments/unlisted-objects.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { addObjects, listObjectsToFetch, noteFetched } from '../../store/runs/import-objects.ts'
import { addRunLog, countRunErrors } from '../../store/runs/run-lines.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { saveFetchedObjects } from './save-objects.ts'

/** The log line for a key that may not read an optional list. */
export const leftOut = 'Left out how invoices were paid: the key may not read it.'
/** We fetch this number of objects before we save them together. */
export const batchMax = 20
/** One transaction moves this number of objects that no list contained to those to fetch. */
const unlistedMax = 500

/**
 * Fetches every object that the run still has to fetch, kind by kind, and saves them in batches, each with its
 * progress.
 */
export async function fetchObjects(context: ImportContext, onSaved: () => void): Promise<void> {
  const { deps, claim } = context
  for (const kind of changedKinds) {
    for (;;) {
      const ids = await inOrganization(deps.database, claim.organizationId, (tenant) =>
        listObjectsToFetch(tenant, claim.runId, kind, batchMax),
      )
      if (ids.length === 0) break
      await saveBatch(context, kind, ids, await fetchBatch(context, kind, ids))
      onSaved()
    }
  }
}

/**
 * Fetches by id each stored object that no list of a full import contained. Absence from a list proves no
 * deletion: the object may be new, or hidden from the key.
 */
export async function fetchUnlisted(context: ImportContext, onSaved: () => void): Promise<void> {
  const { runId } = context.claim
  for (;;) {
    const isMore = await write(context, async (tenant) => {
      const taken = await takeUnlisted(tenant, unlistedMax)
      if (taken)
        await addObjects(
          tenant,
          runId,
          taken.ids.map((id) => ({ kind: taken.kind, id })),
        )
      return taken !== undefined
    })
    if (!isMore) return
    await fetchObjects(context, onSaved)
  }
}

type Batch<K extends ChangedKind> = {
  askedAt: Date
  items: FetchedObjects[K][]
  goneIds: string[]
  refused: { sourceId: string; message: string }[]
  /** Whether the key may not read this optional kind. */
  isForbidden: boolean
}

/**
 * Fetches objects by id and separates those that exist, those that are gone and those that the provider
 * refuses. Skips an optional kind if the key may not read it.
 */
export async function fetchBatch<K extends ChangedKind>(
  context: ImportContext,
  kind: K,
  ids: readonly string[],
): Promise<Batch<K>> {
  const batch: Batch<K> = {
    askedAt: context.deps.now(),
    items: [],
    goneIds: [],
    refused: [],
    isForbidden: false,
  }
  const isOptional = optionalKinds.some((one) => one === kind)
  const answers = await Promise.all(
    ids.map((id) =>
      context.reader.fetchObject(kind, id).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error
        if (error.kind === 'forbidden' && isOptional) batch.isForbidden = true
        else if (error.kind === 'rejected') batch.refused.push({ sourceId: id, message: error.message })
        else throw error
        return null
      }),
    ),
  )
  for (const [index, answer] of answers.entries()) {
    if (answer === undefined) batch.goneIds.push(ids[index] ?? '')
    else if (answer !== null) batch.items.push(answer)
  }
  return batch
}

async function saveBatch(
  context: ImportContext,
  kind: ChangedKind,
  ids: readonly string[],
  batch: Batch<ChangedKind>,
): Promise<void> {
  const at = context.deps.now()
  const { runId } = context.claim
  await write(context, async (tenant) => {
    const { askedAt } = batch
    const { askedAfter, deps } = context
    await saveFetchedObjects(tenant, kind, batch.items, { at, askedAt, askedAfter, seal: deps.seal })
    // The provider confirms each deletion by id. It archives objects of other kinds instead, or the ledger
    // still needs them.
    if (kind === 'invoices') await deleteInvoices(tenant, batch.goneIds)
    if (kind === 'subscriptions') await endSubscriptions(tenant, batch.goneIds, at)
    await countRunErrors(tenant, runId, batch.refused, at)
    if (batch.isForbidden) await addRunLog(tenant, runId, leftOut, at)
    await noteFetched(tenant, runId, kind, { ids, foundIds: batch.items.map(({ id }) => id) })
  })
}
