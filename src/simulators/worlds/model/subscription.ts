import type { Random } from '../numbers/random.ts'
import type { Fraction } from '../numbers/rational.ts'
import type { Coupon, Price, TaxRate } from './offer.ts'
import type { WorldObject } from './stripe-object.ts'

export type Discount = {
  id: string
  coupon: Coupon
  customer: string
  subscription: string | null
  item: string | null
  start: number
  end: number | null
  /** A `once` discount is spent by the first invoice that carries it. */
  spent: boolean
}

/**
 * The last charge in advance for an item, one part for each line: a flexible credit returns part of exactly this
 * amount.
 */
export type Debit = {
  invoice: string
  billedAt: number
  /** Whether that invoice has become final. */
  shown: boolean
  parts: DebitPart[]
  start: number
  end: number
}

export type DebitPart = {
  line: string
  quantity: number
  listed: DraftLine['listed']
  grossCents: number
  discounts: DraftLine['discounts']
}

export type Item = {
  id: string
  subscription: string
  price: Price
  /** null for metered prices. */
  quantity: number | null
  created: number
  anchor: number
  periodIndex: number
  periodStart: number
  periodEnd: number
  discounts: Discount[]
  debit: Debit | null
  /** Whether the item has a change that no final invoice shows. */
  unshown: boolean
}

export type Customer = {
  id: string
  /** The story it plays, to explain a difference that a test finds. */
  story: string
  name: string | null
  email: string | null
  country: string
  currency: string
  created: number
  balanceCents: number
  delinquent: boolean
  deletedAt: number | null
  discount: Discount | null
  paymentMethod: WorldObject | null
  invoicePrefix: string
  nextInvoice: number
  note: string | null
  subscriptions: WorldSubscription[]
  random: Random
}

export type Status =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'canceled'
  | 'paused'

/** What the customer does with an invoice that asks for money. */
export type Payment =
  | { kind: 'pays'; afterSeconds: number }
  | { kind: 'fails'; attempts: number; outcome: 'recovers' | 'canceled' | 'unpaid' | 'stays' }
  | { kind: 'ignores' }

/** What a simulated customer does; every hook may schedule more. */
export type Behaviour = {
  /** Decides on the invoice with this ordinal (0 is the first) of the subscription. */
  pays(subscription: WorldSubscription, ordinal: number): Payment
  /** Called when a paid period has begun and its invoice exists; `period` counts from 0. */
  onPeriod(subscription: WorldSubscription, period: number, now: number): void
  /** Called when the subscription has ended for good. */
  onEnd?(subscription: WorldSubscription, now: number): void
}

export type BillingMode = 'classic' | 'included' | 'itemized'

/** How prorated lines are written where the provider's documents leave it open or have changed. */
export type Writing = {
  /** Under `parent.invoice_item_details`, without the item. */
  bare: boolean
  order: 'by change' | 'in turns' | 'any'
  /** Whether descriptions are free text; the provider's own also name the credited lines. */
  words: "the provider's" | 'own'
  /** Whether the line of a short first period is a proration. */
  stub: 'proration' | 'ordinary'
}

export type WorldSubscription = {
  id: string
  customer: Customer
  currency: string
  mode: BillingMode
  writing: Writing
  collection: 'charge_automatically' | 'send_invoice'
  daysUntilDue: number | null
  anchor: number
  created: number
  startDate: number
  status: Status
  trialStart: number | null
  trialEnd: number | null
  onTrialEnd: 'convert' | 'pause' | 'cancel'
  cancelAt: number | null
  cancelAtPeriodEnd: boolean
  canceledAt: number | null
  endedAt: number | null
  endReason: 'cancellation_requested' | 'payment_failed' | null
  feedback: string | null
  pauseCollection: {
    behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void'
    resumesAt: number | null
  } | null
  pausedAt: number | null
  pauseKind: 'pause_requested' | 'trial_end_without_payment_method' | null
  items: Item[]
  discounts: Discount[]
  taxRate: TaxRate | null
  latestInvoice: { id: string; status: string } | null
  lastInvoicedAt: number | null
  invoices: number
  periods: number
  /** Prorations and one-off items that wait for the next invoice. */
  pending: DraftLine[]
  pendingEffects: Effect[]
  /** Whether the next invoice of another subscription may bill what waits here. */
  lendsPending: boolean
  /** The items after a requested change that takes effect when its invoice is paid. */
  pendingUpdate: { expiresAt: number; items: Item[] } | null
  /** Invalidates renewals that were scheduled before the cycle was moved. */
  cycle: number
  behaviour: Behaviour
  random: Random
  /** Removal times by item id, for items whose end no invoice shows yet. */
  removed: Map<string, number>
  /** The changes of its worth, in the order in which they became known. */
  facts: Fact[]
}

export type DraftLine = {
  kind: 'recurring' | 'usage' | 'trial' | 'proration' | 'one_off'
  item: Item | null
  itemId: string | null
  subscription: string | null
  price: Price
  description: string
  amount: number
  quantity: number
  unit: string | null
  /** The unit amount of the price, and the note that the line adds to the product's name. */
  listed: Pick<RatedLine, 'unit' | 'note'>
  start: number
  end: number
  discounts: { discount: Discount; amount: number }[]
  isCredit: boolean
  credited: { invoice: string; lines: string[] } | null
  invoiceItem: string | null
  taxCents: number
}

export type Cause =
  | 'start'
  | 'discount'
  | 'plan'
  | 'interval'
  | 'quantity'
  | 'items'
  | 'end'
  | 'unpaid'
  | 'paused'
  | 'unbilled'

/** The worth of items from an instant on; it becomes known when its invoice is final. */
export type Effect = {
  at: number
  cause: Cause
  /** By item id; null when the item is gone. */
  worths: Map<string, Worth | null>
}

/** What a reader of the account dates a change of worth by. */
export type FactEvidence = 'line' | 'period_end' | 'ended_at' | 'transitioned_at' | 'status' | 'state'

/** One change of a subscription's worth; null means no revenue from then on. */
export type Fact = Omit<Effect, 'worths'> & {
  worths: Effect['worths'] | null
  evidence: FactEvidence
}

/**
 * The monthly worth of one item: exact minor units, its seats, and whether a discount that ends automatically lowers
 * it.
 */
export type Worth = {
  mrr: Fraction
  quantity: number
  temporary: boolean
}

export type RatedLine = {
  amount: number
  quantity: number
  unit: string | null
  /** The note that the line adds to the product's name; '' for an ordinary line. */
  note: string
}
