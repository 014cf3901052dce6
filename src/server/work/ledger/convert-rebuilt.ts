import { type Conversion, convertSubscription } from '#domain/reporting/conversion.ts'
import type { EventRow } from '../../store/ledger/events.ts'
import type { SubscriptionFigures } from '../../store/ledger/subscription-figures.ts'
import type { CountedCustomer } from './rebuild-one.ts'

/** What the rebuild of a customer writes. */
export type RebuiltCustomer = Omit<CountedCustomer, 'events' | 'figures'> & {
  events: EventRow[]
  figures: SubscriptionFigures[]
}

/** Adds to a customer's events and figures what they are in the reporting currency. */
export function convertRebuilt(conversion: Conversion, customer: CountedCustomer): RebuiltCustomer {
  const eventsOf = Map.groupBy(customer.events, ({ subscriptionId }) => subscriptionId)
  const changeOf = new Map<string, number | null>()
  const figures = customer.figures.map(({ currency, ...figure }): SubscriptionFigures => {
    const own = eventsOf.get(figure.id) ?? []
    const { changes, mrr } = convertSubscription(conversion, { ...figure, currency }, own)
    own.forEach(({ id }, index) => void changeOf.set(id, changes[index]?.cents ?? null))
    return { ...figure, reportingMrrCents: mrr.cents }
  })
  const events = customer.events.map((event) => ({
    ...event,
    reportingChangeCents: changeOf.get(event.id) ?? null,
  }))
  return { ...customer, events, figures }
}
