import type { Instant } from '#domain/instant.ts'
import type {
  ImportedInvoice,
  InvoicePayment,
  PaymentCoupon,
  PaymentCustomer,
  PaymentPrice,
  PaymentProduct,
  PaymentSubscription,
} from '#domain/payments.ts'

/**
 * What each list of the payment provider holds. Archived prices stand in a list of their own, and so do subscriptions that
 * have ended where `subscriptions`, the list of all, is not read.
 */
export type PaymentsObjects = {
  subscriptions: PaymentSubscription
  current_subscriptions: PaymentSubscription
  ended_subscriptions: PaymentSubscription
  products: PaymentProduct
  prices_active: PaymentPrice
  prices_archived: PaymentPrice
  coupons: PaymentCoupon
  customers: PaymentCustomer
  invoices: ImportedInvoice
  invoice_payments: InvoicePayment
}
export type PaymentsKind = keyof PaymentsObjects

/** Every list, those first that current figures need first. */
export const paymentsKinds = [
  'subscriptions',
  'current_subscriptions',
  'products',
  'prices_active',
  'prices_archived',
  'coupons',
  'customers',
  'ended_subscriptions',
  'invoices',
  'invoice_payments',
] as const satisfies readonly PaymentsKind[]

/** The lists by which a window of time is read, with the fewest requests. */
export const windowKinds = paymentsKinds.filter(
  (kind) => kind !== 'current_subscriptions' && kind !== 'ended_subscriptions',
)

/** The lists by which everything is read, what is worth something now first. */
export const wholeKinds = paymentsKinds.filter((kind) => kind !== 'subscriptions')

/** What may be missing without the figures being wrong: how invoices were paid. */
export const optionalKinds: readonly PaymentsKind[] = ['invoice_payments']

/** Where a listing goes on: after this object, which was created then. */
export type PageCursor = { id: string; createdAt: Instant }

export type PageQuery = {
  /** Half open: from <= created < until. */
  created?: { from: Instant | null; until: Instant | null }
  after: PageCursor | null
}

/** Objects with everything nested in them. */
export type ObjectsRead<T> = {
  items: T[]
  /** Objects that could not be read, with the reason. */
  unreadable: { id: string | null; message: string }[]
}

/** An object of which more is still being asked for. */
export type IncompleteObject = { id: string; customerId: string | null }

/**
 * Objects of a page that come later, since lists inside them go on. `whole` fails as the calls of a reader do, and whoever
 * drops it has to handle that.
 */
export type RestOfPage<T> = { objects: IncompleteObject[]; whole: Promise<ObjectsRead<T>> }

/** One page, newest first. */
export type PaymentPage<T> = ObjectsRead<T> & {
  /** null on the last page. */
  next: PageCursor | null
  newestAt: Instant | null
  /** null where every object of the page is among what was read. */
  rest: RestOfPage<T> | null
}

export type PaymentsAccount = {
  /** null where the key may not read it. */
  accountId: string | null
  isLive: boolean
  /** When the account was made: nothing in it is older. */
  createdAt: Instant | null
  /** Read permissions that the import needs and the key lacks, as the provider's key page names them. */
  missingPermissions: string[]
  /** The same for what is useful and can be done without. */
  missingOptionalPermissions: string[]
  /** Whether the key may read the provider's record of changes. */
  mayReadChanges: boolean
}

/** One change by the provider's id of it, and when it happened by the provider's clock. */
export type ChangeMark = { id: string; at: Instant }

/**
 * What a change names. A payer is a customer whose ways to pay changed: it and what shows its payment method. `createdAt`
 * tells when the object was made, where the change says; `isGone` that it was deleted.
 */
export type ChangedObject = {
  kind: ChangedKind | 'payers'
  id: string
  createdAt: Instant | null
  isGone: boolean
}

export type NewestChanges = {
  /** The newest changes themselves: all of the last minutes, and some thousand before. */
  marks: ChangeMark[]
  /** The newest change, by the provider's clock; null when there was none. */
  newestAt: Instant | null
}

export type PaymentsChanges = NewestChanges & {
  /** Each object once. */
  objects: ChangedObject[]
}

/** A change that the provider sent by itself, verified. */
export type DeliveredChange = ChangeMark & {
  objects: ChangedObject[]
  isLive: boolean
  /** Set where it happened in an account other than the one whose webhook it is. */
  accountId: string | null
}
export const changedKinds = [
  'products',
  'prices',
  'coupons',
  'customers',
  'subscriptions',
  'invoices',
  'invoice_payments',
] as const
export type ChangedKind = (typeof changedKinds)[number]

/** What is fetched by its id. */
export type FetchedObjects = {
  products: PaymentProduct
  prices: PaymentPrice
  coupons: PaymentCoupon
  customers: PaymentCustomer
  subscriptions: PaymentSubscription
  invoices: ImportedInvoice
  invoice_payments: InvoicePayment
}

/**
 * Reads one account and cannot write to it. Every call throws a ProviderError when the provider would not answer, after
 * retries of its own where those help.
 */
export type PaymentsReader = {
  /** Whether the key works at all, in one request. */
  ping(): Promise<void>
  /** Whose key it is and which permissions it lacks; probes each resource. */
  check(): Promise<PaymentsAccount>
  /** A page of a list; objects with more nested in them than it holds come with its rest. */
  listPage<K extends PaymentsKind>(kind: K, query: PageQuery): Promise<PaymentPage<PaymentsObjects[K]>>
  /** The ids on the newest page of a list, half open as there, in one request. */
  listNewestIds(kind: PaymentsKind, created: NonNullable<PageQuery['created']>): Promise<string[]>
  /**
   * When the newest invoice was made, by the provider's clock; null where there is none. What is tied to a test clock is
   * left out: its times are not those of the provider.
   */
  findNewestInvoiceAt(): Promise<Instant | null>
  /**
   * What changed since then, from the provider's own record of changes, which reaches back 30 days. Changes that are
   * known already, by their ids, name nothing again.
   */
  listChanges(since: Instant, known: ReadonlySet<string>): Promise<PaymentsChanges>
  /** The newest changes, and those of so many seconds before them. */
  listNewestChanges(withinSeconds: number): Promise<NewestChanges>
  /** One object with everything nested; undefined when it does not exist any more. */
  fetchObject<K extends ChangedKind>(kind: K, id: string): Promise<FetchedObjects[K] | undefined>
}

/** The payment provider, by role. */
export type PaymentsPort = {
  /** The name people know it by. */
  name: string
  /**
   * Reads with this key. Requests of one account, or where it is unknown of one organization, share one rate limit, and what
   * follows a check also that of the account which it found; the signal ends what is in flight. While a person waits, less
   * is tried.
   */
  open(
    apiKey: string,
    scope: {
      organizationId: number
      accountId?: string | null
      signal?: AbortSignal
      isPersonWaiting?: boolean
    },
  ): PaymentsReader
  /**
   * Reads what was sent to our address, if it is signed with the secret and not minutes old; undefined otherwise. Where
   * it tells of nothing that is kept here it names no objects.
   */
  readDelivery(delivery: { body: Uint8Array; signature: string; secret: string }): DeliveredChange | undefined
}
