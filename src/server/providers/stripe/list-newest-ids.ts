import type Stripe from 'stripe'
import type { PageQuery, PaymentsKind } from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { readList } from './read-list.ts'
import { listRequests, wordsOf } from './requests.ts'

type Parts = { stripe: Stripe; call: CallStripe; pageSize: number }

/** The ids on the newest page of a list, in one request: what is nested in the objects is left alone. */
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
