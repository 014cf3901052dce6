import { joinValues } from '#domain/value-list.ts'
import { paths } from '../paths.ts'

/** Filters of the list of events, under the names of its address; null and empty ones are left out. */
type EventsFilter = Partial<
  Record<'mrrStatus' | 'from' | 'to' | 'product' | 'plan' | 'size' | 'currency' | 'interval', string | null>
>

/** The address of the events behind a figure. */
export function eventsAddress(filter: EventsFilter): string {
  const single = (value: string | null | undefined) => (value ? joinValues([value]) : null)
  const texts = { product: single(filter.product), plan: single(filter.plan) }
  const given = Object.entries({ ...filter, ...texts }).filter(([, value]) => value !== null && value !== '')
  return given.length === 0
    ? paths.events
    : `${paths.events}?${new URLSearchParams(given as [string, string][])}`
}
