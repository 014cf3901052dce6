import type { Instant } from '#domain/instant.ts'
import { optionalKinds } from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { addRunLog } from '../../store/runs.ts'
import { updateHeldSlices } from '../../store/slice-leases.ts'
import { type ImportContext, write } from './import-context.ts'
import { advance, cursorOf, leaseOf, type WindowSlice } from './import-slice.ts'
import type { PageOfRows, PageWriter } from './page-writer.ts'
import { rowsOf } from './save-objects.ts'

export type WindowReading = {
  holder: string
  writer: PageWriter
  /** Whether what is left may be cut in two, about so many pages. */
  mayCut: (slice: WindowSlice, pagesLeft: number) => boolean
  /** A part was cut off and waits to be read. */
  onCut: (older: WindowSlice) => void
  onSaved: () => void
}

/**
 * Reads a window to its end: each page is saved with its cursor in one transaction, while the next is being fetched.
 * Ends where somebody else has taken the window over. What optional lists the key may not read are left out with a line
 * in the log.
 */
export async function importWindow(
  context: ImportContext,
  first: WindowSlice,
  reading: WindowReading,
): Promise<void> {
  const seen = new Set<string>()
  const pagesLeft = createEstimate(first)
  let slice = first
  let fetching = fetchPage(context, slice)
  for (;;) {
    const page = await fetching.catch((error: unknown) => pageOfForbidden(slice, error))
    if (page === null) return leaveOut(context, slice, reading.holder)
    if (page.next && seen.has(page.next.id))
      throw new ProviderError('unavailable', 'Stripe repeats pages of a list over and over.')
    if (page.next) seen.add(page.next.id)
    const count = page.items.length
    const mayCut = page.next !== null && reading.mayCut(slice, pagesLeft(slice, page))
    const advanced = advance(slice, { count, next: page.next }, mayCut)
    slice = advanced.slice
    if (!slice.isDone) fetching = fetchPage(context, slice)
    if (!(await reading.writer.save({ page, ...advanced }))) return
    reading.onSaved()
    if (advanced.older) reading.onCut(advanced.older)
    if (slice.isDone) return
  }
}

/** About how many more pages the window has, if it goes on as densely as it has so far. */
function createEstimate(first: WindowSlice): (slice: WindowSlice, page: PageOfRows) => number {
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
function fetchPage(context: ImportContext, slice: WindowSlice): Promise<PageOfRows> {
  const { kind, from, until } = slice.state
  const askedAt = context.deps.now()
  const fetching: Promise<PageOfRows> = context.reader
    .listPage(kind, { created: { from, until }, after: cursorOf(slice) })
    .then((page) => ({ ...page, items: rowsOf(kind, page.items), askedAt }))
  // It is waited for only after the page before has been saved; until then its failure is nobody's.
  fetching.catch(() => {})
  return fetching
}

function pageOfForbidden(slice: WindowSlice, error: unknown): null {
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
