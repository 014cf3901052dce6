import type { ObjectsRead } from '../../providers/payments.ts'
import { placeOfList } from '../../store/payments/payment-lists.ts'
import { hasExpected, noteListed } from '../../store/payments/unlisted-objects.ts'
import { errorCodeOf, uniqueViolation } from '../../store/postgres/error-code.ts'
import type { ImportMode } from '../../store/runs/import-plans.ts'
import { type ImportWindow, updateHeldWindows } from '../../store/runs/import-windows.ts'
import { countRunErrors } from '../../store/runs/run-lines.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { type ObjectRow, saveRows } from './save-objects.ts'
import { leaseOf } from './windows.ts'

/** The rows that we keep of a page's objects. */
export type PageOfRows = ObjectsRead<ObjectRow> & { askedAt: Date }

/** A page and its window after it. */
export type ReadPage = { page: PageOfRows; window: ImportWindow }

export type PageWriter = {
  /**
   * Saves a page and its window's cursor together. Returns false and saves nothing if another reader holds the
   * window.
   */
  save(read: ReadPage): Promise<boolean>
}

const pagesPerWrite = 5
/** Two transactions at once: one writes while the other is being prepared. */
const writesInFlight = 2

type Waiting = ReadPage & { saved: PromiseWithResolvers<boolean> }

/**
 * Writes pages as they arrive. Of the waiting pages, kinds that current figures need go first; pages of one
 * kind share a transaction.
 */
export function createPageWriter(
  context: ImportContext,
  { holder, mode }: { holder: string; mode: ImportMode },
): PageWriter {
  const waiting: Waiting[] = []
  const save = retryAsKnown(mode, createSave(context, holder))
  let writing = 0
  const writeNext = (): void => {
    const first = waiting.toSorted((a, b) => placeOfList(a.window.kind) - placeOfList(b.window.kind))[0]
    if (!first || writing === writesInFlight) return
    const batch = waiting.filter(({ window }) => window.kind === first.window.kind).slice(0, pagesPerWrite)
    for (const one of batch) waiting.splice(waiting.indexOf(one), 1)
    writing += 1
    save(batch)
      .then(
        (held) => {
          for (const { window, saved } of batch) saved.resolve(held.has(window.id))
        },
        (error: unknown) => {
          for (const { saved } of batch) saved.reject(error)
        },
      )
      .finally(() => {
        writing -= 1
        writeNext()
      })
    writeNext()
  }
  return {
    save(read) {
      const saved = Promise.withResolvers<boolean>()
      waiting.push({ ...read, saved })
      writeNext()
      return saved.promise
    },
  }
}

type Save = (pages: readonly ReadPage[]) => Promise<Set<string>>
type SaveAs = (pages: readonly ReadPage[], mode: ImportMode) => Promise<Set<string>>

/** Saves pages of one kind, and returns the ids of the windows that the holder still had. */
function createSave(context: ImportContext, holder: string): SaveAs {
  const { deps, claim, askedAfter } = context
  // Lists only shorten the expected objects, so once none is left, none will be.
  let isAnyExpected = true
  return (pages, mode) =>
    write(context, async (tenant) => {
      const at = deps.now()
      const windows = pages.map(({ window }) => window)
      const held = await updateHeldWindows(tenant, claim.runId, leaseOf(holder), windows)
      const ours = pages.filter(({ window }) => held.has(window.id))
      const [first] = ours
      if (!first) return held
      const { kind } = first.window
      const askedAt = earliest(ours.map(({ page }) => page.askedAt))
      const items = ours.flatMap(({ page }) => page.items)
      await saveRows(tenant, kind, items, { at, askedAfter, askedAt, seal: deps.seal, mode })
      if (isAnyExpected) isAnyExpected = await hasExpected(tenant)
      if (isAnyExpected) await noteListed(tenant, kind, idsOf(ours))
      const unreadable = ours.flatMap(({ page }) => page.unreadable)
      await countRunErrors(
        tenant,
        claim.runId,
        unreadable.map(({ id, message }) => ({ sourceId: id, message })),
        at,
      )
      return held
    })
}

/**
 * A first import takes every listed object for new and inserts it plainly. If one is known after all, this
 * writes its page again as known, and all later pages too.
 */
function retryAsKnown(planned: ImportMode, save: SaveAs): Save {
  let mode = planned
  return async (pages) => {
    const tried = mode
    try {
      return await save(pages, tried)
    } catch (error) {
      if (tried === 'again' || errorCodeOf(error) !== uniqueViolation) throw error
      mode = 'again'
      return save(pages, mode)
    }
  }
}

/** The ids of every object on the pages, readable or not. */
function idsOf(pages: readonly ReadPage[]): string[] {
  return pages.flatMap(({ page }) => [
    ...page.items.map(({ id }) => id),
    ...page.unreadable.flatMap(({ id }) => id ?? []),
  ])
}

/**
 * The earliest request time of pages that are saved together, so that no page claims to be newer than it is.
 */
function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map((time) => time.getTime())))
}
