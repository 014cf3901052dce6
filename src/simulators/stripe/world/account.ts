import { Collection, type Extractor } from './collection.ts'
import { collectDiscounts, collectInlinePrices } from './embedded.ts'
import { isRecord, type SimulatedWorld, type StripeObject } from './world.ts'

/** The kinds of object with a list of their own. */
export type ListedKind =
  | 'customer'
  | 'product'
  | 'price'
  | 'coupon'
  | 'subscription'
  | 'invoice'
  | 'invoice_payment'
  | 'payment_method'
  | 'payment_intent'
  | 'event'
  | 'test_clock'

export type AccountJson = Readonly<Record<string, unknown>>

/** Events are kept for 30 days (docs.stripe.com/api/events/list). */
const eventDays = 30
const daySeconds = 86_400
const defaultAccountId = 'acct_1SimulatedDemo'

/** A world with indexes by id and by word, built once. */
export type SimulatedAccount = {
  readonly id: string
  readonly object: AccountJson
  readonly nowSeconds: number
  readonly keys: readonly string[]
  collection(kind: ListedKind): Collection
  /** The object of an id as Stripe would retrieve or expand it, deleted stubs included. */
  find(kind: string, id: string): AccountJson | undefined
}

export function openAccount(world: SimulatedWorld): SimulatedAccount {
  const nowSeconds = Math.floor(Date.parse(world.as_of) / 1000)
  const collections = openCollections(world, nowSeconds)
  const stubs = new Map<string, AccountJson>()
  for (const row of [...world.customers, ...world.products, ...world.prices]) {
    if (isDeleted(row))
      stubs.set(`${row.object}/${row.id}`, { id: row.id, object: row.object, deleted: true })
  }
  let inlinePrices: Map<string, AccountJson> | undefined
  let discounts: Map<string, AccountJson> | undefined
  const object = world.account ?? defaultAccount(nowSeconds)
  return {
    id: object.id,
    object,
    nowSeconds,
    keys: world.keys ?? [],
    collection: (kind) => collections[kind],
    find(kind, id) {
      if (kind === 'discount') {
        discounts ??= collectDiscounts(world)
        return discounts.get(id)
      }
      const row = isListedKind(collections, kind)
        ? (collections[kind].find(id) ?? byAccount(collections, kind, id))
        : undefined
      if (row !== undefined || kind !== 'price') return row ?? stubs.get(`${kind}/${id}`)
      inlinePrices ??= collectInlinePrices(world)
      return inlinePrices.get(id) ?? stubs.get(`${kind}/${id}`)
    },
  }
}

/** The id of a field that holds an id, an object or nothing. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (isRecord(value) && typeof value['id'] === 'string') return value['id']
  return undefined
}

/** An index over a field that holds an id or an object. */
export function idIn(field: string): Extractor {
  return (row) => {
    const id = idOf(row[field])
    return id === undefined ? [] : [id]
  }
}

function openCollections(world: SimulatedWorld, nowSeconds: number): Record<ListedKind, Collection> {
  const oldestEvent = nowSeconds - eventDays * daySeconds
  const inline = new Set(world.inline_prices)
  const isSilent = world.customers.some((row) => typeof accountIdOf(row) === 'string')
  const events = (world.events ?? []).filter(
    (event) => event.created >= oldestEvent && !(isSilent && silenced.has(String(event['type']))),
  )
  return {
    customer: new Collection(world.customers.filter(isPresent)),
    product: new Collection(world.products.filter(isPresent)),
    price: new Collection(world.prices.filter(isPresent).filter(({ id }) => !inline.has(id))),
    coupon: new Collection(world.coupons.filter(isPresent)),
    subscription: new Collection(world.subscriptions),
    invoice: new Collection(world.invoices),
    invoice_payment: new Collection(world.invoice_payments),
    payment_method: new Collection(world.payment_methods ?? []),
    payment_intent: new Collection(world.payment_intents ?? []),
    event: new Collection(events),
    test_clock: new Collection(world.test_clocks ?? []),
  }
}

/**
 * If accounts represent customers, Stripe sends thin events of the account instead of these, and the list of events
 * omits them (docs.stripe.com/changelog/dahlia/2026-04-22/accounts-v2-expanded-availability).
 */
const silenced: ReadonlySet<string> = new Set(['customer.created', 'customer.updated', 'customer.deleted'])

/** A customer can also be named by the id of the account that represents it (the same page). */
function byAccount(
  { customer }: Record<ListedKind, Collection>,
  kind: ListedKind,
  id: string,
): StripeObject | undefined {
  return kind === 'customer' ? customer.group(accountIndex, id)[0] : undefined
}

const accountIndex = idIn('customer_account')

function accountIdOf(row: Row): unknown {
  return isPresent(row) ? row['customer_account'] : undefined
}

type Row = SimulatedWorld['customers'][number]

function isDeleted(row: Row): boolean {
  return 'deleted' in row && row.deleted === true
}

function isPresent(row: Row): row is StripeObject {
  return !isDeleted(row)
}

function isListedKind(collections: Record<ListedKind, Collection>, kind: string): kind is ListedKind {
  return Object.hasOwn(collections, kind)
}

function defaultAccount(nowSeconds: number): { id: string } & AccountJson {
  return {
    id: defaultAccountId,
    object: 'account',
    business_profile: { name: 'Simulated account' },
    business_type: 'company',
    charges_enabled: true,
    country: 'US',
    created: nowSeconds - 3 * 365 * daySeconds,
    default_currency: 'usd',
    details_submitted: true,
    email: 'owner@example.com',
    payouts_enabled: true,
    type: 'standard',
  }
}
