import { importChanged } from './import-changed.ts'
import type { ImportContext } from './import-context.ts'
import { type ImportSlice, isChanged, isFull } from './import-slice.ts'
import type { Progress } from './progress.ts'
import { readUnlisted } from './read-unlisted.ts'
import { readWindows } from './read-windows.ts'

/** What figures are computed with, and what they are figures of. */
const catalogKinds = ['products', 'prices_active', 'prices_archived', 'coupons']
const currentKinds = [...catalogKinds, 'subscriptions', 'customers']
/**
 * The current figures follow what comes in this often, and at once when all of it is in; what is read sooner than that is
 * rebuilt as a whole instead.
 */
const previewEveryMs = 5_000

/**
 * Reads everything that the slices leave open: the lists first, then what changed, and after a full import's lists what
 * none of them held, so that newer answers win. Calls `preview` while those lists come in of which the current figures
 * are made, and once they are in, while the others go on.
 */
export async function readSlices(
  context: ImportContext,
  slices: readonly ImportSlice[],
  progress: Progress,
  preview: (context: ImportContext) => Promise<void>,
): Promise<void> {
  await progress.enter('importing')
  const next = createPreview(context, preview)
  await readWindows(context, {
    onSaved: progress.note,
    onLook: (open) => {
      progress.note()
      return next(open)
    },
  })
  const changed = slices.filter(isChanged).filter((slice) => !slice.isDone)
  if (changed.length > 0) await progress.enter('refreshing')
  for (const slice of changed) await importChanged(context, slice, progress.note)
  if (isFull(slices)) await readUnlisted(context, progress.note)
}

/** What is to be done for the preview at a look, given the kinds that are still open. */
function createPreview({ deps }: ImportContext, preview: (context: ImportContext) => Promise<void>) {
  let isRunning = false
  let isLast = false
  let isBegun = false
  let doneAt = deps.now().getTime()
  return (open: ReadonlyMap<string, number>) => {
    const isCurrent = !currentKinds.some((kind) => open.has(kind))
    const isWanted = deps.now().getTime() - doneAt >= previewEveryMs || (isCurrent && isBegun)
    if (isRunning || isLast || !isWanted || catalogKinds.some((kind) => open.has(kind))) return undefined
    isRunning = true
    isBegun = true
    isLast = isCurrent
    return async (context: ImportContext): Promise<void> => {
      await preview(context)
      isRunning = false
      doneAt = deps.now().getTime()
    }
  }
}
