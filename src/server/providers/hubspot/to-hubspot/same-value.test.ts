import { describe, expect, it } from 'vitest'
import { isSameValue } from './same-value.ts'

describe('a value as HubSpot gives it back', () => {
  it.each([
    ['25', '25.00'],
    ['-0.5', '-0.50'],
    ['1.25E7', '12500000.00'],
    ['2026-10-01T00:00:00Z', '2026-10-01T00:00:00.000Z'],
    ['1790812800000', '2026-10-01T00:00:00Z'],
    ['2026-10-01', '2026-10-01T00:00:00Z'],
    ['Acme', 'Acme '],
    ['', ' '],
  ])('%j is %j', (theirs, ours) => {
    expect(isSameValue(theirs, ours)).toBe(true)
  })

  it.each([
    ['25.01', '25.00'],
    ['', '0'],
    ['Acme', 'acme'],
    ['Plan 1', 'Plan 2'],
    ['2026-10-01', '2026-10-02'],
    ['1.2.3', '1.2'],
    ['May 1', 'May 01'],
  ])('%j is not %j', (theirs, ours) => {
    expect(isSameValue(theirs, ours)).toBe(false)
  })
})
