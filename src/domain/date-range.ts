import { dayOfInstant, type Instant, isInstant } from './instant.ts'

/** A calendar day in UTC as 'YYYY-MM-DD'; text order is time order. */
export type Day = string

/** UTC days, both included. Null means without a limit. */
export type DayRange = { from: Day | null; to: Day | null }

export const rangeNames = ['30d', '90d', '12m', 'ytd', 'all'] as const
export type RangeName = (typeof rangeNames)[number]

/** Chosen days have a first or a last one, or both. */
export type RangeChoice = { name: RangeName } | ({ name: 'custom' } & DayRange)

/** The parts of an address that name a range, as they stand there. */
export type RangeText = { range: string | null; from: string | null; to: string | null }

const daySeconds = 86_400
/** The days that can be asked for, both included. */
const firstDay: Day = '1970-01-01'
const lastDay: Day = '2199-12-31'

function startOf(day: Day): Instant {
  return Date.parse(`${day}T00:00:00Z`) / 1000
}

/** The day that is some days after another, or before it when the number is negative. */
export function addDays(day: Day, days: number): Day {
  return dayOfInstant(startOf(day) + days * daySeconds)
}

/** Whether a text is a day of the calendar, from 1970 to 2199. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < firstDay || text > lastDay) return false
  const start = startOf(text)
  return isInstant(start) && dayOfInstant(start) === text
}

/** Reads the range that an address names, or says why it is none. Days win over a name. */
export function readRange(
  { range, from, to }: RangeText,
  fallback: RangeName,
): { choice: RangeChoice; problem: null } | { choice: null; problem: string } {
  const failed = (problem: string) => ({ choice: null, problem })
  if (from !== null || to !== null) {
    const wrong = [from ?? '', to ?? ''].find((text) => text !== '' && !isDay(text))
    if (wrong !== undefined)
      return failed(`'${wrong.slice(0, 40)}' is not a day. Write days like 2026-01-31, from 1970 to 2199.`)
    if (!from && !to) return failed('A date range needs a first or a last day.')
    if (from && to && from > to) return failed(`The date range starts on ${from}, after it ends on ${to}.`)
    return { choice: { name: 'custom', from: from || null, to: to || null }, problem: null }
  }
  const name = rangeNames.find((one) => one === (range ?? fallback))
  if (name === undefined) return failed(`There is no date range '${range?.slice(0, 40)}'.`)
  return { choice: { name }, problem: null }
}

/** The days of a range. '12m' is the running month and the eleven before it, so that months are whole. */
export function daysOfRange(choice: RangeChoice, today: Day): DayRange {
  switch (choice.name) {
    case '30d':
      return { from: addDays(today, -29), to: today }
    case '90d':
      return { from: addDays(today, -89), to: today }
    case '12m':
      return { from: addMonths(`${today.slice(0, 7)}-01`, -11), to: today }
    case 'ytd':
      return { from: `${today.slice(0, 4)}-01-01`, to: today }
    case 'all':
      return { from: null, to: null }
    case 'custom':
      return { from: choice.from, to: choice.to }
  }
}

/**
 * The period before: the year to date a year earlier, 12 months and own days from the 1st of a month as many months
 * earlier, else as many days right before. Null without such days.
 */
export function periodBefore(choice: RangeChoice, today: Day): { from: Day; to: Day } | null {
  const { from, to } = daysOfRange(choice, today)
  if (from === null || to === null) return null
  const before = shifted(choice, from, to)
  return isDay(before.from) ? before : null
}

function shifted(choice: RangeChoice, from: Day, to: Day): { from: Day; to: Day } {
  if (choice.name === 'ytd') return { from: addMonths(from, -12), to: addMonths(to, -12) }
  if (from.endsWith('-01') && choice.name !== '30d' && choice.name !== '90d') {
    const months = monthNumber(to) - monthNumber(from) + 1
    return { from: addMonths(from, -months), to: addMonths(to, -months) }
  }
  const length = (startOf(to) - startOf(from)) / daySeconds + 1
  return { from: addDays(from, -length), to: addDays(from, -1) }
}

function monthNumber(day: Day): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

/** The same day of another month. A month's last day stays one, and a day that a month lacks becomes its last. */
export function addMonths(day: Day, months: number): Day {
  const number = monthNumber(day) + months
  const last = lastDayOfMonth(number)
  const isLast = dayOfMonth(day) === lastDayOfMonth(monthNumber(day))
  return dayOf(number, isLast ? last : Math.min(dayOfMonth(day), last))
}

function dayOfMonth(day: Day): number {
  return Number(day.slice(8))
}

function lastDayOfMonth(number: number): number {
  return new Date(Date.UTC(Math.floor(number / 12), (number % 12) + 1, 0)).getUTCDate()
}

function dayOf(monthsSinceZero: number, dayInMonth: number): Day {
  const year = String(Math.floor(monthsSinceZero / 12)).padStart(4, '0')
  const month = String((monthsSinceZero % 12) + 1).padStart(2, '0')
  return `${year}-${month}-${String(dayInMonth).padStart(2, '0')}`
}
