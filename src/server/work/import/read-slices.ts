import type { ImportContext } from '../runs/run-context.ts'
import { importChanged } from './import-changed.ts'
import { type ImportSlice, isChanged, planOf } from './import-slice.ts'
import type { ImportProgress } from './progress.ts'
import { readUnlisted } from './read-unlisted.ts'
import { type BesideReading, readWindows } from './read-windows.ts'

/**
 * Reads everything that the slices leave open: the lists first, then what changed, and where lists were read whole what
 * none of them held, so that newer answers win. `workAhead` says at each look what is to be done beside the lists, and whether
 * the history waits for it.
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
