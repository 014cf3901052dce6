/**
 * The payment provider's objects with the fields that the MRR rules, receipts and screens read. Amounts are integers in
 * minor units, except names that end in `Decimal`, which are exact decimal texts of minor units. Instants are Unix
 * seconds.
 */
import type { Instant } from './instant.ts'

export type PaymentMethodLabel = { type: string; brand: string | null; last4: string | null }

export type PaymentCustomer = {
  id: string
  createdAt: Instant
  name: string | null
  email: string | null
  isDeleted: boolean
  /** The provider's account that represents the customer; null if there is none. */
  customerAccount: string | null
  paymentMethod: PaymentMethodLabel | null
  /** Whether name or email were redacted, so that we must not keep a copy of either; this flag is not stored. */
  isRedacted?: boolean
  /** Discounts for subscriptions without one of their own; absent if there is none. */
  discounts?: PaymentDiscount[]
}

export type PaymentProduct = { id: string; name: string; isActive: boolean; createdAt: Instant }

export type BillingInterval = 'day' | 'week' | 'month' | 'year'

export type PriceTier = {
  /** Inclusive upper bound; null for the last tier. */
  upTo: number | null
  unitAmountDecimal: string | null
  flatAmountDecimal: string | null
}

export type PaymentPrice = {
  id: string
  productId: string | null
  createdAt: Instant
  currency: string
  /** null for a one-time price. Unknown intervals are kept unchanged. */
  interval: BillingInterval | (string & {}) | null
  intervalCount: number
  usageType: 'licensed' | 'metered' | (string & {})
  billingScheme: 'per_unit' | 'tiered' | (string & {})
  unitAmountDecimal: string | null
  tiersMode: 'graduated' | 'volume' | (string & {}) | null
  tiers: PriceTier[] | null
  transformQuantity: { divideBy: number; round: 'up' | 'down' | (string & {}) } | null
  taxBehavior: 'inclusive' | 'exclusive' | 'unspecified' | (string & {}) | null
  /** Its amounts in other currencies, by lower-case code; absent if it has none or the answer left them out. */
  currencyOptions?: Record<string, PriceAmounts>
}

/** What a price charges in one currency. */
export type PriceAmounts = Pick<PaymentPrice, 'unitAmountDecimal' | 'tiers'>

export type PaymentCoupon = {
  id: string
  /** What people call it; absent if it has no name. */
  name?: string
  percentOff: number | null
  amountOffCents: number | null
  currency: string | null
  /** Its amount off in other currencies, by lower-case code; absent if it has none. */
  currencyOptions?: Record<string, number>
  duration: 'once' | 'repeating' | 'forever' | (string & {})
  durationInMonths: number | null
  /** null: the coupon applies to every product. */
  appliesToProductIds: string[] | null
}

/** A discount in force on a subscription, an item or an invoice. */
export type PaymentDiscount = {
  id: string
  coupon: PaymentCoupon | null
  couponId: string | null
  startedAt: Instant | null
  endsAt: Instant | null
  /** What it was given to; absent if nothing says so. */
  holder?: DiscountHolder
}

export type DiscountHolder = 'item' | 'subscription' | 'invoice' | 'customer'

export type SubscriptionItem = {
  id: string
  priceId: string
  /** The price embedded in the item; its tiers come from the price list. */
  price: PaymentPrice
  /** null for metered prices. */
  quantity: number | null
  createdAt: Instant
  periodStart: Instant
  periodEnd: Instant
  discounts: PaymentDiscount[]
}

export type PaymentSubscription = {
  id: string
  customerId: string
  /** One of the provider's eight statuses, or one that it adds later. */
  status: string
  currency: string
  createdAt: Instant
  startedAt: Instant
  trialStart: Instant | null
  trialEnd: Instant | null
  cancelAtPeriodEnd: boolean
  cancelAt: Instant | null
  /** When the cancellation was requested. */
  canceledAt: Instant | null
  /** When the subscription actually ended. */
  endedAt: Instant | null
  /** Why it ends or ended, in the provider's word; absent if the provider does not say. */
  endReason?: string
  /** What the customer chose as the reason, in the provider's word; absent without one. */
  endFeedback?: string
  pauseCollection: string | null
  collectionMethod: string
  items: SubscriptionItem[]
  discounts: PaymentDiscount[]
  paymentMethod: PaymentMethodLabel | null
  /** When the status became 'paused'; null or absent if the provider does not say. */
  pausedAt?: Instant | null
  /** The day that sets its billing days; after its start if the first period is short or not billed. */
  anchorAt?: Instant | null
  /** Since when its items may differ in their intervals, null for never; absent if the provider does not say. */
  mixesIntervalsSince?: Instant | null
  /** While a change waits for payment: the latest invoice, which bills the change. Otherwise absent. */
  pendingInvoiceId?: string | null
  /** What we could not read of the subscription, if it matters for revenue. */
  problem?: string
  /** The provider's account that represents its customer; absent if there is none. */
  customerAccount?: string
  /** True if it belongs to a test clock, which has its own time; otherwise absent. */
  isOnTestClock?: true
  /** A lower bound for that clock's time when the subscription was read; not stored. */
  clockAt?: Instant
}

export type InvoiceLine = {
  id: string
  subscriptionId: string | null
  subscriptionItemId: string | null
  priceId: string | null
  productId: string | null
  /** Minor units, negative for credits; before discounts, including inclusive tax. */
  amountCents: number
  quantity: number | null
  unitAmountDecimal: string | null
  periodStart: Instant
  periodEnd: Instant
  isProration: boolean
  /** Sum of `discount_amounts` on the line. */
  discountCents: number
  /** The single discounts of the line, by discount id. */
  discounts: { id: string; amountCents: number }[]
  /** Sum of the inclusive taxes of the line. */
  inclusiveTaxCents: number
  isDiscountable: boolean
  /** True for a proration that gives money back for unused time, also where it is worth 0. */
  isCredit?: boolean
  /** The embedded price on lines of the older format; absent if only its id is given. */
  price?: PaymentPrice
  /** True if a recurring subscription item produced the line, false for one-off invoice items. */
  isSubscriptionItem: boolean
  description: string | null
  /**
   * Replaces all lines of an invoice that came without a list of lines; belongs to its subscription or, without one, to
   * all of its customer's.
   */
  standsForAll?: boolean
  /**
   * The provider's name for what bills the line, if that is no item of a subscription or invoice, or its pricing is no
   * price; otherwise absent. Such a line is not counted.
   */
  billedBy?: string
  /** What we could not read of the line, if it matters for revenue. */
  problem?: string
}

/** The fields of an invoice from which revenue is rebuilt. */
export type PaymentInvoice = {
  id: string
  customerId: string | null
  subscriptionId: string | null
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void' | (string & {}) | null
  currency: string
  createdAt: Instant
  finalizedAt: Instant | null
  /** Discounts of the whole invoice, as summed by the provider. */
  totalDiscountCents: number
  /** Discount objects that came expanded with the invoice or its lines, with coupons; absent if none did. */
  discounts?: PaymentDiscount[]
  /** When the provider stopped trying to collect it. */
  uncollectibleAt?: Instant | null
  lines: InvoiceLine[]
}

/** An invoice with the fields that we display, or that replace a customer unknown to the provider by now. */
export type ImportedInvoice = PaymentInvoice & {
  billingReason: string | null
  /** The provider's account that represents its customer; null if there is none. */
  customerAccount: string | null
  customerName: string | null
  customerEmail: string | null
  number: string | null
  /** Whether that name or address was redacted, so that we must not keep a copy of either; this flag is not stored. */
  isRedacted?: boolean
}

/** How one invoice was paid, for the Payment Method column. */
export type InvoicePayment = {
  id: string
  invoiceId: string
  createdAt: Instant
  paymentMethod: PaymentMethodLabel | null
}
