import { type Conversion, type Converted, convertSubscription } from '#domain/reporting/conversion.ts'
import type { EventRow } from '../../store/ledger/events.ts'
import type { SubscriptionFigures } from '../../store/ledger/subscription-figures.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import type { Reporting } from '../../store/reporting/reporting.ts'
import { conversionFor } from './conversion-for.ts'
import type { CountedCustomer } from './rebuild-one.ts'

/** What the rebuild of a customer writes. */
export type RebuiltCustomer = Omit<CountedCustomer, 'events' | 'figures'> & {
  events: EventRow[]
  figures: SubscriptionFigures[]
}

/** Adds to the events and figures of customers what they are in the reporting currency. */
export async function convertRebuilt(
  tenant: Tenant,
  customers: readonly CountedCustomer[],
  reporting: Reporting,
  now: Date,
): Promise<RebuiltCustomer[]> {
  const subscriptions = customers.flatMap(({ figures, events }) => {
    const eventsOf = Map.groupBy(events, ({ subscriptionId }) => subscriptionId)
    return figures.map(({ id, currency }) => ({ currency, events: eventsOf.get(id) ?? [] }))
  })
  const conversion = await conversionFor(tenant, reporting, subscriptions, now)
  return customers.map((customer) => convertOne(conversion, customer))
}

const none: Converted = { cents: null, rate: null }

function convertOne(conversion: Conversion, customer: CountedCustomer): RebuiltCustomer {
  const eventsOf = Map.groupBy(customer.events, ({ subscriptionId }) => subscriptionId)
  const changeOf = new Map<string, Converted>()
  const figures = customer.figures.map(({ currency, ...figure }): SubscriptionFigures => {
    const own = eventsOf.get(figure.id) ?? []
    const { changes, mrr } = convertSubscription(conversion, { ...figure, currency }, own)
    own.forEach(({ id }, index) => void changeOf.set(id, changes[index] ?? none))
    return { ...figure, reportingMrrCents: mrr.cents, reportingRate: mrr.rate }
  })
  const events = customer.events.map((event) => {
    const { cents, rate } = changeOf.get(event.id) ?? none
    return { ...event, reportingChangeCents: cents, reportingRate: rate }
  })
  return { ...customer, events, figures }
}
