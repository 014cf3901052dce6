import { addDays, type Day } from './date-range.ts'
import { lastDayOf, type Month, monthsBetween } from './month.ts'

/** The kinds of movement, in the order in which they lead from the start to the end of a period. */
export const movements = ['New', 'Reactivation', 'Upgrade', 'Downgrade', 'Churn'] as const
export type Movement = (typeof movements)[number]

/** The sum of one kind: minor units, and how many events it has. */
export type MovementSum = { movement: Movement; change: number; events: number }

/** MRR before a period, what moved it, and MRR after it: start + net + fx = end. */
export type MovementBridge = {
  start: number
  moves: MovementSum[]
  /** The sum of the moves. */
  net: number
  /** What exchange rates moved; undefined where no level is revalued. */
  fx?: number
  end: number
}

export type MovementInterval = 'month' | 'quarter'

/** Sums of the days asked for in one month; month '' is everything before them. */
export type MonthMovement = MovementSum & {
  month: Month | ''
  /** Subscriptions that began to pay, less those that stopped, also where a free month is no Churn. */
  subscriptions: number
}

export type MovementPeriod = MovementBridge & {
  /** 'YYYY-MM' or 'YYYY-Q1'. */
  name: string
  /** The first and last day of it that were asked for. */
  from: Day
  to: Day
  /** Whether today is in it, so that it is not over. */
  isRunning: boolean
  /** Paying subscriptions at its end, less those at its start. */
  paying: number
}

/** Adds up sums by kind, from a start. Every kind is there, also without an event. */
export function bridgeOf(start: number, sums: readonly MovementSum[]): MovementBridge {
  const moves = movements.map((movement) => {
    const own = sums.filter((sum) => sum.movement === movement)
    return { movement, change: sumOf(own, 'change'), events: sumOf(own, 'events') }
  })
  const net = sumOf(moves, 'change')
  return { start, moves, net, end: start + net }
}

function sumOf<K extends string>(rows: readonly Record<K, number>[], name: K): number {
  return rows.reduce((sum, row) => sum + row[name], 0)
}

/** The bridge over a whole range. */
export function bridgeOfRange(rows: readonly MonthMovement[]): MovementBridge {
  const before = rows.filter(({ month }) => month === '')
  return bridgeOf(
    sumOf(before, 'change'),
    rows.filter(({ month }) => month !== ''),
  )
}

/** The months or quarters of a range, each beginning where the one before it ended. */
export function periodsOf(
  rows: readonly MonthMovement[],
  range: { from: Day; to: Day },
  interval: MovementInterval,
  today: Day,
): MovementPeriod[] {
  const nameOf = interval === 'month' ? (month: Month) => month : quarterOf
  const names = Map.groupBy(monthsBetween(range.from.slice(0, 7), range.to.slice(0, 7)), nameOf)
  const byName = Map.groupBy(
    rows.filter(({ month }) => month !== ''),
    ({ month }) => nameOf(month),
  )
  let { start } = bridgeOfRange(rows)
  return [...names].map(([name, months]) => {
    const from = later(`${months[0]}-01`, range.from)
    const to = earlier(lastDayOf(months.at(-1) ?? ''), range.to)
    const own = byName.get(name) ?? []
    const bridge = bridgeOf(start, own)
    start = bridge.end
    const isRunning = from <= today && today <= lastDayOf(months.at(-1) ?? '')
    return { name, from, to, isRunning, paying: sumOf(own, 'subscriptions'), ...bridge }
  })
}

/** Whether days of a period before or after those asked for are missing. The running one may still get its last days. */
export function missingDays({
  name,
  from,
  to,
  isRunning,
}: Pick<MovementPeriod, 'name' | 'from' | 'to' | 'isRunning'>): { atStart: boolean; atEnd: boolean } {
  const isQuarter = name.includes('Q')
  const nameOf = (day: Day) => (isQuarter ? quarterOf(day.slice(0, 7)) : day.slice(0, 7))
  return { atStart: nameOf(addDays(from, -1)) === name, atEnd: !isRunning && nameOf(addDays(to, 1)) === name }
}

/** The names of the months or quarters that some days are in, from the first. */
export function periodNames({ from, to }: { from: Day; to: Day }, interval: MovementInterval): string[] {
  const months = monthsBetween(from.slice(0, 7), to.slice(0, 7))
  return interval === 'month' ? months : [...new Set(months.map(quarterOf))]
}

function quarterOf(month: Month): string {
  return `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5)) / 3)}`
}

function later(one: Day, other: Day): Day {
  return one > other ? one : other
}

function earlier(one: Day, other: Day): Day {
  return one < other ? one : other
}
