import type { PaymentProduct } from '#domain/payments.ts'
import { at, idOf, instantOrNull, nameOrNull } from './read-fields.ts'

/** A product; without a name, its id is the name. Throws UnreadableObject without an id. */
export function toProduct(value: unknown): PaymentProduct {
  const product = at(value)
  const id = idOf(value)
  return {
    id,
    name: nameOrNull(product['name']) ?? id,
    isActive: product['active'] !== false && product['deleted'] !== true,
    createdAt: instantOrNull(product['created']) ?? 0,
  }
}
