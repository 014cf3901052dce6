import { type ChangedKind, type FetchedObjects, optionalKinds } from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { deleteInvoices } from '../../store/payments/invoices.ts'
import { endSubscriptions } from '../../store/payments/subscriptions.ts'
import { updateSlice } from '../../store/runs/run-slices.ts'
import { addRunLog, countRunErrors } from '../../store/runs/runs.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import type { ChangedSlice } from './import-slice.ts'
import { saveFetchedObjects } from './save-objects.ts'

/** The log line for a key that may not read an optional list. */
export const leftOut = 'Left out how invoices were paid: the key may not read it.'
/** We fetch this number of objects before we save them together. */
export const batchMax = 20

/** Fetches changed objects again by id and saves them in batches, each with the slice's progress. */
export async function importChanged(
  context: ImportContext,
  first: ChangedSlice,
  onSaved: () => void,
): Promise<void> {
  let slice = first
  while (slice.state.next < slice.state.ids.length) {
    const { kind, ids, next } = slice.state
    const batch = ids.slice(next, next + batchMax)
    const fetched = await fetchBatch(context, kind, batch)
    const state = { ...slice.state, next: next + batch.length }
    slice = {
      ...slice,
      state,
      doneCount: slice.doneCount + fetched.items.length,
      isDone: state.next >= ids.length,
    }
    await saveBatch(context, slice, fetched)
    onSaved()
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
  slice: ChangedSlice,
  batch: Batch<ChangedKind>,
): Promise<void> {
  const at = context.deps.now()
  await write(context, async (tenant) => {
    const { askedAt } = batch
    const { askedAfter, deps } = context
    await saveFetchedObjects(tenant, slice.state.kind, batch.items, {
      at,
      askedAt,
      askedAfter,
      seal: deps.seal,
    })
    // The provider confirms each deletion by id. It archives objects of other kinds instead, or the ledger
    // still needs them.
    if (slice.state.kind === 'invoices') await deleteInvoices(tenant, batch.goneIds)
    if (slice.state.kind === 'subscriptions') await endSubscriptions(tenant, batch.goneIds, at)
    await countRunErrors(tenant, context.claim.runId, batch.refused, at)
    if (batch.isForbidden) await addRunLog(tenant, context.claim.runId, leftOut, at)
    await updateSlice(tenant, context.claim.runId, slice)
  })
}
