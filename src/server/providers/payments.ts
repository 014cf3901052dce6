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
import type { OnHeard } from './provider-error.ts'

/**
 * What each list of the payment provider contains. Archived prices have a separate list, and ended subscriptions
 * have one for imports that do not read `subscriptions`, the list of all.
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

/** All lists; those that current figures need come first. */
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

/** The lists that read a window of time with the fewest requests. */
export const windowKinds = paymentsKinds.filter(
  (kind) => kind !== 'current_subscriptions' && kind !== 'ended_subscriptions',
)

/** The lists that read the whole account, starting with what determines current MRR. */
export const wholeKinds = paymentsKinds.filter((kind) => kind !== 'subscriptions')

/** Lists that may be missing without wrong figures: they say how invoices were paid. */
export const optionalKinds: readonly PaymentsKind[] = ['invoice_payments']

/** A listing continues after this object, which has this creation time. */
export type PageCursor = { id: string; createdAt: Instant }

export type PageQuery = {
  /** Half open: from <= created < until. */
  created?: { from: Instant | null; until: Instant | null }
  after: PageCursor | null
}

/** Objects with all nested lists complete. */
export type ObjectsRead<T> = {
  items: T[]
  /** Objects that could not be read, with the reason. */
  unreadable: { id: string | null; message: string }[]
}

/** An object whose nested lists are still being read. */
export type IncompleteObject = { id: string; customerId: string | null }

/**
 * Objects of a page whose nested lists continue, so they arrive later. `whole` rejects as the reader's calls do; a
 * caller that drops it has to handle the rejection.
 */
export type RestOfPage<T> = { objects: IncompleteObject[]; whole: Promise<ObjectsRead<T>> }

/** One page, newest first. */
export type PaymentPage<T> = ObjectsRead<T> & {
  /** null on the last page. */
  next: PageCursor | null
  newestAt: Instant | null
  /** Whether the cursor's object was gone, so that this page and the next ones repeat objects of its second. */
  isRepeating: boolean
  /** null when the page contains every object complete. */
  rest: RestOfPage<T> | null
}

export type PaymentsAccount = {
  /** null when the key may not read it. */
  accountId: string | null
  isLive: boolean
  /** When the account was created; nothing in it is older. */
  createdAt: Instant | null
  /** Read permissions that the import needs and the key lacks, by their names on the provider's key page. */
  missingPermissions: string[]
  /** Missing permissions that are useful but not necessary. */
  missingOptionalPermissions: string[]
  /** Whether the key may read the provider's record of changes. */
  mayReadChanges: boolean
}

/** One change: the provider's id of it, its time by the provider's clock, and what it names, if that was read. */
export type ChangeMark = { id: string; at: Instant; objects?: ChangedObject[] }

/**
 * An object that a change names. `payers` are customers whose payment methods changed. `createdAt` is the creation
 * time, if the change contains it; `isGone` says that the object was deleted.
 */
export type ChangedObject = {
  kind: ChangedKind | 'payers'
  id: string
  createdAt: Instant | null
  isGone: boolean
}

export type NewestChanges = {
  /** The newest changes: all of the last minutes, and some thousands before them. */
  marks: ChangeMark[]
  /** The newest change, by the provider's clock; null when there was none. */
  newestAt: Instant | null
}

export type PaymentsChanges = NewestChanges & {
  /** Each object once. */
  objects: ChangedObject[]
}

/** A change that the provider sent to us, with a valid signature. */
export type DeliveredChange = ChangeMark & {
  objects: ChangedObject[]
  isLive: boolean
  /** The account in which the change happened; null in the webhook's own. */
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

/** Object kinds that can be fetched by id. */
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
 * Reads one account and never writes to it. A call throws a ProviderError when the provider does not answer, after
 * its own retries where they can help.
 */
export type PaymentsReader = {
  /** Checks with one request whether the key works. */
  ping(): Promise<void>
  /** Finds the account of the key and the permissions that it lacks; sends a request for each kind of object. */
  check(): Promise<PaymentsAccount>
  /** One page of a list. Objects with long nested lists come later, in `rest`. */
  listPage<K extends PaymentsKind>(kind: K, query: PageQuery): Promise<PaymentPage<PaymentsObjects[K]>>
  /** The ids on the newest page of a list in one request; `created` is half open. */
  listNewestIds(kind: PaymentsKind, created: NonNullable<PageQuery['created']>): Promise<string[]>
  /**
   * When the newest invoice was created, by the provider's clock; null without invoices. Objects of test clocks
   * are left out, because their times are simulated.
   */
  findNewestInvoiceAt(): Promise<Instant | null>
  /**
   * What changed since then, from the provider's record of changes, which reaches back 30 days. Changes with a
   * known id name no objects again.
   */
  listChanges(since: Instant, known: ReadonlySet<string>): Promise<PaymentsChanges>
  /** The newest changes, and all within this many seconds before them. */
  listNewestChanges(withinSeconds: number): Promise<NewestChanges>
  /** One object with everything nested; undefined when it no longer exists. */
  fetchObject<K extends ChangedKind>(kind: K, id: string): Promise<FetchedObjects[K] | undefined>
}

/** What a person needs to make a key and a webhook at the provider, without asking it anything. */
export type PaymentsGuide = {
  /** Pages that make a key with exactly the permissions below. */
  keyPages: { live: string; test: string }
  permissions: { name: string; isOptional: boolean; use: string }[]
  webhookPages: { live: string; test: string }
  /** The kinds of change that a webhook has to send. */
  webhookEvents: string[]
}

/** The payment provider, by role. */
export type PaymentsPort = {
  /** The name people know it by. */
  name: string
  guide: PaymentsGuide
  /**
   * Opens a reader with this key. Requests of one account (or, while it is unknown, of one organization) share a
   * rate limit; after a check they also count for the account found.
   */
  open(
    apiKey: string,
    scope: {
      organizationId: number
      /** The account of the key; also the one that a key of several accounts is to read. */
      accountId?: string | null
      /** What an earlier check found. */
      isLive?: boolean | null
      /** Stops requests. */
      signal?: AbortSignal
      /** Means fewer retries. */
      isPersonWaiting?: boolean
      /** Told after each request whether it was answered, also with a refusal. */
      onHeard?: OnHeard | undefined
    },
  ): PaymentsReader
  /**
   * Reads a delivery with a valid and recent signature; undefined otherwise. It names no objects when the change
   * concerns nothing that we store.
   */
  readDelivery(delivery: { body: Uint8Array; signature: string; secret: string }): DeliveredChange | undefined
}
