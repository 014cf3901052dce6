import type { ImportContext } from '../runs/run-context.ts'
import { importChanged } from './import-changed.ts'
import { type ImportSlice, isChanged, planOf } from './import-slice.ts'
import type { ImportProgress } from './progress.ts'
import { readUnlisted } from './read-unlisted.ts'
import { type BesideReading, readWindows } from './read-windows.ts'

/**
 * Reads every open slice: lists first, then changed objects, then objects that no complete list contained. In
 * this order newer answers win. `workAhead` decides what runs beside the lists and whether history lists
 * wait.
 */
export async function readSlices(
  context: ImportContext,
  slices: readonly ImportSlice[],
  progress: ImportProgress,
  workAhead: BesideReading,
): Promise<void> {
  await progress.enter('importing')
  await readWindows(context, {
    onSaved: progress.note,
    onLook: (open) => {
      progress.note()
      return workAhead.onLook(open)
    },
    isHistoryHeldBack: workAhead.isHistoryHeldBack,
  })
  const changed = slices.filter(isChanged).filter((slice) => !slice.isDone)
  if (changed.length > 0) await progress.enter('refreshing')
  for (const slice of changed) await importChanged(context, slice, progress.note)
  if (planOf(slices).areCustomersRead) await readUnlisted(context, progress.note)
}
