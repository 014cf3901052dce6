import type { Instant } from '#domain/instant.ts'
import { type Listed, optionalKinds, type PaymentsKind } from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { saveSlices } from '../../store/run-slices.ts'
import { addRunLog } from '../../store/runs.ts'
import { changeHeldSlice, updateHeldSlices } from '../../store/slice-leases.ts'
import { type ImportContext, write } from './import-context.ts'
import { advance, cursorOf, leaseOf, type WindowSlice } from './import-slice.ts'
import type { PageOfRows, PageWriter } from './page-writer.ts'
import { rowsOf } from './save-objects.ts'

export type WindowReading = {
  holder: string
  writer: PageWriter
  /** The share that stays with a window of which about so many pages are left; null where it is not to be cut. */
  keptShare: (slice: WindowSlice, pagesLeft: number) => number | null
  /** A part that was cut off is saved and waits to be read. */
  onCut: (kind: PaymentsKind) => void
  onSaved: () => void
}

/** Pages of a window that are not saved yet: one is being listed while what is nested in those before is asked for. */
const pagesAhead = 4

/**
 * Reads a window to its end: each page is saved with its cursor in one transaction, in their order, while the next are
 * being fetched. Ends where somebody else has taken the window over. What optional lists the key may not read are left out
 * with a line in the log.
 */
export async function importWindow(
  context: ImportContext,
  first: WindowSlice,
  reading: WindowReading,
): Promise<void> {
  const seen = new Set<string>()
  const pagesLeft = createEstimate(first)
  const saving = createSaving(first, reading)
  try {
    for (let slice = first; !slice.isDone; ) {
      const { listed, page } = fetchPage(context, slice)
      const place = await listed.catch((error: unknown) => nullOfForbidden(slice, error))
      if (place === null)
        return await leaveOut(context, { ...slice, doneCount: await saving.end() }, reading.holder)
      const { next } = place
      if (next && seen.has(next.id))
        throw new ProviderError('unavailable', 'Stripe repeats pages of a list over and over.')
      if (next) seen.add(next.id)
      const advanced = advance(slice, next, reading.keptShare(slice, pagesLeft(slice, place)))
      slice = advanced.slice
      const { older } = advanced
      const held = await Promise.all([
        saving.add(page, slice),
        older === null || cutOff(context, slice, older, reading),
      ])
      if (held.includes(false)) return
    }
  } finally {
    await saving.end()
  }
}

/**
 * Makes what was cut off a slice of its own before the pages read so far are saved, so that others need not wait for what
 * is nested in them. False when somebody else reads the window by now.
 */
async function cutOff(
  context: ImportContext,
  { slice, state }: WindowSlice,
  older: WindowSlice,
  { holder, onCut }: WindowReading,
): Promise<boolean> {
  const { runId } = context.claim
  const lease = leaseOf(holder, context.deps.now())
  const isHeld = await write(context, async (tenant) => {
    const held = await changeHeldSlice(tenant, runId, lease, { slice, state: { from: state.from } })
    if (held) await saveSlices(tenant, runId, [older])
    return held
  })
  if (isHeld) onCut(state.kind)
  return isHeld
}

/** Saves the pages of a window one after the other. */
function createSaving(first: WindowSlice, { writer, onSaved }: WindowReading) {
  let { doneCount } = first
  let last = Promise.resolve(true)
  const waiting: Promise<boolean>[] = []
  const save = async (
    before: Promise<boolean>,
    fetching: Promise<PageOfRows>,
    slice: WindowSlice,
  ): Promise<boolean> => {
    if (!(await before)) return false
    const page = await fetching
    doneCount += page.items.length
    if (!(await writer.save({ page, slice: { ...slice, doneCount } }))) return false
    onSaved()
    return true
  }
  return {
    /** Waits where too many pages would wait otherwise. False when somebody else reads the window by now. */
    async add(page: Promise<PageOfRows>, slice: WindowSlice): Promise<boolean> {
      last = save(last, page, slice)
      // Looked at when its turn has come; until then its failure is nobody's.
      last.catch(() => {})
      waiting.push(last)
      return waiting.length < pagesAhead || (await waiting.shift()) === true
    },
    /** Waits for all, and tells how many objects were saved; throws what the first failed with. */
    end: () => last.then(() => doneCount),
  }
}

/** About how many more pages the window has, if it goes on as densely as it has so far. */
function createEstimate(first: WindowSlice): (slice: WindowSlice, listed: Listed) => number {
  let top: Instant | null = first.state.cursorAt ?? first.state.until
  let pages = 0
  return ({ state }, { next, newestAt }) => {
    pages += 1
    top ??= newestAt
    const bottom = state.from ?? state.oldestAt
    if (next === null || top === null || bottom === null) return 0
    return (pages * (next.createdAt - bottom)) / Math.max(1, top - next.createdAt)
  }
}

/** The next page; of its objects nothing is left but their rows, so that what waits to be written is small. */
function fetchPage(
  context: ImportContext,
  slice: WindowSlice,
): { listed: Promise<Listed>; page: Promise<PageOfRows> } {
  const { kind, from, until } = slice.state
  const askedAt = context.deps.now()
  const { promise: listed, resolve, reject } = Promise.withResolvers<Listed>()
  const page: Promise<PageOfRows> = context.reader
    .listPage(kind, { created: { from, until }, after: cursorOf(slice) }, resolve)
    .then((whole) => ({ ...whole, items: rowsOf(kind, whole.items), askedAt }))
  page.then(resolve, reject)
  return { listed, page }
}

function nullOfForbidden(slice: WindowSlice, error: unknown): null {
  const isOptional = optionalKinds.includes(slice.state.kind)
  if (isOptional && error instanceof ProviderError && error.kind === 'forbidden') return null
  throw error
}

async function leaveOut(context: ImportContext, slice: WindowSlice, holder: string): Promise<void> {
  const at = context.deps.now()
  const { runId } = context.claim
  await write(context, async (tenant) => {
    const held = await updateHeldSlices(tenant, runId, leaseOf(holder, at), [{ ...slice, isDone: true }])
    if (held.size === 0) return
    await addRunLog(tenant, runId, 'Left out how invoices were paid: the key may not read it.', at)
  })
}
