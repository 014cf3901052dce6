import { joinValues } from '#domain/value-list.ts'
import { paths } from '../paths.ts'

/** Filters of the list of events, under the names of its address; null and empty ones are left out. */
type EventsFilter = Partial<
  Record<'mrrStatus' | 'from' | 'to' | 'product' | 'currency' | 'interval', string | null>
>

/** The address of the events behind a figure. */
export function eventsAddress(filter: EventsFilter): string {
  const product = filter.product ? joinValues([filter.product]) : null
  const given = Object.entries({ ...filter, product }).filter(([, value]) => value !== null && value !== '')
  return given.length === 0
    ? paths.events
    : `${paths.events}?${new URLSearchParams(given as [string, string][])}`
}
