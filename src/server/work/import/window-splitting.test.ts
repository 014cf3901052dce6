import { describe, expect, it } from 'vitest'
import { advance, createCuts, type KeptShare } from './window-splitting.ts'
import { newWindow } from './windows.ts'

/** The share that stays after each cut, until no further cut follows. */
function sharesOf(keptShare: KeptShare, pagesLeft: number): number[] {
  const shares: number[] = []
  for (let pages = pagesLeft; ; ) {
    const share = keptShare(pages, shares.length)
    if (share === null) return shares
    shares.push(share)
    pages *= 1 - share
  }
}

const open = (kind: 'customers' | 'invoices', count: number) =>
  Array.from({ length: count }, () => ({ kind, allPagesRead: false }))

it('makes four equal parts of a list of what is current', () => {
  const keptShare = createCuts().keptShareOf({
    id: 'a',
    kind: 'subscriptions',
    pagesLeft: 80,
  })
  expect(sharesOf(keptShare, 80)).toEqual([1 / 4, 1 / 3, 1 / 2])
})

it('keeps of a window of the history the newest fifth, and cuts the rest in the same way', () => {
  const keptShare = createCuts().keptShareOf({ id: 'a', kind: 'invoices', pagesLeft: 900 })
  expect(sharesOf(keptShare, 900)).toEqual([1 / 5, 1 / 5, 1 / 5])
})

it('makes only as many parts as are missing from four open ones', () => {
  const cuts = createCuts()
  const sharesBeside = (count: number, kind: 'customers' | 'invoices') => {
    cuts.noteOpen(open(kind, count))
    return sharesOf(cuts.keptShareOf({ id: 'a', kind, pagesLeft: 80 }), 80)
  }
  expect(sharesBeside(3, 'customers')).toEqual([1 / 2])
  expect(sharesBeside(4, 'customers')).toEqual([])
  expect(sharesBeside(4, 'invoices')).toEqual([])
})

it('counts parts that were cut off since the last look', () => {
  const cuts = createCuts()
  cuts.noteOpen(open('customers', 1))
  cuts.noteCut('customers', 3)
  expect(cuts.keptShareOf({ id: 'a', kind: 'customers', pagesLeft: 80 })(80, 0)).toBeNull()
})

it('leaves whole what has hardly any pages left', () => {
  const keptShare = createCuts().keptShareOf({ id: 'a', kind: 'customers', pagesLeft: 2 })
  expect(keptShare(2, 0)).toBeNull()
})

it('cuts only the longest of its kind, as long as that is being read', () => {
  const cuts = createCuts()
  const shareOf = (id: string, pagesLeft: number) =>
    cuts.keptShareOf({ id, kind: 'customers', pagesLeft })(pagesLeft, 0)
  cuts.keptShareOf({ id: 'of another kind', kind: 'invoices', pagesLeft: 1_000 })
  cuts.noteOpen(open('customers', 4))
  shareOf('long', 100)
  cuts.noteOpen(open('customers', 2))
  expect(shareOf('short', 40)).toBeNull()
  expect(shareOf('as long', 100)).not.toBeNull()
  cuts.forget('long')
  cuts.forget('as long')
  expect(shareOf('short', 40)).not.toBeNull()
})

it('takes a window that was cut for as long as what stays of it', () => {
  const cuts = createCuts()
  const shareOf = (id: string, pagesLeft: number) =>
    cuts.keptShareOf({ id, kind: 'customers', pagesLeft })(pagesLeft, 0)
  expect(shareOf('long', 100)).toBe(1 / 4)
  expect(shareOf('other', 40)).not.toBeNull()
})

type Bounds = Parameters<typeof newWindow>[1]
const daySeconds = 86_400
const oldestAt = 1_700_000_000
const top = oldestAt + 400 * daySeconds

const whole = newWindow('invoices', { from: null, until: null, oldestAt })
const page = { id: 'in_last', createdAt: top }
const never = () => null
const thirds = (_pagesLeft: number, partsBefore: number) => (partsBefore < 2 ? 1 / 3 : null)

const boundsOf = ({ from, until }: Bounds) => [from, until]

describe('a window after a page', () => {
  it('goes on from the last object of the page', () => {
    const { window, older } = advance(whole, page, 100, never)
    expect(window).toMatchObject({ cursorId: 'in_last', cursorAt: top, allPagesRead: false, isDone: false })
    expect(boundsOf(window)).toEqual([null, null])
    expect(older).toEqual([])
  })

  it('is listed to its end after the last page, and keeps its cursor', () => {
    const { window } = advance(advance(whole, page, 100, never).window, null, 0, thirds)
    expect(window).toMatchObject({ cursorId: 'in_last', cursorAt: top, allPagesRead: true, isDone: false })
  })

  it('is cut into parts that leave no second out and share none', () => {
    const { window, older } = advance(whole, page, 100, thirds)
    const [second, third] = older
    expect(older).toHaveLength(2)
    expect(window.from).toBeGreaterThan(oldestAt)
    expect(second?.until).toBe(window.from)
    expect(third?.until).toBe(second?.from)
    expect(third).toMatchObject({ from: null, oldestAt, cursorAt: null })
    expect(new Set([window, ...older].map(({ id }) => id)).size).toBe(3)
  })

  it('asks with the pages that are left to the older part', () => {
    const asked: [number, number][] = []
    advance(whole, page, 90, (pagesLeft, partsBefore) => {
      asked.push([Math.round(pagesLeft), partsBefore])
      return thirds(pagesLeft, partsBefore)
    })
    expect(asked).toEqual([
      [90, 0],
      [60, 1],
      [40, 2],
    ])
  })

  it.each([
    ['too short', { from: top - daySeconds, until: null, oldestAt }],
    ['without a known beginning', { from: null, until: null, oldestAt: null }],
  ])('is not cut when it is %s', (_, window) => {
    expect(advance(newWindow('invoices', window), page, 100, thirds).older).toEqual([])
  })
})
