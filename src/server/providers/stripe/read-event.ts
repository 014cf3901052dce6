import type { ChangedKind, ChangedObject } from '../payments.ts'
import { at, idOrNull, instantOrNull, textOrNull } from './from-stripe/read-fields.ts'

const kindOfObject: Readonly<Record<string, ChangedKind>> = {
  customer: 'customers',
  subscription: 'subscriptions',
  product: 'products',
  price: 'prices',
  coupon: 'coupons',
  invoice: 'invoices',
  invoice_payment: 'invoice_payments',
}

/**
 * The objects that an event names by their ids. Nothing else of them is read: they are rendered in the API version that
 * was in force when it happened. An object that Stripe made, such as a preview of an invoice, may have no id.
 */
export function objectsOfEvent(event: unknown): ChangedObject[] {
  const object = at(event, 'data', 'object')
  const type = textOrNull(at(event)['type']) ?? ''
  const name = textOrNull(object['object']) ?? ''
  // A discount cannot be fetched by its id; it shows on its owner.
  if (name === 'discount')
    return [...named('customers', object['customer']), ...named('subscriptions', object['subscription'])]
  // Cards and other ways to pay show on the customer and on what it subscribed to. Once detached they name no customer.
  if (/^(?:payment_method|customer\.source)\./.test(type))
    return named('payers', object['customer'] ?? at(event, 'data', 'previous_attributes')['customer'])
  const kind = kindOfObject[name]
  if (!kind) return []
  // What is called deleted of a subscription is that it ended.
  const isGone = type.endsWith('.deleted') && kind !== 'subscriptions'
  // No list shows what is tied to a test clock, so that it has to be asked for by its id.
  const createdAt = idOrNull(object['test_clock']) === null ? instantOrNull(object['created']) : null
  return named(kind, object, { createdAt, isGone })
}

function named(
  kind: ChangedObject['kind'],
  value: unknown,
  more: Pick<ChangedObject, 'createdAt' | 'isGone'> = { createdAt: null, isGone: false },
): ChangedObject[] {
  const id = idOrNull(value)
  return id === null ? [] : [{ kind, id, ...more }]
}
