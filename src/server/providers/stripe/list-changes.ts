import type Stripe from 'stripe'
import type { Instant } from '#domain/instant.ts'
import type { ChangedObject, ChangeMark, NewestChanges, PaymentsChanges } from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { objectsOfEvent } from './read-event.ts'
import { createdOf, readNextPage } from './read-list.ts'
import { type ListParams, pageMax } from './requests.ts'

/**
 * Everything that moves an object we keep. Schedules, pending updates and invoice items show when they take effect, as an
 * event of the subscription or invoice; credit notes and refunds change what was paid, not what was charged.
 * Stripe takes at most 20 types in one request, and no patterns among them.
 */
export const eventTypes = [
  [
    'customer.created',
    'customer.updated',
    'customer.deleted',
    'customer.discount.created',
    'customer.discount.updated',
    'customer.discount.deleted',
    'customer.source.updated',
    'customer.source.deleted',
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'customer.subscription.paused',
    'customer.subscription.resumed',
    'customer.subscription.pending_update_applied',
    'customer.subscription.pending_update_expired',
    'payment_method.updated',
    'payment_method.automatically_updated',
    'payment_method.detached',
  ],
  [
    'product.created',
    'product.updated',
    'product.deleted',
    'price.created',
    'price.updated',
    'price.deleted',
    'coupon.created',
    'coupon.updated',
    'coupon.deleted',
    'invoice.created',
    'invoice.updated',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'invoice.payment_failed',
    'invoice.voided',
    'invoice.marked_uncollectible',
    'invoice.overdue',
    'invoice.deleted',
    'invoice_payment.paid',
  ],
]

/** Marks of changes are kept this far behind the newest, since others of that time may be listed late, and some more. */
const marksKeptSeconds = 15 * 60
const marksKeptMax = 2_000

type Parts = { stripe: Stripe; call: CallStripe }

/**
 * What Stripe's events since then name; events that are known already only count as seen. The lists of types are read beside
 * each other: the next look back starts shortly before the newest event of any, and reaches what the others did not show yet.
 */
export async function listChanges(
  since: Instant,
  known: ReadonlySet<string>,
  parts: Parts,
): Promise<PaymentsChanges> {
  const lists = await Promise.all(eventTypes.map((types) => listChangesOf(types, since, known, parts)))
  const objects = new Map<string, ChangedObject>()
  for (const list of lists) for (const object of list.objects) note(objects, object)
  const newest = lists.flatMap(({ newestAt }) => newestAt ?? [])
  return {
    objects: [...objects.values()],
    marks: lists.flatMap(({ marks }) => marks),
    newestAt: newest.length === 0 ? null : Math.max(...newest),
  }
}

async function listChangesOf(
  types: string[],
  since: Instant,
  known: ReadonlySet<string>,
  parts: Parts,
): Promise<PaymentsChanges> {
  const objects = new Map<string, ChangedObject>()
  const marks: ChangeMark[] = []
  let newestAt: Instant | null = null
  for await (const event of listEvents(types, since, parts)) {
    const happenedAt = createdOf(event)
    newestAt ??= happenedAt
    if (known.has(event.id)) continue
    if (happenedAt > newestAt - marksKeptSeconds || marks.length < marksKeptMax)
      marks.push({ id: event.id, at: happenedAt })
    for (const object of objectsOfEvent(event)) note(objects, object)
  }
  return { objects: [...objects.values()], marks, newestAt }
}

/** One of several changes of an object may be the one that says that it is gone, or when it was made. */
function note(objects: Map<string, ChangedObject>, object: ChangedObject): void {
  const key = `${object.kind} ${object.id}`
  const other = objects.get(key)
  objects.set(key, {
    ...object,
    createdAt: object.createdAt ?? other?.createdAt ?? null,
    isGone: object.isGone || (other?.isGone ?? false),
  })
}

/** The newest events of those types, and of each list of types all that happened within so many seconds before its newest. */
export async function listNewestChanges(withinSeconds: number, parts: Parts): Promise<NewestChanges> {
  const lists = await Promise.all(eventTypes.map((types) => listNewestOf(types, withinSeconds, parts)))
  const marks = lists.flat()
  return {
    marks,
    newestAt: marks.reduce<Instant | null>((newest, { at }) => Math.max(newest ?? at, at), null),
  }
}

async function listNewestOf(types: string[], withinSeconds: number, parts: Parts): Promise<ChangeMark[]> {
  const marks: ChangeMark[] = []
  for await (const event of listEvents(types, null, parts)) {
    const at = createdOf(event)
    if (at < (marks[0]?.at ?? at) - withinSeconds) break
    marks.push({ id: event.id, at })
  }
  return marks
}

async function* listEvents(types: string[], since: Instant | null, parts: Parts) {
  const seen = new Set<string>()
  let after: string | undefined
  for (;;) {
    const params = {
      limit: pageMax,
      ...(since !== null && { created: { gte: since } }),
      ...(after !== undefined && { starting_after: after }),
    }
    const { objects, hasMore } = await askForEvents(params, { types, seen }, parts)
    const fresh = objects.filter((event) => !seen.has(event.id))
    for (const event of fresh) {
      seen.add(event.id)
      yield event
    }
    after = objects.at(-1)?.id
    if (!hasMore) return
  }
}

function askForEvents(
  params: ListParams,
  { types, seen }: { types: string[]; seen: ReadonlySet<string> },
  { stripe, call }: Parts,
) {
  return call('/v1/events', 'the recent changes', () =>
    stripe.events
      .list({ ...params, types })
      .then((answer: unknown) => readNextPage(answer, 'event', params.starting_after, seen)),
  )
}
