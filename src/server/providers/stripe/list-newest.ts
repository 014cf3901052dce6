import type Stripe from 'stripe'
import type { Instant } from '#domain/instant.ts'
import type { PageQuery, PaymentsKind } from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { at, idOrNull } from './from-stripe/read-fields.ts'
import { createdOf, readList } from './read-list.ts'
import { listRequests, wordsOf } from './requests.ts'

type Parts = { stripe: Stripe; call: CallStripe; pageSize: number }
type NewestParts = { stripe: Stripe; call: CallStripe; isLive: boolean }

/** The ids on the newest page of a list in one request, without nested lists. */
export async function listNewestIds(
  kind: PaymentsKind,
  { from, until }: NonNullable<PageQuery['created']>,
  { stripe, call, pageSize }: Parts,
): Promise<string[]> {
  const { endpoint, object, list } = listRequests[kind]
  const created = { ...(from !== null && { gte: from }), ...(until !== null && { lt: until }) }
  const { objects } = await call(endpoint, wordsOf(kind), () =>
    list(stripe, { limit: pageSize, created }).then((answer) => readList(answer, object)),
  )
  return objects.map(({ id }) => id)
}

/** How many invoices are checked in test mode. */
const amongMax = 20

/**
 * When the newest invoice without a test clock was created. Only test mode lists invoices with test clocks among
 * the others.
 */
export async function findNewestInvoiceAt({ stripe, call, isLive }: NewestParts): Promise<Instant | null> {
  const { endpoint, object, list } = listRequests.invoices
  const { objects } = await call(endpoint, wordsOf('invoices'), () =>
    list(stripe, { limit: isLive ? 1 : amongMax }).then((answer) => readList(answer, object)),
  )
  const newest = objects.find((invoice) => idOrNull(at(invoice)['test_clock']) === null)
  return newest ? createdOf(newest) : null
}
