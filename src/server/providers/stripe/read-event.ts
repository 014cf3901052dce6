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
 * The ids of the objects that an event names. Nothing else is read, because the objects have the form of the API
 * version at that time. Some objects, such as previews of invoices, have no id.
 */
export function objectsOfEvent(event: unknown): ChangedObject[] {
  const object = at(event, 'data', 'object')
  const type = textOrNull(at(event)['type']) ?? ''
  const name = textOrNull(object['object']) ?? ''
  // A discount cannot be fetched by id, so its owner is fetched.
  if (name === 'discount')
    return [...named('customers', object['customer']), ...named('subscriptions', object['subscription'])]
  // Payment methods are stored on the customer and its subscriptions. A detached one no longer names its customer.
  if (/^(?:payment_method|customer\.source)\./.test(type))
    return named('payers', object['customer'] ?? at(event, 'data', 'previous_attributes')['customer'])
  const kind = kindOfObject[name]
  if (!kind) return []
  // For a subscription, `deleted` means that it ended.
  const isGone = type.endsWith('.deleted') && kind !== 'subscriptions'
  // No list contains objects of test clocks, so they are fetched by id.
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
