import type { Page } from '../../providers/payments.ts'
import type { Tenant } from '../../store/database.ts'
import { saveSlices } from '../../store/run-slices.ts'
import { countRunErrors } from '../../store/runs.ts'
import { updateHeldSlices } from '../../store/slice-leases.ts'
import { hasExpected, noteListed } from '../../store/unlisted-objects.ts'
import { type ImportContext, write } from './import-context.ts'
import { leaseOf, type WindowSlice } from './import-slice.ts'
import { saveObjects } from './save-objects.ts'

export type AnyPage = Page<Parameters<typeof saveObjects>[2][number]> & { askedAt: Date }

/** A page with where its slice stands after it, and the part that was cut off it. */
export type ReadPage = { page: AnyPage; slice: WindowSlice; older: WindowSlice | null }

export type PageWriter = {
  /** Keeps a page and its slice's cursor together. False, and nothing kept, when somebody else reads the slice by now. */
  save(read: ReadPage): Promise<boolean>
}

/** Transactions beside each other: one writes while the other is being made ready. */
const writesInFlight = 2
const pagesPerWrite = 5

type Waiting = ReadPage & { saved: PromiseWithResolvers<boolean> }

/** Writes pages as they come; those of one kind that wait meanwhile go together in one transaction. */
export function createPageWriter(context: ImportContext, holder: string): PageWriter {
  const waiting: Waiting[] = []
  const unlisted = createUnlisted()
  let writing = 0
  const writeNext = (): void => {
    const kind = waiting[0]?.slice.state.kind
    if (kind === undefined || writing === writesInFlight) return
    const batch = waiting.filter(({ slice }) => slice.state.kind === kind).slice(0, pagesPerWrite)
    for (const one of batch) waiting.splice(waiting.indexOf(one), 1)
    writing += 1
    writePages(context, holder, batch, unlisted)
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

function writePages(
  context: ImportContext,
  holder: string,
  pages: readonly ReadPage[],
  unlisted: Unlisted,
): Promise<Set<string>> {
  const at = context.deps.now()
  const { runId } = context.claim
  return write(context, async (tenant) => {
    const slices = pages.map(({ slice }) => slice)
    const held = await updateHeldSlices(tenant, runId, leaseOf(holder, at), slices)
    const ours = pages.filter(({ slice }) => held.has(slice.slice))
    const [first] = ours
    if (!first) return held
    const { kind } = first.slice.state
    await saveObjects(
      tenant,
      kind,
      ours.flatMap(({ page }) => page.items),
      { at, askedAt: earliest(ours.map(({ page }) => page.askedAt)) },
    )
    const unreadable = ours.flatMap(({ page }) => page.unreadable)
    if (await unlisted.areExpected(tenant))
      await noteListed(tenant, kind, [
        ...ours.flatMap(({ page }) => page.items.map(({ id }) => id)),
        ...unreadable.flatMap(({ id }) => id ?? []),
      ])
    await countRunErrors(
      tenant,
      runId,
      unreadable.map(({ id, message }) => ({ sourceId: id, message })),
      at,
    )
    await saveSlices(
      tenant,
      runId,
      ours.flatMap(({ older }) => older ?? []),
    )
    return held
  })
}

type Unlisted = { areExpected: (tenant: Tenant) => Promise<boolean> }

/** Whether there is anything that lists are yet to show. Noted before the first list is read, it only becomes less. */
function createUnlisted(): Unlisted {
  let isNothing = false
  return {
    async areExpected(tenant) {
      if (!isNothing) isNothing = !(await hasExpected(tenant))
      return !isNothing
    },
  }
}

/** Of pages that are kept together none was asked for before this. */
function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map((time) => time.getTime())))
}
