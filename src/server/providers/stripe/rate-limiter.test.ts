import { describe, expect, it } from 'vitest'
import { createRateLimiter } from './rate-limiter.ts'

function stage() {
  let at = 0
  const limiter = createRateLimiter(
    () => ({ perSecond: 20, perEndpointPerSecond: 10 }),
    () => new Date(at),
  )
  return {
    limiter,
    pass: (ms: number) => {
      at += ms
    },
    /** When each of so many requests may go out. */
    take: (count: number, endpoint = '/a', account = 'one') =>
      Array.from({ length: count }, () => at + limiter.reserveEndpoint(account, endpoint)),
    takeAny: (count: number) => Array.from({ length: count }, () => at + limiter.reserveAccount('one')),
  }
}

describe('the rate limiter', () => {
  it('never lets more out than an endpoint may have in any second', () => {
    const times = stage().take(100)
    for (const from of times)
      expect(times.filter((time) => time >= from && time < from + 1_000).length).toBeLessThanOrEqual(10)
    expect(times.at(-1)).toBeCloseTo(9_900)
  })

  it('never lets more out than the account may have in any second', () => {
    const times = stage().takeAny(100)
    for (const from of times)
      expect(times.filter((time) => time >= from && time < from + 1_000).length).toBeLessThanOrEqual(20)
  })

  it('does not let the queue of one endpoint hold up another', () => {
    const { take } = stage()
    take(100)
    expect(take(1, '/b')).toEqual([0])
  })

  it('does not let one account hold up another', () => {
    const { take } = stage()
    take(100)
    expect(take(1, '/a', 'two')).toEqual([0])
  })

  it('halves the pace of what was too fast, and recovers by answers', () => {
    const { limiter, take, pass } = stage()
    limiter.slowDown('one', '/a', 'endpoint-rate')
    pass(1_000)
    const [first = 0, second = 0] = take(2)
    expect(second - first).toBe(200)
    for (let answers = 0; answers < 50; answers += 1) limiter.recover('one', '/a')
    pass(10_000)
    const [third = 0, fourth = 0] = take(2)
    expect(fourth - third).toBe(100)
  })
})
