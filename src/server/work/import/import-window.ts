import { optionalKinds, type Page } from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { saveSlices, updateSlice } from '../../store/run-slices.ts'
import { addRunErrors, addRunLog } from '../../store/runs.ts'
import { type ImportContext, write } from './import-context.ts'
import { advance, cursorOf, type WindowSlice } from './import-slice.ts'
import { saveObjects } from './save-objects.ts'

export type SliceEvents = {
  /** Whether one more list of the kind may be in flight. */
  mayCut: (slice: WindowSlice) => boolean
  /** A new slice that has been saved and is to be worked on. */
  onOlder: (slice: WindowSlice) => void
  onSaved: (counts: { done: number; failed: number }) => void
}

/**
 * Reads a window to its end: each page is saved with its cursor in one transaction, while the next is being fetched.
 * What optional lists the key may not read are left out with a line in the log.
 */
export async function importWindow(
  context: ImportContext,
  first: WindowSlice,
  events: SliceEvents,
): Promise<void> {
  const seen = new Set<string>()
  let slice = first
  let fetching = fetchPage(context, slice)
  for (;;) {
    const page = await fetching.catch((error: unknown) => pageOfForbidden(slice, error))
    if (page === null) {
      await leaveOut(context, slice)
      return
    }
    if (page.next && seen.has(page.next.id))
      throw new ProviderError('unavailable', 'Stripe repeats pages of a list over and over.')
    if (page.next) seen.add(page.next.id)
    const advanced = advance(slice, { count: page.items.length, next: page.next }, events.mayCut(slice))
    slice = advanced.slice
    if (!slice.isDone) fetching = fetchPage(context, slice)
    await savePage(context, page, advanced)
    events.onSaved({ done: page.items.length, failed: page.unreadable.length })
    if (advanced.older) events.onOlder(advanced.older)
    if (slice.isDone) return
  }
}

type AnyPage = Page<Parameters<typeof saveObjects>[2][number]>

function fetchPage(context: ImportContext, slice: WindowSlice): Promise<AnyPage> {
  const { kind, from, until } = slice.state
  const fetching: Promise<AnyPage> = context.reader.listPage(kind, {
    created: { from, until },
    after: cursorOf(slice),
  })
  // It is waited for only after the page before has been saved; until then its failure is nobody's.
  fetching.catch(() => {})
  return fetching
}

async function savePage(
  context: ImportContext,
  page: AnyPage,
  { slice, older }: { slice: WindowSlice; older: WindowSlice | null },
): Promise<void> {
  const at = context.deps.now()
  const { runId } = context.claim
  await write(context, async (tenant) => {
    await saveObjects(tenant, slice.state.kind, page.items, at)
    await addRunErrors(
      tenant,
      runId,
      page.unreadable.map(({ id, message }) => ({ sourceId: id, message })),
      at,
    )
    if (older) await saveSlices(tenant, runId, [older])
    await updateSlice(tenant, runId, slice)
  })
}

function pageOfForbidden(slice: WindowSlice, error: unknown): null {
  const isOptional = optionalKinds.includes(slice.state.kind)
  if (isOptional && error instanceof ProviderError && error.kind === 'forbidden') return null
  throw error
}

async function leaveOut(context: ImportContext, slice: WindowSlice): Promise<void> {
  const at = context.deps.now()
  await write(context, async (tenant) => {
    const line = 'Left out how invoices were paid: the key may not read it.'
    await addRunLog(tenant, context.claim.runId, line, at)
    await updateSlice(tenant, context.claim.runId, { ...slice, isDone: true })
  })
}
