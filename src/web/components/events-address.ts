import { paths } from '../paths.ts'

/** Filters of the list of events, as texts of its address; null and empty ones are left out. */
export type EventsFilter = Partial<
  Record<
    | ('mrrStatus' | 'from' | 'to' | 'product' | 'plan' | 'size' | 'currency' | 'interval')
    | ('firstPaidFrom' | 'firstPaidTo' | 'customersPay'),
    string | null
  >
>

/** The address of the events behind a figure. */
export function eventsAddress(filter: EventsFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== null && value !== '')
  return given.length === 0
    ? paths.events
    : `${paths.events}?${new URLSearchParams(given as [string, string][])}`
}
