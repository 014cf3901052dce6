/**
 * What is kept of the payment provider's objects: the fields that the MRR rules, the receipts and the screens read.
 * Amounts are integers in minor units of the currency unless a name ends in `Decimal`, which is an exact decimal
 * text of minor units. Instants are Unix seconds.
 */
import type { Instant } from './instant.ts'

export type PaymentMethodLabel = { type: string; brand: string | null; last4: string | null }

export type PaymentCustomer = {
  id: string
  createdAt: Instant
  name: string | null
  email: string | null
  isDeleted: boolean
  /** The account of the provider that stands for the customer; null where none does. */
  customerAccount: string | null
  paymentMethod: PaymentMethodLabel | null
  /** Whether name or e-mail were redacted, so that no copy of either is to be kept; not kept itself. */
  isRedacted?: boolean
  /** Discounts that hold for subscriptions without one of their own; absent where there is none. */
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
  /** null for a one-time price. Unknown intervals survive as they are. */
  interval: BillingInterval | (string & {}) | null
  intervalCount: number
  usageType: 'licensed' | 'metered' | (string & {})
  billingScheme: 'per_unit' | 'tiered' | (string & {})
  unitAmountDecimal: string | null
  tiersMode: 'graduated' | 'volume' | (string & {}) | null
  tiers: PriceTier[] | null
  transformQuantity: { divideBy: number; round: 'up' | 'down' | (string & {}) } | null
  taxBehavior: 'inclusive' | 'exclusive' | 'unspecified' | (string & {}) | null
  /** Its amounts in other currencies, by lower-case code; absent where it has none or they did not come along. */
  currencyOptions?: Record<string, PriceAmounts>
}

/** What a price asks in one currency. */
export type PriceAmounts = Pick<PaymentPrice, 'unitAmountDecimal' | 'tiers'>

export type PaymentCoupon = {
  id: string
  percentOff: number | null
  amountOffCents: number | null
  currency: string | null
  /** Its amount off in other currencies, by lower-case code; absent where it has none. */
  currencyOptions?: Record<string, number>
  duration: 'once' | 'repeating' | 'forever' | (string & {})
  durationInMonths: number | null
  /** null: applies to every product. */
  appliesToProductIds: string[] | null
}

/** A discount in force on a subscription, an item or an invoice. */
export type PaymentDiscount = {
  id: string
  coupon: PaymentCoupon | null
  couponId: string | null
  startedAt: Instant | null
  endsAt: Instant | null
}

export type SubscriptionItem = {
  id: string
  priceId: string
  /** The price as embedded in the item; tiers are joined from the price list. */
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
  /** The eight statuses of the provider, or one it adds later. */
  status: string
  currency: string
  createdAt: Instant
  startedAt: Instant
  trialStart: Instant | null
  trialEnd: Instant | null
  cancelAtPeriodEnd: boolean
  cancelAt: Instant | null
  /** When the cancellation was asked for. */
  canceledAt: Instant | null
  /** When the subscription really ended. */
  endedAt: Instant | null
  pauseCollection: string | null
  collectionMethod: string
  items: SubscriptionItem[]
  discounts: PaymentDiscount[]
  paymentMethod: PaymentMethodLabel | null
  /** When the status became 'paused'; null or absent where the provider does not say. */
  pausedAt?: Instant | null
  /** The day that its billing days follow; after its start where its first period is short or not billed. */
  anchorAt?: Instant | null
  /** While a change waits for its payment: the latest invoice then, which bills it. Absent where none waits. */
  pendingInvoiceId?: string | null
  /** What could not be read of the subscription, where it matters for revenue. */
  problem?: string
  /** The account of the provider that stands for its customer; absent where none does. */
  customerAccount?: string
  /** True where it is tied to a test clock, whose times are its own; absent for all others. */
  isOnTestClock?: true
  /** How far that clock was, at least, when it was read; not kept. */
  clockAt?: Instant
}

export type InvoiceLine = {
  id: string
  subscriptionId: string | null
  subscriptionItemId: string | null
  priceId: string | null
  productId: string | null
  /** Minor units, negative for credits; before discounts, with inclusive tax in it. */
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
  /** The price as embedded in lines of the older shape; absent where only its id is given. */
  price?: PaymentPrice
  /** True where the line has a recurring subscription item behind it, false for one-off invoice items. */
  isSubscriptionItem: boolean
  description: string | null
  /** In place of all lines of an invoice that came without any list; of its subscription, else of all of its customer. */
  standsForAll?: boolean
  /**
   * What bills it, as the provider calls that, where it is no item of a subscription or invoice, or its pricing no price;
   * absent for all others. It is not counted.
   */
  billedBy?: string
  /** What could not be read of the line, where it matters for revenue. */
  problem?: string
}

/** What revenue is rebuilt from of an invoice. */
export type PaymentInvoice = {
  id: string
  customerId: string | null
  subscriptionId: string | null
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void' | (string & {}) | null
  currency: string
  createdAt: Instant
  finalizedAt: Instant | null
  /** Discounts of the whole invoice, as the provider sums them. */
  totalDiscountCents: number
  /** Discount objects that came expanded with the invoice or its lines, coupons joined; absent when none did. */
  discounts?: PaymentDiscount[]
  /** When the provider gave up collecting it. */
  uncollectibleAt?: Instant | null
  lines: InvoiceLine[]
}

/** An invoice with what is shown of it, or stands in for a customer that nobody knows any more. */
export type ImportedInvoice = PaymentInvoice & {
  billingReason: string | null
  /** The account of the provider that stands for its customer; null where none does. */
  customerAccount: string | null
  customerName: string | null
  customerEmail: string | null
  number: string | null
  /** Whether that name or address was redacted, so that no copy of either is to be kept; not kept itself. */
  isRedacted?: boolean
}

/** How one invoice was paid, for the Payment Method column. */
export type InvoicePayment = {
  id: string
  invoiceId: string
  createdAt: Instant
  paymentMethod: PaymentMethodLabel | null
}
