import { describe, expect, it } from 'vitest'
import { nextHourlyTurn } from '#domain/freshness.ts'
import type { ScheduleName } from './queues.ts'
import { turnAt } from './schedule-turns.ts'

const begin = Date.parse('2026-05-04T00:00:00Z')
const minutes = Array.from({ length: 1440 }, (_, minute) => new Date(begin + minute * 60_000))
const organizations = Array.from({ length: 1_000 }, (_, index) => index + 1)

/** The minutes of a day at which a turn of the organization begins. */
const beginsOf = (name: ScheduleName, id: number) =>
  minutes.filter((at) => turnAt(name, id, at)?.getTime() === at.getTime())

describe('turns of the clock', () => {
  it.each<[ScheduleName, number, number]>([
    ['sweep', 1440, 1_000],
    ['look', 288, 200],
    ['sync', 24, 17],
    ['refresh', 1, 28],
  ])('%s comes %i times a day to each, and at no minute to more than %i of 1,000', (name, times, most) => {
    const begins = organizations.map((id) => beginsOf(name, id).map((at) => at.getTime()))
    expect(new Set(begins.map(({ length }) => length))).toEqual(new Set([times]))
    const counts = new Map<number, number>()
    for (const at of begins.flat()) counts.set(at, (counts.get(at) ?? 0) + 1)
    expect(Math.max(...counts.values())).toBe(most)
  })

  it('of the hour come when people are told that they do', () => {
    for (const id of [1, 7, 60, 119]) {
      for (const now of minutes.slice(0, 130)) {
        const told = nextHourlyTurn(id, now)
        expect(told.getTime() - now.getTime()).toBeGreaterThan(0)
        expect(told.getTime() - now.getTime()).toBeLessThanOrEqual(3_600_000)
        expect(turnAt('sync', id, told)).toEqual(told)
      }
    }
  })

  it('spread the nightly passes over six hours', () => {
    const begins = organizations.flatMap((id) => beginsOf('refresh', id).map((at) => at.getTime() - begin))
    expect([Math.min(...begins), Math.max(...begins) / 3_600_000]).toEqual([0, 5 + 50 / 60])
  })

  it.each<[ScheduleName, number]>([
    ['look', 2],
    ['sync', 5],
    ['refresh', 60],
  ])('a missed turn of %s is made up for within %i minutes', (name, within) => {
    const [first] = beginsOf(name, 7)
    const later = (count: number) => new Date((first?.getTime() ?? 0) + count * 60_000)
    expect(turnAt(name, 7, later(within - 1))).toEqual(first)
    expect(turnAt(name, 7, later(within))).toBeUndefined()
  })
})
