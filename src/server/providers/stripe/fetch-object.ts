import type Stripe from 'stripe'
import type { ChangedKind, FetchedObjects } from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { mappers } from './from-stripe/by-kind.ts'
import { withWholeList } from './nested-lists.ts'
import { readObject } from './read-list.ts'
import { fetchRequests } from './requests.ts'
import { isResourceMissing } from './to-provider-error.ts'

/** One object by id with everything nested; undefined when Stripe does not have it. */
export async function fetchObject<K extends ChangedKind>(
  kind: K,
  id: string,
  { stripe, call }: { stripe: Stripe; call: CallStripe },
): Promise<FetchedObjects[K] | undefined> {
  const { endpoint, object, fetch } = fetchRequests[kind]
  try {
    const found = await call(endpoint, `${object} ${id}`, () =>
      fetch(stripe, id).then((answer) => readObject(answer, object)),
    )
    return mappers[kind](await withWholeList(found, stripe, call))
  } catch (error) {
    if (isResourceMissing(error)) return undefined
    throw error
  }
}
