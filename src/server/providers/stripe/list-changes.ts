import type Stripe from 'stripe'
import type { Instant } from '#domain/instant.ts'
import type { ChangedObject, ChangeMark, NewestChanges, PaymentsChanges } from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { objectsOfEvent } from './read-event.ts'
import { createdOf, readNextPage } from './read-list.ts'
import { type ListParams, pageMax } from './requests.ts'

/**
 * Event types that change an object we store. Schedules, pending updates and invoice items also cause an event of
 * their subscription or invoice; refunds and credit notes change no charge. Stripe accepts 20 types per request
 * and no patterns.
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

/**
 * All changes this close to the newest keep their marks, because Stripe may list changes late. Older ones are kept
 * up to the maximum.
 */
const marksKeptSeconds = 15 * 60
const marksKeptMax = 2_000

type Parts = { stripe: Stripe; call: CallStripe }

/**
 * The objects that Stripe's events name since then. Known events name nothing again. The lists of types are read
 * in parallel; the next read starts shortly before the newest event of any, so it finds what other lists missed.
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
    const named = objectsOfEvent(event)
    if (happenedAt > newestAt - marksKeptSeconds || marks.length < marksKeptMax)
      marks.push({ id: event.id, at: happenedAt, objects: named })
    for (const object of named) note(objects, object)
  }
  return { objects: [...objects.values()], marks, newestAt }
}

/** An object may have several changes, and only one of them may contain its creation time or deletion. */
function note(objects: Map<string, ChangedObject>, object: ChangedObject): void {
  const key = `${object.kind} ${object.id}`
  const other = objects.get(key)
  objects.set(key, {
    ...object,
    createdAt: object.createdAt ?? other?.createdAt ?? null,
    isGone: object.isGone || (other?.isGone ?? false),
  })
}

/**
 * The newest events of those types. For each list of types, all within this many seconds before its newest event.
 */
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
    marks.push({ id: event.id, at, objects: objectsOfEvent(event) })
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
