import type { MrrEvent } from '../../event.ts'
import { isoOfInstant } from '../../instant.ts'
import type { PaymentProduct, PaymentSubscription } from '../../payments.ts'
import type { SubscriptionState } from '../timeline/subscription-state.ts'
import type { Judged } from './new-or-returning.ts'
import type { PlannedCancellation } from './planned-cancellation.ts'
import { mainItemOf } from './subscription-mrr.ts'

type Products = ReadonlyMap<string, PaymentProduct>

/**
 * Turns a change of MRR into an event. Its id comes from the first evidence: an invoice's instant, an observation or the
 * end.
 */
export function changeEvent(judged: Judged, customerId: string, products: Products): MrrEvent {
  const { change, mrrStatus, changeType } = judged
  const { subscription, previous, current } = change
  const cause = current.cause === 'end' ? 'end' : isoOfInstant(current.at)
  return {
    id: `${current.observationId ?? `${subscription.id}:${cause}`}:change`,
    subscriptionId: subscription.id,
    customerId,
    invoiceId: current.invoiceId,
    occurredAt: current.at,
    mrrStatus,
    changeType,
    previousMrrCents: previous.mrrCents,
    currentMrrCents: current.mrrCents,
    mrrChangeCents: current.mrrCents - previous.mrrCents,
    previousQuantity: change.kind === 'first' ? 0 : previous.quantity,
    currentQuantity: current.quantity,
    currency: subscription.currency,
    productName: productNameOf(current.items.length > 0 ? current : previous, products),
  }
}

/** The event of a requested cancellation, which changes no MRR (R30). Its id names the instant of the request. */
export function plannedEvent(
  subscription: PaymentSubscription,
  { at, state }: PlannedCancellation,
  customerId: string,
  products: Products,
): MrrEvent {
  return {
    id: `${subscription.id}:${isoOfInstant(at)}:planned-cancellation`,
    subscriptionId: subscription.id,
    customerId,
    invoiceId: null,
    occurredAt: at,
    mrrStatus: 'Planned_Cancellation',
    changeType: 'cancellation',
    previousMrrCents: state.mrrCents,
    currentMrrCents: state.mrrCents,
    mrrChangeCents: 0,
    previousQuantity: state.quantity,
    currentQuantity: state.quantity,
    currency: subscription.currency,
    productName: productNameOf(state, products),
  }
}

function productNameOf(state: SubscriptionState, products: Products): string | null {
  const productId = mainItemOf(state.items, products)?.productId
  return (productId == null ? undefined : products.get(productId)?.name) ?? null
}
