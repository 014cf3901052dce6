// Absence from a list proves nothing. Objects that can be deleted at the provider without a trace are asked for by id once
// all lists are read.

import { takeUnlisted } from '../../store/payments/unlisted-objects.ts'
import { saveSlices } from '../../store/runs/run-slices.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { idsPerSlice, unlistedSlice } from './changed-slices.ts'
import { importChanged } from './import-changed.ts'
import type { ChangedSlice } from './import-slice.ts'

/**
 * After all lists of a full import: fetches by id each stored object that no list contained. Absence from a
 * list proves no deletion: the object may be new, or hidden from the key.
 */
export async function readUnlisted(context: ImportContext, onSaved: () => void): Promise<void> {
  for (;;) {
    const slice = await takeNext(context)
    if (!slice) return
    await importChanged(context, slice, onSaved)
  }
}

/** Saves the next ids as a slice of the run, so that a later attempt finds them. */
function takeNext(context: ImportContext): Promise<ChangedSlice | undefined> {
  return write(context, async (tenant) => {
    const taken = await takeUnlisted(tenant, idsPerSlice)
    if (!taken) return undefined
    const slice = unlistedSlice(taken.kind, taken.ids)
    await saveSlices(tenant, context.claim.runId, [slice])
    return slice
  })
}
