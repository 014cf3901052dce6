import type { ObjectsRead } from '../../providers/payments.ts'
import { hasSettledCustomers } from '../../store/payments/customers.ts'
import { hasExpected, noteListed } from '../../store/payments/unlisted-objects.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { errorCodeOf } from '../../store/postgres/error-code.ts'
import { countRunErrors } from '../../store/runs/runs.ts'
import { updateHeldSlices } from '../../store/runs/slice-leases.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { leaseOf, type WindowSlice } from './import-slice.ts'
import { type ObjectRow, saveRows } from './save-objects.ts'

/** The rows that we keep of a page's objects. */
export type PageOfRows = ObjectsRead<ObjectRow> & { askedAt: Date }

/** A page and the state of its slice after it. */
export type ReadPage = { page: PageOfRows; slice: WindowSlice }

export type PageWriter = {
  /**
   * Saves a page and its slice's cursor together. Returns false and saves nothing if another reader holds the
   * slice.
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
export function createPageWriter(context: ImportContext, holder: string): PageWriter {
  const waiting: Waiting[] = []
  // These answers stay valid: lists only shorten the expected objects, and a customer rebuilt while lists are
  // read receives no more objects.
  const known = {
    isAnyExpected: untilNone(hasExpected),
    isAnySettled: once(hasSettledCustomers),
    isAllNew: true,
  }
  let writing = 0
  const writeNext = (): void => {
    if (waiting.length === 0 || writing === writesInFlight) return
    const first = Math.min(...waiting.map(({ slice }) => slice.position))
    const kind = waiting.find(({ slice }) => slice.position === first)?.slice.state.kind
    const batch = waiting.filter(({ slice }) => slice.state.kind === kind).slice(0, pagesPerWrite)
    for (const one of batch) waiting.splice(waiting.indexOf(one), 1)
    writing += 1
    asNew(known, () => writePages(context, holder, batch, known))
      .then(
        (held) => {
          for (const { slice, saved } of batch) saved.resolve(held.has(slice.slice))
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

/**
 * Until some customer is rebuilt, assume every listed object is new (plain insert). On a conflict, write the
 * pages again as upserts, and all later pages too.
 */
async function asNew<T>(known: Known, attempt: () => Promise<T>): Promise<T> {
  const { isAllNew } = known
  try {
    return await attempt()
  } catch (error) {
    if (!isAllNew || errorCodeOf(error) !== uniqueViolation) throw error
    known.isAllNew = false
    return attempt()
  }
}

const uniqueViolation = '23505'

function writePages(
  context: ImportContext,
  holder: string,
  pages: readonly ReadPage[],
  known: Known,
): Promise<Set<string>> {
  const { isAllNew } = known
  const { runId } = context.claim
  return write(context, async (tenant) => {
    const at = context.deps.now()
    // Omit the bounds of the window, because a cut may have changed them since.
    const slices = pages.map(({ slice }) => {
      const { cursorAt, isListed, rest } = slice.state
      return { ...slice, state: { cursorAt, isListed, rest } }
    })
    const held = await updateHeldSlices(tenant, runId, leaseOf(holder), slices)
    const ours = pages.filter(({ slice }) => held.has(slice.slice))
    const [first] = ours
    if (!first) return held
    const { kind } = first.slice.state
    const isAllDue = !(await known.isAnySettled(tenant))
    const { askedAfter } = context
    const askedAt = earliest(ours.map(({ page }) => page.askedAt))
    const { seal } = context.deps
    const circumstances = { at, askedAfter, askedAt, seal, isAllDue, isAllNew: isAllDue && isAllNew }
    const items = ours.flatMap(({ page }) => page.items)
    await saveRows(tenant, kind, items, circumstances)
    if (await known.isAnyExpected(tenant)) await noteListed(tenant, kind, idsOf(ours))
    await countRunErrors(
      tenant,
      runId,
      ours.flatMap(({ page }) => page.unreadable.map(({ id, message }) => ({ sourceId: id, message }))),
      at,
    )
    return held
  })
}

/** The ids of every object on the pages, readable or not. */
function idsOf(pages: readonly ReadPage[]): string[] {
  return pages.flatMap(({ page }) => [
    ...page.items.map(({ id }) => id),
    ...page.unreadable.flatMap(({ id }) => id ?? []),
  ])
}

type Known = { isAnyExpected: Asked; isAnySettled: Asked; isAllNew: boolean }
type Asked = (tenant: Tenant) => Promise<boolean>

/** Remembers the first answer. */
function once(isAny: Asked): Asked {
  let answer: boolean | undefined
  return async (tenant) => {
    answer ??= await isAny(tenant)
    return answer
  }
}

/** Asks again until the answer is no; from then on the answer stays no. */
function untilNone(isAny: Asked): Asked {
  let isNone = false
  return async (tenant) => {
    if (!isNone) isNone = !(await isAny(tenant))
    return !isNone
  }
}

/**
 * The earliest request time of pages that are saved together, so that no page claims to be newer than it is.
 */
function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map((time) => time.getTime())))
}
