import { dayOfDate, dayOfInstant, type Instant } from '#domain/instant.ts'
import type { Conversion } from '#domain/reporting/conversion.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { loadRates } from '../../store/reporting/rates.ts'
import type { Reporting } from '../../store/reporting/reporting.ts'

/** What a conversion of these subscriptions needs, with the rates of the days of their events and of today. */
export async function conversionFor(
  tenant: Tenant,
  { currency, method, source }: Reporting,
  subscriptions: readonly {
    currency: string
    events: readonly { currency: string; occurredAt: Instant }[]
  }[],
  now: Date,
): Promise<Conversion> {
  const today = dayOfDate(now)
  if (currency === null) return { currency, method, today, rateOf: () => null }
  const wanted = subscriptions.flatMap((one) => [
    { currency: one.currency, day: today },
    ...one.events.map((event) => ({ currency: event.currency, day: dayOfInstant(event.occurredAt) })),
  ])
  const rateOf = await loadRates(tenant, {
    source,
    to: currency,
    wanted: wanted.filter((one) => one.currency !== currency),
  })
  return { currency, method, today, rateOf }
}
