import { afterEach, describe, expect, it } from 'vitest'
import type { PaymentProduct } from '#domain/payments.ts'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import type { ImportContext } from '../runs/run-context.ts'
import { importWindow, type WindowReading } from './import-window.ts'
import type { ReadPage } from './save-pages.ts'
import { newWindow } from './windows.ts'

const pagesAhead = { whole: 8, unfinished: 4 }
const pageCount = 12

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Reads a list with one product per page; the test saves each page by hand. */
function readByHand({ hasRest }: { hasRest: boolean }) {
  const asked: (string | null)[] = []
  const saving: (ReadPage & { done: (isHeld: boolean) => void })[] = []
  const rests: (() => void)[] = []
  const listed: number[] = []
  const product = (index: number): PaymentProduct => ({
    ...{ id: `prod_${index}`, name: `Product ${index}`, isActive: true, createdAt: pageCount - index },
  })
  const reader = {
    listPage: async (_kind: string, { after }: { after: { id: string } | null }) => {
      const index = asked.push(after?.id ?? null) - 1
      const whole = Promise.withResolvers<object>()
      rests.push(() => whole.resolve({ items: [], unreadable: [] }))
      const { id, createdAt } = product(index)
      return {
        ...{ items: [product(index)], unreadable: [], newestAt: createdAt },
        next: index + 1 < pageCount ? { id, createdAt } : null,
        rest: hasRest ? { objects: [{ id, customerId: null }], whole: whole.promise } : null,
      }
    },
  }
  const reading: WindowReading = {
    holder: 'me',
    writer: {
      save: (read) => new Promise((done) => void saving.push({ ...read, done })),
    },
    keptShareOf: () => () => null,
    onCut: () => {},
    onSaved: () => {},
    onAllPagesRead: () => void listed.push(rests.length),
  }
  const context = { deps: { now: () => new Date(0) }, reader } as unknown as ImportContext
  const first = newWindow('products', { from: null, until: null, oldestAt: null })
  return { asked, saving, rests, listed, whole: importWindow(context, first, reading) }
}

describe('the pages of a window', () => {
  it('are saved as they come, one after the other with its cursor, and no more than eight wait for it', async () => {
    const { asked, saving, whole } = readByHand({ hasRest: false })
    for (let saved = 0; saved < pageCount; saved += 1) {
      await settled()
      expect(asked).toHaveLength(Math.min(pageCount, saved + pagesAhead.whole))
      expect(saving).toHaveLength(saved + 1)
      const { page, window, done } = saving[saved] as (typeof saving)[number]
      expect(page.items.map(({ id }) => id)).toEqual([`prod_${saved}`])
      expect(window).toMatchObject({ doneCount: saved + 1, isDone: saved + 1 === pageCount })
      if (!window.isDone) expect(window.cursorId).toBe(`prod_${saved}`)
      done(true)
    }
    await whole
  })

  it('wait for what lists inside their objects hold, and are saved without it, of which no more than four wait', async () => {
    const { asked, saving, rests, listed, whole } = readByHand({ hasRest: true })
    const saveAll = async () => {
      for (let seen = -1; seen < saving.length; await settled()) {
        seen = saving.length
        for (const { done } of saving) done(true)
      }
    }
    await saveAll()
    expect(asked).toHaveLength(pagesAhead.unfinished)
    expect(saving.map(({ window }) => window.incomplete.length)).toEqual([1, 2, 3, 4])
    for (let index = 0; index < pageCount; index += 1) {
      // The call comes with the last saved page, though the last four pages still have open nested lists.
      expect(listed).toHaveLength(index + pagesAhead.unfinished < pageCount ? 0 : 1)
      rests[index]?.()
      await saveAll()
    }
    await whole
    expect(saving.at(-1)).toMatchObject({
      window: { isDone: true, allPagesRead: true, incomplete: [] },
    })
  })

  it('are read no further once somebody else reads the window', async () => {
    const { asked, saving, whole } = readByHand({ hasRest: false })
    await settled()
    saving[0]?.done(false)
    await whole
    expect(asked).toHaveLength(pagesAhead.whole)
  })
})

describe('a long list', () => {
  let stage: ImportStage | undefined
  afterEach(async () => stage?.close())

  it('is in the database but for a few pages whenever more of it is asked for', async () => {
    const pageSize = 3
    /**
     * Four windows of a list are read while the last pages of as many others are still written; of each, one more page is
     * being written.
     */
    const waitingMost = 8 * (pagesAhead.whole + 1) * pageSize
    const world = generatedWorld(120)
    // An invoice may be answered more than once, for example where a window was cut.
    const answered = new Set<string>()
    let waiting = 0
    const own = await stageImport({
      world,
      pageSize,
      around: (fetch) => async (request) => {
        if (!request.url.includes('/v1/invoices?')) return fetch(request)
        const before = answered.size
        const [kept] = await query<{ count: number }>(
          own.db.ownerUrl,
          'select count(*)::int as count from invoices',
        )
        waiting = Math.max(waiting, before - (kept?.count ?? 0))
        const answer = await fetch(request)
        const { data } = (await answer.clone().json()) as { data: { id: string }[] }
        for (const { id } of data) answered.add(id)
        return answer
      },
    })
    stage = own
    await own.importAll()
    expect(answered.size).toBeGreaterThan(4 * waitingMost)
    expect(waiting).toBeLessThanOrEqual(waitingMost)
  })
})
