import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateLimiter } from './rate-limiter.ts'

const budgets = { general: { requests: 9, windowMs: 1_000 }, search: { requests: 3, windowMs: 1_000 } }

describe('the rate limiter', () => {
  it('never lets more than its budget out in any window', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 80 }), (gaps) => {
        let at = 1_000_000
        const limiter = createRateLimiter(budgets, () => new Date(at))
        const sent = gaps.map((gap) => {
          at += gap
          return at + limiter.reserve('1', 'general')
        })
        for (const start of sent) {
          const inWindow = sent.filter((time) => time >= start && time < start + 1_000)
          expect(inWindow.length).toBeLessThanOrEqual(9)
        }
      }),
    )
  })

  it('counts portals and search apart, and holds a paused lane back', () => {
    const limiter = createRateLimiter(budgets, () => new Date(5_000))
    for (let request = 0; request < 3; request++) expect(limiter.reserve('1', 'search')).toBe(0)
    expect(limiter.reserve('1', 'search')).toBe(1_000)
    expect(limiter.reserve('1', 'general')).toBe(0)
    expect(limiter.reserve('2', 'search')).toBe(0)
    limiter.pause('2', 'general', 700)
    expect(limiter.reserve('2', 'general')).toBe(700)
  })
})
