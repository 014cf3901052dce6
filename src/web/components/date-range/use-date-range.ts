import { useSearchParams } from 'react-router'
import {
  type DayRange,
  daysOfRange,
  periodBefore,
  type RangeChoice,
  type RangeName,
  type RangeText,
  readRange,
} from '#domain/date-range.ts'
import { dayOfDate } from '#domain/instant.ts'
import { useClock } from '../../ui/clock.ts'

export type DateRangeControls = {
  /** What is shown: the range of the address, or the fallback when the address names an impossible one. */
  choice: RangeChoice
  days: DayRange
  /** The period before, of the same length; null when there is none. */
  before: { from: string; to: string } | null
  /** Whether the person wants the comparison and there is one. */
  isCompared: boolean
  /** Says why the address names no range; null when it does. */
  problem: string | null
  /** The texts of the address, so that an impossible one can be corrected. */
  text: RangeText
  /** The query of this screen with another range. */
  queryOf: (choice: RangeChoice) => string
  /** Puts two days into the address as they were typed. */
  showDays: (from: string, to: string) => void
  compare: (isWanted: boolean) => void
  /** Takes the range out of the address. */
  forget: () => void
}

/** Keeps a date range in the address, so that it survives a reload, Back and a shared link. */
export function useDateRange(fallback: RangeName): DateRangeControls {
  const [params, setParams] = useSearchParams()
  const now = useClock()
  const today = dayOfDate(now())
  const text = { range: params.get('range'), from: params.get('from'), to: params.get('to') }
  const read = readRange(text, fallback)
  const choice = read.choice ?? { name: fallback }
  const before = periodBefore(choice, today)
  const changed = (entries: Record<string, string | null>): URLSearchParams => {
    const next = new URLSearchParams(params)
    next.delete('page')
    for (const [name, value] of Object.entries(entries)) {
      if (value === null) next.delete(name)
      else next.set(name, value)
    }
    return next
  }
  const named = (next: RangeChoice) =>
    next.name === 'custom'
      ? { range: null, from: next.from, to: next.to }
      : { range: next.name === fallback ? null : next.name, from: null, to: null }
  return {
    choice,
    days: daysOfRange(choice, today),
    before,
    isCompared: before !== null && params.has('compare'),
    problem: read.problem,
    text,
    queryOf: (next) => `?${changed(named(next))}`,
    showDays: (from, to) => setParams(changed({ range: null, from, to }), { preventScrollReset: true }),
    compare: (isWanted) =>
      setParams(changed({ compare: isWanted ? 'before' : null }), {
        replace: true,
        preventScrollReset: true,
      }),
    forget: () =>
      setParams(changed({ range: null, from: null, to: null }), { replace: true, preventScrollReset: true }),
  }
}
