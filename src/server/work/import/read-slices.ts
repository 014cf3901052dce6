import { importChanged } from './import-changed.ts'
import type { ImportContext } from './import-context.ts'
import { type ImportSlice, isChanged, isWindow, type WindowSlice } from './import-slice.ts'
import { importWindow } from './import-window.ts'
import type { Progress } from './progress.ts'
import { runInFlight } from './run-in-flight.ts'

/** Slices in flight; the rate limit of the account is what bounds them. */
const slicesInFlight = 8
/** Parts into which the list of one kind is cut at most. */
const slicesPerKindMax = 6

/** What the current figures are made of. */
const currentKinds = new Set([
  'subscriptions',
  'products',
  'prices_active',
  'prices_archived',
  'coupons',
  'customers',
])

/**
 * Reads everything that the slices leave open: the lists first, then what changed, so that newer answers win. Calls
 * `onCurrent` once the lists are in of which the current figures are made, while the others go on.
 */
export async function readSlices(
  context: ImportContext,
  slices: readonly ImportSlice[],
  progress: Progress,
  onCurrent: (context: ImportContext) => Promise<void>,
): Promise<void> {
  const flight = { concurrency: slicesInFlight, signal: context.signal }
  const windows = slices.filter(isWindow)
  const countOf = new Map<string, number>()
  const note = ({ state }: WindowSlice) => countOf.set(state.kind, (countOf.get(state.kind) ?? 0) + 1)
  windows.forEach(note)
  const open = windows.filter((slice) => !slice.isDone)
  let openCurrent = open.filter(({ state }) => currentKinds.has(state.kind)).length
  await progress.enter('importing')
  await runInFlight(open, flight, async (slice, add, signal) => {
    const inFlight = { ...context, signal }
    const isCurrent = currentKinds.has(slice.state.kind)
    await importWindow(inFlight, slice, {
      mayCut: ({ state }) => (countOf.get(state.kind) ?? 0) < slicesPerKindMax,
      onOlder: (older) => {
        note(older)
        if (isCurrent) openCurrent += 1
        add(older)
      },
      onSaved: progress.add,
    })
    if (isCurrent) openCurrent -= 1
    if (isCurrent && openCurrent === 0) await onCurrent(inFlight)
  })
  const changed = slices.filter(isChanged).filter((slice) => !slice.isDone)
  if (changed.length === 0) return
  await progress.enter('refreshing')
  for (const slice of changed) await importChanged(context, slice, progress.add)
}
