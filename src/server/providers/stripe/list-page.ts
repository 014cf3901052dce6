import type { LimitFunction } from 'p-limit'
import type Stripe from 'stripe'
import type { Instant } from '#domain/instant.ts'
import type {
  ObjectsRead,
  PageCursor,
  PageQuery,
  PaymentPage,
  PaymentsKind,
  PaymentsObjects,
  RestOfPage,
} from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { mappers } from './from-stripe/by-kind.ts'
import { at, idOrNull, UnreadableObject } from './from-stripe/read-fields.ts'
import { StrangeAnswer } from './guarded-client.ts'
import { listOfTestClocks } from './list-of-test-clocks.ts'
import { hasMoreInside, withWholeList } from './nested-lists.ts'
import { createdOf, readNextPage } from './read-list.ts'
import { type ListParams, listRequests, wordsOf } from './requests.ts'
import { isResourceMissing } from './to-provider-error.ts'

/** What reads an object of each list: of its kind, whichever part of the kind it holds. */
const mappersOfLists: { [K in PaymentsKind]: (value: unknown) => PaymentsObjects[K] } = {
  ...mappers,
  current_subscriptions: mappers.subscriptions,
  ended_subscriptions: mappers.subscriptions,
  prices_active: mappers.prices,
  prices_archived: mappers.prices,
}

type Parts = {
  stripe: Stripe
  call: CallStripe
  pageSize: number
  isLive: boolean
  /** Limits how many pages have their nested lists read at the same time. */
  turns: Readonly<Record<'subscriptions' | 'invoices', LimitFunction>>
}

/** One page of a list. The last page also contains the objects of test clocks. */
export async function listPage<K extends PaymentsKind>(
  kind: K,
  query: PageQuery,
  parts: Parts,
): Promise<PaymentPage<PaymentsObjects[K]>> {
  const { objects: listed, next, isRepeating } = await askForPage(kind, query, parts)
  // Subscriptions that were never paid appear in this list and in the list of ended ones.
  const isHere = ({ status }: ReturnType<typeof at>) =>
    kind !== 'current_subscriptions' || status !== 'incomplete_expired'
  const objects = listed.filter((object) => isHere(at(object)))
  const newestAt = newestOf(objects)
  // A list reaches its beginning once: in the part without a lower bound.
  const isEnd = next === null && (query.created?.from ?? null) === null
  if (isEnd && !parts.isLive) objects.push(...(await listOfTestClocks(kind, parts)))
  const whole = objects.filter((object) => !hasMoreInside(object))
  const read = readAll(kind, whole)
  return {
    ...read,
    next,
    newestAt,
    isRepeating,
    rest: askForRest(kind, objects.filter(hasMoreInside), parts),
  }
}

type Listed = Awaited<ReturnType<typeof askForPage>>['objects'][number]

/** Reads the rest of the nested lists of these objects. */
function askForRest<K extends PaymentsKind>(
  kind: K,
  objects: readonly Listed[],
  { stripe, call, turns }: Parts,
): RestOfPage<PaymentsObjects[K]> | null {
  if (objects.length === 0) return null
  const inTurn = kind === 'invoices' ? turns.invoices : turns.subscriptions
  return {
    objects: objects.map((object) => ({ id: object.id, customerId: idOrNull(at(object)['customer']) })),
    whole: Promise.all(
      objects.map((object) => inTurn(() => withWholeList(object, stripe, call)).catch(noneIfMissing)),
    ).then((answers) => readAll(kind, answers.flat())),
  }
}

/** A draft can be deleted after its page was read and before its lines are. */
function noneIfMissing(error: unknown): [] {
  if (isResourceMissing(error)) return []
  throw error
}

function readAll<K extends PaymentsKind>(
  kind: K,
  objects: readonly unknown[],
): ObjectsRead<PaymentsObjects[K]> {
  const read: ObjectsRead<PaymentsObjects[K]> = { items: [], unreadable: [] }
  for (const object of objects) {
    try {
      read.items.push(mappersOfLists[kind](object))
    } catch (error) {
      if (!(error instanceof UnreadableObject)) throw error
      const message = `Stripe sent it without ${error.message}`
      read.unreadable.push({ id: idOrNull(object), message })
    }
  }
  return read
}

async function askForPage(kind: PaymentsKind, query: PageQuery, { stripe, call, pageSize }: Parts) {
  const { endpoint, object, list } = listRequests[kind]
  const ask = (params: ListParams) =>
    call(endpoint, wordsOf(kind), () =>
      list(stripe, params).then((answer) => readNextPage(answer, object, params.starting_after)),
    )
  const params = { limit: pageSize, ...createdWindow(query, null) }
  const { after } = query
  let isRepeating = false
  const answer = after
    ? await ask({ ...params, starting_after: after.id }).catch((error: unknown) => {
        if (!isResourceMissing(error, 'starting_after')) throw error
        // The cursor's object was deleted. Continue at the second of its creation, which may repeat some objects
        // but misses none.
        isRepeating = true
        return ask({ limit: pageSize, ...createdWindow(query, after.createdAt) })
      })
    : await ask(params)
  if (!answer.hasMore) return { ...answer, isRepeating, next: null }
  // The object that Stripe did not accept as the cursor can still be in the list.
  const last = answer.objects.map(cursorAt).findLast(({ id }) => !isRepeating || id !== after?.id)
  if (last === undefined) throw new StrangeAnswer('a page of an object that it said is not there')
  return { ...answer, isRepeating, next: last }
}

function createdWindow(query: PageQuery, upTo: Instant | null): { created?: ListParams['created'] & object } {
  const { from = null, until = null } = query.created ?? {}
  const created = {
    ...(from !== null && { gte: from }),
    ...(upTo !== null ? { lte: upTo } : until !== null && { lt: until }),
  }
  return Object.keys(created).length > 0 ? { created } : {}
}

/** Half a character in an id can be neither sent nor stored. */
function cursorAt(last: Parameters<typeof createdOf>[0] & object): PageCursor {
  return { id: last.id.toWellFormed(), createdAt: createdOf(last) }
}

function newestOf(objects: readonly Parameters<typeof createdOf>[0][]): Instant | null {
  const newest = Math.max(...objects.map(createdOf), 0)
  return newest === 0 ? null : newest
}
