import { describe, expect, it } from 'vitest'
import { advance, type WindowSlice, windowSlice } from './import-slice.ts'

const daySeconds = 86_400
const oldestAt = 1_700_000_000
const top = oldestAt + 400 * daySeconds

const whole = windowSlice('invoices', { from: null, until: null, oldestAt }, 6)
const page = { id: 'in_last', createdAt: top }
const never = () => null
const thirds = (_pagesLeft: number, partsBefore: number) => (partsBefore < 2 ? 1 / 3 : null)

const boundsOf = ({ state }: WindowSlice) => [state.from, state.until]

describe('a window after a page', () => {
  it('goes on from the last object of the page', () => {
    const { slice, older } = advance(whole, page, 100, never)
    expect(slice).toMatchObject({
      cursor: 'in_last',
      isDone: false,
      state: { cursorAt: top, isListed: false },
    })
    expect(boundsOf(slice)).toEqual([null, null])
    expect(older).toEqual([])
  })

  it('is listed to its end after the last page, and keeps its cursor', () => {
    const { slice } = advance(advance(whole, page, 100, never).slice, null, 0, thirds)
    expect(slice).toMatchObject({
      cursor: 'in_last',
      isDone: false,
      state: { cursorAt: top, isListed: true },
    })
  })

  it('is cut into parts that leave no second out and share none', () => {
    const { slice, older } = advance(whole, page, 100, thirds)
    const [second, third] = older
    expect(older).toHaveLength(2)
    expect(slice.state.from).toBeGreaterThan(oldestAt)
    expect(second?.state.until).toBe(slice.state.from)
    expect(third?.state.until).toBe(second?.state.from)
    expect(third?.state).toMatchObject({ from: null, oldestAt, cursorAt: null })
    expect(new Set([slice, ...older].map((one) => one.slice)).size).toBe(3)
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
    expect(advance(windowSlice('invoices', window, 6), page, 100, thirds).older).toEqual([])
  })
})
