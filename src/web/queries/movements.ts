import { keepPreviousData } from '@tanstack/react-query'
import { getMrrMovements } from '#contract/mrr.ts'
import { type DayRange, daysOfRange } from '#domain/date-range.ts'
import { dayOfDate } from '#domain/instant.ts'
import type { MovementInterval } from '#domain/movement.ts'
import { useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'

/** The input of the call that reads the movements of some days. */
export function movementsOf({ from, to }: DayRange, interval?: MovementInterval) {
  return { query: { from: from ?? undefined, to: to ?? undefined, interval } }
}

/** The same for the running month and the eleven before it, which the cards of the dashboard compare. */
export function yearOfMovements(now: Date) {
  return movementsOf(daysOfRange({ name: '12m' }, dayOfDate(now)))
}

type ComparedRange = { days: DayRange; before: { from: string; to: string } | null; isCompared: boolean }

/** Reads the movements of a range, and those of the period before where it is compared. */
export function useMovements(range: ComparedRange, interval?: MovementInterval) {
  const options = { staleTime: freshMs.records }
  const movements = useEndpoint(getMrrMovements, movementsOf(range.days, interval), {
    ...options,
    placeholderData: keepPreviousData,
  })
  const asked = range.isCompared && range.before !== null ? movementsOf(range.before, interval) : null
  const { data, error, refetch } = useEndpoint(getMrrMovements, asked, options)
  return {
    movements,
    before: {
      /** Undefined until both answers are of this range: figures of two ranges are never compared. */
      data: movements.isPlaceholderData ? undefined : data,
      /** Why it is not known; null while it may still come. */
      error: data === undefined ? error : null,
      refetch: () => void refetch(),
    },
  }
}
