import { expect, it } from 'vitest'
import type { KeptShare } from './import-slice.ts'
import { createCuts } from './window-splitting.ts'

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

it('makes four equal parts of a list of what is current', () => {
  const keptShare = createCuts().keptShareOf({
    slice: 'a',
    kind: 'subscriptions',
    pagesLeft: 80,
  })
  expect(sharesOf(keptShare, 80)).toEqual([1 / 4, 1 / 3, 1 / 2])
})

it('keeps of a window of the history the newest fifth, and cuts the rest in the same way', () => {
  const keptShare = createCuts().keptShareOf({ slice: 'a', kind: 'invoices', pagesLeft: 900 })
  expect(sharesOf(keptShare, 900)).toEqual([1 / 5, 1 / 5, 1 / 5])
})

it('makes only as many parts as are missing from four open ones', () => {
  const cuts = createCuts()
  const sharesBeside = (open: number, kind: 'customers' | 'invoices') => {
    cuts.noteOpen(new Map([[kind, open]]))
    return sharesOf(cuts.keptShareOf({ slice: 'a', kind, pagesLeft: 80 }), 80)
  }
  expect(sharesBeside(3, 'customers')).toEqual([1 / 2])
  expect(sharesBeside(4, 'customers')).toEqual([])
  expect(sharesBeside(4, 'invoices')).toEqual([])
})

it('counts parts that were cut off since the last look', () => {
  const cuts = createCuts()
  cuts.noteOpen(new Map([['customers', 1]]))
  cuts.noteCut('customers', 3)
  expect(cuts.keptShareOf({ slice: 'a', kind: 'customers', pagesLeft: 80 })(80, 0)).toBeNull()
})

it('leaves whole what has hardly any pages left', () => {
  const keptShare = createCuts().keptShareOf({ slice: 'a', kind: 'customers', pagesLeft: 2 })
  expect(keptShare(2, 0)).toBeNull()
})

it('cuts only the longest of its kind, as long as that is being read', () => {
  const cuts = createCuts()
  const shareOf = (slice: string, pagesLeft: number) =>
    cuts.keptShareOf({ slice, kind: 'customers', pagesLeft })(pagesLeft, 0)
  cuts.keptShareOf({ slice: 'of another kind', kind: 'invoices', pagesLeft: 1_000 })
  cuts.noteOpen(new Map([['customers', 4]]))
  shareOf('long', 100)
  cuts.noteOpen(new Map([['customers', 2]]))
  expect(shareOf('short', 40)).toBeNull()
  expect(shareOf('as long', 100)).not.toBeNull()
  cuts.forget('long')
  cuts.forget('as long')
  expect(shareOf('short', 40)).not.toBeNull()
})

it('takes a window that was cut for as long as what stays of it', () => {
  const cuts = createCuts()
  const shareOf = (slice: string, pagesLeft: number) =>
    cuts.keptShareOf({ slice, kind: 'customers', pagesLeft })(pagesLeft, 0)
  expect(shareOf('long', 100)).toBe(1 / 4)
  expect(shareOf('other', 40)).not.toBeNull()
})

it('takes for long what has enough pages left, and says where it knows nothing of what is open', () => {
  const cuts = createCuts()
  expect(cuts.isLong('customers', 100)).toBe(false)
  cuts.noteOpen(new Map([['customers', 4]]))
  expect(cuts.isLong('customers', 100)).toBeNull()
  cuts.keptShareOf({ slice: 'a', kind: 'customers', pagesLeft: 99 })
  expect(cuts.isLong('customers', 100)).toBe(false)
  cuts.keptShareOf({ slice: 'b', kind: 'customers', pagesLeft: 100 })
  expect(cuts.isLong('customers', 100)).toBe(true)
  cuts.noteOpen(new Map())
  expect(cuts.isLong('customers', 100)).toBe(false)
})
