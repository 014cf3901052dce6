import type Stripe from 'stripe'
import type { Instant } from '#domain/instant.ts'
import type { ChangedKind, PaymentsChanges } from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { at, idOrNull, textOrNull } from './from-stripe/read-fields.ts'
import { createdOf, readList } from './read-list.ts'
import { type ListParams, pageMax } from './requests.ts'

// Stripe takes at most 20 types in one request.
const eventTypes = [
  [
    'customer.created',
    'customer.updated',
    'customer.deleted',
    'customer.discount.created',
    'customer.discount.updated',
    'customer.discount.deleted',
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'customer.subscription.paused',
    'customer.subscription.resumed',
    'customer.subscription.pending_update_applied',
    'product.created',
    'product.updated',
    'price.created',
    'price.updated',
    'price.deleted',
    'coupon.created',
    'coupon.updated',
  ],
  [
    'invoice.created',
    'invoice.updated',
    'invoice.finalized',
    'invoice.finalization_failed',
    'invoice.paid',
    'invoice.payment_succeeded',
    'invoice.payment_failed',
    'invoice.voided',
    'invoice.marked_uncollectible',
    'invoice.overdue',
    'invoice.overpaid',
    'invoice.deleted',
    'invoice_payment.paid',
  ],
]

const kindOfObject: Readonly<Record<string, ChangedKind>> = {
  customer: 'customers',
  subscription: 'subscriptions',
  product: 'products',
  price: 'prices',
  coupon: 'coupons',
  invoice: 'invoices',
  invoice_payment: 'invoice_payments',
}

type Parts = { stripe: Stripe; call: CallStripe }

/**
 * The ids that Stripe's events since then name. Nothing else of an event is read: it is rendered in the API version
 * that was in force when it happened.
 */
export async function listChanges(since: Instant, parts: Parts): Promise<PaymentsChanges> {
  const ids: Partial<Record<ChangedKind, Set<string>>> = {}
  let newestAt: Instant | null = null
  for (const types of eventTypes) {
    for await (const event of listEvents(types, since, parts)) {
      newestAt = Math.max(newestAt ?? 0, createdOf(event))
      for (const [kind, id] of namedBy(event)) {
        const known = ids[kind] ?? new Set()
        ids[kind] = known.add(id)
      }
    }
  }
  return {
    ids: Object.fromEntries(Object.entries(ids).map(([kind, named]) => [kind, [...named].sort()])),
    newestAt,
  }
}

/** When the newest event happened, of whatever type. */
export async function findNewestChange({ stripe, call }: Parts): Promise<Instant | null> {
  const { objects } = await askForEvents({ limit: 1 }, undefined, { stripe, call })
  return objects[0] ? createdOf(objects[0]) : null
}

async function* listEvents(types: string[], since: Instant, parts: Parts) {
  const seen = new Set<string>()
  let after: string | undefined
  for (;;) {
    const params = {
      limit: pageMax,
      created: { gte: since },
      ...(after !== undefined && { starting_after: after }),
    }
    const { objects, hasMore } = await askForEvents(params, types, parts)
    const fresh = objects.filter((event) => !seen.has(event.id))
    for (const event of fresh) {
      seen.add(event.id)
      yield event
    }
    after = objects.at(-1)?.id
    if (!hasMore || fresh.length === 0) return
  }
}

function askForEvents(params: ListParams, types: string[] | undefined, { stripe, call }: Parts) {
  return call('/v1/events', 'the recent changes', () =>
    stripe.events
      .list({ ...params, ...(types && { types }) })
      .then((answer: unknown) => readList(answer, 'event')),
  )
}

function namedBy(event: unknown): [ChangedKind, string][] {
  const object = at(event, 'data', 'object')
  // A discount cannot be fetched by its id; it shows on its owner.
  if (object['object'] === 'discount') {
    const owners: [ChangedKind, string | null][] = [
      ['customers', idOrNull(object['customer'])],
      ['subscriptions', idOrNull(object['subscription'])],
    ]
    return owners.flatMap(([kind, id]): [ChangedKind, string][] => (id === null ? [] : [[kind, id]]))
  }
  const kind = kindOfObject[textOrNull(object['object']) ?? '']
  const id = idOrNull(object)
  return kind && id !== null ? [[kind, id]] : []
}
