import type { EventRow } from '#server/store/ledger/events.ts'

/** An event of which only id, customer and kind matter. */
export function eventOf(event: Pick<EventRow, 'id' | 'customerId' | 'mrrStatus'>): EventRow {
  const amounts = { previousMrrCents: 0, currentMrrCents: 1, mrrChangeCents: 1, reportingChangeCents: 1 }
  const texts = {
    productName: null,
    paymentMethod: null,
    receipt: null,
    currency: 'usd',
    invoiceId: null,
    reportingRate: null,
  }
  const counts = { previousQuantity: 0, currentQuantity: 1, position: 0, occurredAt: 1 }
  return {
    ...event,
    ...amounts,
    ...texts,
    ...counts,
    subscriptionId: 'sub_1',
    changeType: 'new_subscription',
  }
}
