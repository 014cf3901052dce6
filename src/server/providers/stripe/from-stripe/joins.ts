import type { PaymentPrice } from '#domain/payments.ts'
import type { Coupons } from './coupon.ts'

/** Objects that are referred to only by id. */
export type Joins = { coupons: Coupons; prices: ReadonlyMap<string, PaymentPrice> }

export const noJoins: Joins = { coupons: new Map(), prices: new Map() }
