import type { Day, DayRange } from '#domain/date-range.ts'
import { Refusal } from '../refusal.ts'

export type AskedDays = { from?: Day | undefined; to?: Day | undefined }

/** The days that a call asks for. Refuses a range that ends before it starts. */
export function askedDays({ from, to }: AskedDays): DayRange {
  if (from !== undefined && to !== undefined && from > to)
    throw new Refusal('invalid_request', `from: is ${from}, after the last day, ${to}.`)
  return { from: from ?? null, to: to ?? null }
}
